import KPIs
import Privacy
import TestSupport
import Testing
import Trips

/// Costs that are nearly one provider's are hidden, with what they could be computed from.
struct CostDominanceTests {
    private static let january = Month(year: 2026, month: 1)
    private static let percent = 80
    private static let control = DisclosureControl(release: .series, costDominance: CostDominance(percent: percent))

    /// Costs of January by provider, all in one leaf, with trips enough.
    private static func groups(_ dollarsByProvider: [Int32?: Int]) -> TripGroups {
        var groups = TripGroups()
        for (provider, dollars) in dollarsByProvider {
            groups.add(20, month: january) {
                $0.sourcing = .contracted
                $0.costCents = dollars * 5
                $0.loadedHundredths = 1_000
                $0.provider = provider
            }
        }
        return groups
    }

    private static func month(_ table: KPITable, _ control: DisclosureControl = control) throws -> PublishedCell {
        try #require(try control.publish(table, mode: .suppressed).cell(at: CellScope(month: january)))
    }

    private static func costs(of cell: PublishedCell) -> [Int?] {
        [
            cell.totalCostCents, cell.inHouseCostCents, cell.contractedCostCents, cell.costPerTripCents,
            cell.costPerLoadedMileCents,
        ]
    }

    @Test(
        "A cell's costs go where one provider has the share, or one or two have all; nothing else of it goes",
        arguments: [
            ([1: 799, 2: 101, 3: 100], false), ([1: 800, 2: 100, 3: 100], true), ([1: 500, 2: 500], true),
            ([1: 1000], true), ([1: 300, 2: 300, 3: 400], false),
            // What is not known whose may be the largest's, and is nobody.
            ([1: 300, 2: 300, nil: 400], true), ([1: 400, 2: 150, 3: 150, nil: 300], false),
            ([1: 500, 2: 100, 3: 100, nil: 300], true), ([nil: 1000], true),
            // A credit is as large as a bill, and who has no cost is nobody.
            ([1: 300, 2: 300, 3: -300], false), ([1: 900, 2: 50, 3: -50], true), ([1: 300, 2: 300, 3: 0], true),
        ] as [([Int32?: Int], Bool)])
    func rule(dollars: [Int32?: Int], isHidden: Bool) throws {
        let cell = try Self.month(Self.groups(dollars).tableWithContributors())
        #expect(Self.costs(of: cell).allSatisfy { ($0 == nil) == isHidden })
        #expect(cell.trips == 20 * dollars.count && cell.costedTrips == cell.trips && cell.contracted == cell.trips)
        #expect(cell.loadedTenths == 20 * dollars.count * 100)
        let off = try Self.month(Self.groups(dollars).tableWithContributors(), DisclosureControl(release: .series))
        #expect(Self.costs(of: off).allSatisfy { $0 != nil })
    }

    @Test("What the health system has in-house is no secret of it, and hides nobody else's")
    func inHouse() throws {
        var groups = TripGroups()
        groups.add(500, month: Self.january) { $0.costCents = 40_000 }
        #expect(try Self.month(groups.tableWithContributors()).totalCostCents == 20_000_000)
        groups.add(50, month: Self.january) {
            $0.sourcing = .contracted
            $0.costCents = 40_000
            $0.provider = 7
        }
        #expect(Self.costs(of: try Self.month(groups.tableWithContributors())).allSatisfy { $0 == nil })
    }

    @Test("The cost of a mile is one provider's where only its trips have miles")
    func miles() throws {
        var groups = Self.groups([1: 300, 2: 300, 3: 300])
        for index in groups.groups.indices where groups.groups[index].provider != 2 {
            groups.groups[index].loadedHundredths = nil
        }
        let cell = try Self.month(groups.tableWithContributors())
        #expect(cell.costPerLoadedMileCents == nil && cell.loadedTenths != nil && cell.costPerTripCents != nil)
    }

    @Test("The split is hidden where the total is not one provider's, but a class of it is")
    func classes() throws {
        var groups = Self.groups([1: 300, 2: 300, 3: 300])
        #expect(try Self.month(groups.tableWithContributors()).contractedCostCents != nil)
        groups.groups[0].sourcing = .unclassified
        groups.add(20, month: Self.january) { $0.costCents = 700 }
        let cell = try Self.month(groups.tableWithContributors())
        #expect(cell.totalCostCents != nil && cell.costPerTripCents != nil)
        #expect(cell.inHouseCostCents == nil && cell.contractedCostCents == nil)
    }

