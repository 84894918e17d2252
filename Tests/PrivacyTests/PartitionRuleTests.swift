import Basics
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
        _ counts: [[Int]], _ rule: PartitionRule = PartitionRule(), hasPatients: Bool = true
    ) -> [[LeafScope]]? {
        func trips(_ leaf: LeafScope) -> Int { counts[Int(leaf.region)][Int(leaf.tripType)] }
        let groups = rule.groups(leaves: leaves, trips: trips) { leaves in
            hasPatients && leaves.reduce(0) { $0 + trips($1) } >= rule.minimumCell
        }
        return PopulationPartition(groups: groups).groups
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
        // 12 of three leaves: two of them can hold all of it. A rest without trips takes a leaf along in the other regions.
        let found = Self.groups([[0, 0, 0], [3, 4, 5], [0, 30, 40]])
        #expect(found?.contains([Self.leaf(1, 0), Self.leaf(1, 1), Self.leaf(1, 2)]) == true)
        #expect(
            found?.contains([Self.leaf(2, 0), Self.leaf(2, 2)]) == true && found?.contains([Self.leaf(2, 1)]) == true)
        // 25 of three leaves: one of them may hold all of it.
        #expect(
            Self.groups([[0, 0, 0], [8, 8, 9], [0, 30, 40]])?
                .contains([Self.leaf(1, 0), Self.leaf(1, 1), Self.leaf(1, 2)]) == true)
    }

    @Test("Remainders of a region take its last leaf along, also where there are none")
    func remainders() {
        let found = Self.groups([[0, 2, 1], [1, 50, 60], [0, 70, 80]])
        #expect(found?.contains([Self.leaf(1, 0), Self.leaf(1, 2)]) == true)
        #expect(found?.contains([Self.leaf(1, 1)]) == true)
        // The region Unassigned is too small for a group: it takes the last region's first large leaf along.
        #expect(found?.first { $0.count > 2 }?.contains(Self.leaf(2, 1)) == true)
    }

    @Test("Too few patients make a leaf small, whatever its trips")
    func patients() {
        let counts = [[0, 0, 0], [0, 50, 60], [0, 70, 80]]
        #expect(Self.groups(counts, hasPatients: false) == nil)
        #expect(Self.groups(counts)?.count == 4)
    }

    @Test("The kept margin says within which lines small leaves are merged")
    func margin() {
        let counts = [[4, 0, 0], [4, 40, 50], [4, 60, 70]]
        let byType = Self.groups(counts, PartitionRule(keptMargin: .tripType)), byRegion = Self.groups(counts)
        #expect(byType?.contains { $0.count == 3 && $0.allSatisfy { $0.tripType == 0 } } == true)
        #expect(byRegion?.contains { $0.count == 3 && $0.allSatisfy { $0.tripType == 0 } } == false)
    }

    private static func partition(
        inHouse: Int, contracted: Int, unclassified: Int, _ change: (inout TripGroups.Group) -> Void = { _ in }
    ) -> ReleasePartition {
        var groups = TripGroups()
        for (sourcing, trips) in zip(Sourcing.allCases, [inHouse, contracted, unclassified]) {
            groups.add(trips, month: month) {
                $0.sourcing = sourcing
                change(&$0)
            }
        }
        return PartitionRule().partition(of: month, in: groups.tally())
    }

    @Test("With 1 to 10 in-house or contracted trips a month has one population; with none of them it has three")
    func joined() {
        for few in [(40, 10, 0), (1, 40, 20), (5, 6, 0)] {
            let found = Self.partition(inHouse: few.0, contracted: few.1, unclassified: few.2)
            #expect(found.isJoined && found.groups(of: .completed)?.count == 1 && found.groups(of: .inHouse) == nil)
        }
        let none = Self.partition(inHouse: 40, contracted: 0, unclassified: 0)
        #expect(!none.isJoined && none.groups(of: .contracted) == [] && none.groups(of: .unclassified) == [])
    }

    @Test("Fewer than 11 unclassified trips are not published")
    func unclassified() {
        let few = Self.partition(inHouse: 40, contracted: 40, unclassified: 10)
        #expect(!few.isJoined && few.populations[.unclassified] == PopulationPartition(groups: nil))
        #expect(Self.partition(inHouse: 40, contracted: 40, unclassified: 11).groups(of: .unclassified)?.count == 1)
        #expect(!Self.partition(inHouse: 5, contracted: 5, unclassified: 0).isPublished)
    }

    @Test("A measure that fewer than half of a population's trips have is not published")
    func rareMeasures() {
        var groups = TripGroups()
        groups.add(30, month: Self.month) { $0.costCents = 500 }
        groups.add(31, month: Self.month) { $0.loadedHundredths = 500 }
        let found = PartitionRule().partition(of: Self.month, in: groups.tally()).populations[.inHouse]
        #expect(found?.unpublishedMeasures == [.cost] && found?.groups?.count == 1)
    }

    @Test("A group has 11 values of each measure that is published, or none")
    func values() {
        var groups = TripGroups()
        groups.add(40, month: Self.month, region: 1) { $0.costCents = 500 }
        groups.add(20, month: Self.month, region: 2)
        groups.add(5, month: Self.month, region: 2) { $0.costCents = 500 }
        let found = PartitionRule().partition(of: Self.month, in: groups.tally()).populations[.inHouse]
        #expect(found?.unpublishedMeasures == [])
        // The five costs of region 2 are in a group with those of region 1.
        #expect(found?.groups?.contains { $0.contains(Self.leaf(1, 1)) && $0.contains(Self.leaf(2, 1)) } == true)
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
                for (population, own) in partition.sortedPopulations {
                    expectSound(own, population, tally, month)
                }
            }
        }
    }

    private func expectSound(
        _ partition: PopulationPartition, _ population: ReleasedPopulation, _ tally: KPITally, _ month: Month
    ) {
        guard let groups = partition.groups else { return }
        let all = groups.flatMap { $0 }, members = population.members
        #expect(Set(all).count == all.count)
        var trips = 0
        func count(_ leaves: [LeafScope]) -> Int {
            let sums = tally.sums(of: leaves, in: month)
            return members.reduce(0) { $0 + sums.trips(of: $1) }
        }
        for group in groups {
            #expect(count(group) >= 11)
            if case .exactly(let patients) = tally.patientCount(of: group, in: month, members) {
                #expect(patients >= 11)
            }
            trips += count(group)
            guard population.isCompleted else { continue }
            let sums = tally.completedSums(of: group, in: month, members)
            let values: [(ReleasedMeasure, Int)] = [
                (.cost, sums.costedTrips), (.loadedMiles, sums.tripsWithLoadedMiles),
                (.interval(.response), tally.intervalTotals(.response, of: group, in: month, members).used),
            ]
            for (measure, count) in values where !partition.unpublishedMeasures.contains(measure) {
                #expect(count == 0 || count >= 11)
            }
        }
        #expect(trips == count(tally.allLeaves))
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
                let found = rule.groups(leaves: leaves, trips: { trips[$0] ?? 0 }) { leaves in
                    leaves.reduce(0) { $0 + (trips[$1] ?? 0) } >= threshold
                }
                guard let groups = PopulationPartition(groups: found).groups else { continue }
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
                        // A leaf that joined may be known to be large; a small count never is.
                        let isLarge = possible.allSatisfy { $0 >= threshold }
                        #expect(isLarge || possible.isSuperset(of: 0..<threshold), "\(output) \(leaf)")
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
