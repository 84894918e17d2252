import KPIs
import Privacy
import TestSupport
import Testing
import Trips

@Suite struct PartitionRuleTests {
    private static let month = Month(year: 2024, month: 1)
    private static let leaves = (0...2).flatMap { region in
        (0...2).map { LeafScope(region: UInt8(region), tripType: UInt8($0)) }
    }

    /// The groups of a table of 2 regions and 2 types; row and column 0 are Unassigned.
    private static func groups(
        _ counts: [[Int]], _ rule: PartitionRule = PartitionRule(), patients: PatientCount? = .unknown
    ) -> [[LeafScope]]? {
        rule.partition(leaves: leaves, trips: { counts[Int($0.region)][Int($0.tripType)] }) { _ in patients }.groups
    }

    private static func leaf(_ region: UInt8, _ type: UInt8) -> LeafScope { LeafScope(region: region, tripType: type) }

    @Test("Leaves of 11 or more are groups, and leaves without trips are in none")
    func large() {
        let found = Self.groups([[0, 0, 0], [0, 11, 40], [0, 25, 12]])
        #expect(found == [[Self.leaf(1, 1)], [Self.leaf(1, 2)], [Self.leaf(2, 1)], [Self.leaf(2, 2)]])
    }

    @Test("A month of fewer than 11 has no group", arguments: [0, 1, 10])
    func tooFew(trips: Int) {
        #expect(Self.groups([[0, 0, 0], [0, trips, 0], [0, 0, 0]]) == nil)
    }

    @Test("Small leaves of a region are one group where each of them may still be empty")
    func ownLine() {
        // 12 of three leaves: two of them can hold all of it.
        #expect(
            Self.groups([[0, 0, 0], [3, 4, 5], [0, 30, 40]])
                == [[Self.leaf(1, 0), Self.leaf(1, 1), Self.leaf(1, 2)], [Self.leaf(2, 1)], [Self.leaf(2, 2)]])
        // 25 of three leaves: none of them can be empty, so more leaves join.
        let found = Self.groups([[0, 0, 0], [8, 8, 9], [0, 30, 40]])
        #expect(found?.contains { $0.count == 3 && $0.allSatisfy { $0.region == 1 } } == false)
    }

    @Test("Remainders of a few trips take one leaf along, the last of the lists, and leave the others alone")
    func remainders() {
        let found = Self.groups([[0, 2, 1], [1, 50, 60], [0, 70, 80]])
        #expect(found?.filter { $0.count == 1 }.count == 3)
        #expect(found?.first { $0.count > 1 }?.contains(Self.leaf(2, 2)) == true)
    }

    @Test("Too few patients make a leaf small, whatever its trips; nobody named is no reason")
    func patients() {
        let counts = [[0, 0, 0], [0, 50, 60], [0, 70, 80]]
        #expect(Self.groups(counts, patients: .exactly(10)) == nil)
        #expect(Self.groups(counts, patients: nil) == nil)
        #expect(Self.groups(counts, patients: .atLeastCap)?.count == 4)
        #expect(Self.groups(counts, patients: .unknown)?.count == 4)
    }

    @Test("The kept margin says within which lines small leaves are merged")
    func margin() {
        let counts = [[0, 0, 0], [4, 40, 50], [4, 60, 70]]
        let types = PartitionRule(keptMargin: .tripType)
        let byType = Self.groups(counts, types), byRegion = Self.groups(counts)
        #expect(byType != nil && byRegion != nil)
        let columns = Self.groups([[4, 0, 0], [4, 40, 50], [4, 60, 70]], types)
        #expect(columns?.contains { $0.count == 3 && $0.allSatisfy { $0.tripType == 0 } } == true)
    }

    @Test(
        "Groups are disjoint, large enough, hold every trip, and do not depend on the order of trips", arguments: 0..<4)
    func laws(lane: Int) {
        for round in 0..<FuzzPlan.iterations(150) {
            var random = SplitMix64(seed: UInt64(lane) << 32 | UInt64(round))
            let population = RandomPopulation.make(&random), tally = population.tally()
            var shuffled = population
            shuffled.groups.shuffle(using: &random)
            let other = shuffled.tally()
            let rule = PartitionRule(keptMargin: Bool.random(using: &random) ? .region : .tripType)
            #expect(!tally.monthsMet.isEmpty)
            for month in tally.monthsMet {
                let partition = rule.partition(of: month, in: tally)
                #expect(rule.partition(of: month, in: other) == partition)
                let whole = tally.sums(of: tally.allLeaves, in: month)
                expectSound(partition.completed, tally, month, TripPopulation.completed, total: whole.trips)
                expectSound(partition.cancelled, tally, month, [.cancelled], total: whole.cancelled)
                expectSound(partition.noShow, tally, month, [.noShow], total: whole.noShow)
            }
        }
    }

    private func expectSound(
        _ partition: PopulationPartition, _ tally: KPITally, _ month: Month, _ populations: [TripPopulation], total: Int
    ) {
        guard let groups = partition.groups else { return }
        let all = groups.flatMap { $0 }
        #expect(Set(all).count == all.count)
        var trips = 0
        for group in groups {
            let sums = tally.sums(of: group, in: month)
            let own = populations.reduce(0) { $0 + sums.trips(of: $1) }
            #expect(own >= 11)
            if case .exactly(let patients) = tally.patientCount(of: group, in: month, populations) {
                #expect(patients >= 11)
            }
            trips += own
        }
        #expect(trips == total)
    }

    /// What a reader sees of a table with these counts.
    private struct Output: Hashable {
        var groups: [[LeafScope]]
        var totals: [Int]
    }

    @Test(
        "With the same output each leaf that is not shown may have any small count", arguments: [2, 3], [4, 6, 8, 9])
    func unconfined(threshold: Int, total: Int) {
        for margin in KeptMargin.allCases {
            let rule = PartitionRule(minimumCell: threshold, keptMargin: margin)
            let leaves = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)].map { Self.leaf($0.0, $0.1) }
            var counts: [Output: [Set<Int>]] = [:]
            for table in Self.tables(total, over: leaves.count) {
                let trips = Dictionary(uniqueKeysWithValues: zip(leaves, table))
                let found = rule.partition(leaves: leaves, trips: { trips[$0] ?? 0 }, patients: { _ in .unknown })
                guard let groups = found.groups else { continue }
                let output = Output(groups: groups, totals: groups.map { $0.reduce(0) { $0 + (trips[$1] ?? 0) } })
                var known = counts[output] ?? leaves.map { _ in [] }
                for index in leaves.indices { known[index].insert(table[index]) }
                counts[output] = known
            }
            var merged = 0
            for (output, known) in counts {
                for group in output.groups where group.count > 1 {
                    merged += 1
                    for leaf in group {
                        let possible = leaves.firstIndex(of: leaf).map { known[$0] } ?? []
                        #expect(possible.isSuperset(of: 0..<threshold), "\(output) \(leaf)")
                    }
                }
            }
            #expect(merged > 0)
        }
    }

    /// Every table of this many leaves with this total.
    private static func tables(_ total: Int, over leaves: Int) -> [[Int]] {
        if leaves == 1 { return [[total]] }
        return (0...total).flatMap { first in tables(total - first, over: leaves - 1).map { [first] + $0 } }
    }
}