    @Test("Where it is not known who has costs, or they are others than the cell's, all cells hide theirs")
    func unknownContributors() throws {
        var groups = Self.groups([1: 300, 2: 300, 3: 300])
        groups.add(40, month: Self.january, region: 2) { $0.costCents = 10_000 }
        for release in [Release.single, .series] {
            let control = DisclosureControl(release: release, costDominance: CostDominance(percent: 80))
            var wrong = groups.tableWithContributors()
            for index in wrong.cells.indices where wrong.cells[index].costContributors != nil {
                wrong.cells[index].costContributors?.add(
                    provider: 4, sourcing: .contracted, cents: 1, centsWithLoadedMiles: 0)
            }
            for table in [groups.table(), wrong] {
                let published = try control.publish(table, mode: .suppressed)
                for cell in published.cells where cell.contracted != 0 {
                    #expect(Self.costs(of: cell).allSatisfy { $0 == nil })
                }
                let inHouse = try #require(published.cell(at: CellScope(month: Self.january, region: 2)))
                #expect(inHouse.totalCostCents == 400_000)
                #expect(try control.publish(table, mode: .internalUse).overall.totalCostCents != nil)
            }
        }
    }

    @Test("A total over months shows no cost, nor a mean, where one of its months hides it")
    func totalsOverMonths() throws {
        var groups = Self.groups([1: 300, 2: 300, 3: 300])
        groups.add(50, month: Self.january.advanced(by: 1)) {
            $0.sourcing = .contracted
            $0.costCents = 20_000
            $0.loadedHundredths = 1_000
            $0.provider = 1
        }
        let published = try Self.control.publish(groups.tableWithContributors(), mode: .suppressed)
        #expect(Self.costs(of: published.overall).allSatisfy { $0 == nil })
        #expect(published.overall.costedTrips == 110)
        #expect(try Self.month(groups.tableWithContributors()).totalCostCents == 90_000)
        #expect(published.costDominancePercent == Self.percent)
    }

    // MARK: - Laws

    /// A month of three regions and three types, whose leaves have few providers each.
    private static func randomMonth(_ random: inout SplitMix64) -> TripGroups {
        var groups = TripGroups()
        groups.regions = NamedList(["North", "South", "East"])
        groups.tripTypes = NamedList(["Emergency", "Routine", "Transfer"])
        let providers = Int32.random(in: 3...8, using: &random)
        for region in UInt8(1)...3 {
            // One serves most of a region, or each type.
            let own = Int32.random(in: 1...providers, using: &random)
            for tripType in UInt8(1)...3 {
                let others = [0, 0, 1, 2, 4].randomElement(using: &random) ?? 0
                for number in 0...others where Int.random(in: 0..<10, using: &random) > 0 {
                    groups.add(20, month: january, region: region, tripType: tripType) {
                        $0.sourcing = Int.random(in: 0..<12, using: &random) == 0 ? .unclassified : .contracted
                        let most = [20, 200, 2_000].randomElement(using: &random) ?? 1
                        $0.costCents = Int.random(in: 1...most, using: &random) * 997
                        $0.provider = number == 0 ? own : Int32.random(in: 1...providers, using: &random)
                    }
                }
            }
        }
        groups.add(20, month: january, region: 1, tripType: 1) { $0.costCents = 5_000 }
        return groups
    }

    /// Sums of leaves that the rule would hide, and that can be computed from the costs shown.
    private static func exposed(_ published: Publishable, _ table: KPITable) -> [[CellScope]] {
        let leaves = table.cells.filter { cell in
            let scope = cell.scope
            return scope.month != nil && scope.region != nil && scope.tripType != nil && hasOthers(cell)
        }
        var known = RowSpace(columns: leaves.count)
        for cell in published.cells where cell.scope.month != nil {
            guard costs(of: cell).prefix(4).contains(where: { $0 != nil }) else { continue }
            known.add(
                leaves.map { leaf in
                    (cell.scope.region ?? leaf.scope.region) == leaf.scope.region
                        && (cell.scope.tripType ?? leaf.scope.tripType) == leaf.scope.tripType ? 1 : 0
                })
        }
        return (1..<1 << leaves.count).compactMap { subset in
            let isIn = leaves.indices.map { subset >> $0 & 1 }
            guard known.contains(isIn) else { return nil }
            let parts = zip(leaves, isIn).filter { $0.1 == 1 }.map(\.0)
            var contributors = CostContributors()
            for part in parts { contributors.merge(part.costContributors ?? CostContributors()) }
            return contributors.all.isDominated(percent: percent) ? parts.map(\.scope) : nil
        }
    }

    @Test("No sum of cells that the rule would hide can be computed from the costs shown", arguments: UInt64(1)...12)
    func nothingCanBeComputed(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            let table = Self.randomMonth(&random).tableWithContributors()
            let published = try Self.control.publish(table, mode: .suppressed)
            #expect(Self.exposed(published, table) == [], "\(seed)")
        }
    }

    @Test("The law has teeth: where only the cells that the rule is about are hidden, such sums can be computed")
    func teeth() throws {
        let control = DisclosureControl(
            release: .series, costDominance: CostDominance(percent: Self.percent), isComplementary: false)
        var random = SplitMix64(seed: 4)
        let broken = try (0..<30).count { _ in
            let table = Self.randomMonth(&random).tableWithContributors()
            return try !Self.exposed(control.publish(table, mode: .suppressed), table).isEmpty
        }
        #expect(broken > 15, "\(broken)")
    }

    @Test("What the rule is about is hidden, and of the rest most is shown, of months most of all")
    func utility() throws {
        var random = SplitMix64(seed: 5)
        var shown = 0, allowed = 0, months = 0
        for _ in 0..<100 {
            let table = Self.randomMonth(&random).tableWithContributors()
            let published = try Self.control.publish(table, mode: .suppressed)
            for (cell, truth) in zip(published.cells, table.cells)
            where cell.scope.month != nil && Self.hasOthers(truth) {
                if truth.costContributors?.all.isDominated(percent: Self.percent) == true {
                    #expect(Self.costs(of: cell).allSatisfy { $0 == nil })
                } else {
                    allowed += 1
                    if cell.totalCostCents != nil { shown += 1 }
                }
            }
            if try #require(published.cell(at: CellScope(month: Self.january))).totalCostCents != nil { months += 1 }
        }
        #expect(shown * 3 > allowed, "\(shown) of \(allowed)")
        #expect(months > 60, "\(months)")
    }

    private static func hasOthers(_ cell: KPICell) -> Bool {
        cell.sums.costedTripsBySourcing.contracted + cell.sums.costedTripsBySourcing.unclassified > 0
    }
}

/// Which sums follow from known ones, exactly: over the numbers modulo a prime that no minor of so small a matrix of 0 and
/// 1 reaches.
private struct RowSpace {
    private static let prime = 1_000_003
    private let columns: Int
    private var basis: [(pivot: Int, row: [Int])] = []

    init(columns: Int) {
        self.columns = columns
    }

    mutating func add(_ row: [Int]) {
        let rest = reduced(row)
        guard let pivot = rest.firstIndex(where: { $0 != 0 }) else { return }
        let inverse = Self.power(rest[pivot], Self.prime - 2)
        basis.append((pivot, rest.map { $0 * inverse % Self.prime }))
    }

    func contains(_ row: [Int]) -> Bool { reduced(row).allSatisfy { $0 == 0 } }

    private func reduced(_ row: [Int]) -> [Int] {
        var row = row
        for (pivot, other) in basis where row[pivot] != 0 {
            let factor = Self.prime - row[pivot]
            for column in 0..<columns { row[column] = (row[column] + factor * other[column]) % Self.prime }
        }
        return row
    }

    private static func power(_ base: Int, _ exponent: Int) -> Int {
        var result = 1, base = base, exponent = exponent
        while exponent > 0 {
            if exponent & 1 == 1 { result = result * base % prime }
            base = base * base % prime
            exponent >>= 1
        }
        return result
    }
}
