import KPIs
import Privacy
import TestSupport
import Testing
import Trips

/// What was hidden stays hidden when a month that was over is corrected.
struct EarlierPatternTests {
    private static let january = Month(year: 2026, month: 1)
    private static let control = DisclosureControl(release: .series)

    private static func publish(
        _ groups: TripGroups, after earlier: EarlierPattern = EarlierPattern()
    ) throws(DisclosureError) -> Publishable {
        let table = groups.table()
        return try control.publish(table, by: control.pattern(of: table, earlier: earlier))
    }

    private static func hidden(in sets: Publishable...) -> EarlierPattern {
        var earlier = EarlierPattern()
        for published in sets { add(published, to: &earlier) }
        return earlier
    }

    private static func add(_ published: Publishable, to earlier: inout EarlierPattern) {
        for month in published.months {
            guard let trips = published.cell(at: CellScope(month: month))?.trips else { continue }
            var parts: [CellScope: HiddenParts] = [:]
            var counts: [CellScope: PublishedCounts] = [:]
            for cell in published.cells where cell.scope.month == month {
                var hidden: HiddenParts = cell.suppressed ? .whole : []
                func note(_ part: HiddenParts, if isMissing: Bool) {
                    if !cell.suppressed && isMissing { hidden.insert(part) }
                }
                note(.sourcing, if: cell.sourcingSuppressed)
                note(.cancelled, if: cell.cancelled == nil)
                note(.noShow, if: cell.noShow == nil)
                note(.totalCost, if: cell.totalCostCents == nil)
                note(.costSplit, if: cell.inHouseCostCents == nil)
                note(.costedTrips, if: cell.costedTrips == nil)
                note(.costPerTrip, if: cell.costPerTripCents == nil && cell.costedTrips != 0)
                for interval in TripInterval.allCases {
                    let statistics = cell.intervals[interval.rawValue]
                    note(.counts(of: interval), if: statistics.used == nil)
                    note(.mean(of: interval), if: statistics.meanTenths == nil && statistics.used != 0)
                }
                parts[cell.scope] = hidden
                counts[cell.scope] = PublishedCounts(
                    trips: cell.trips, cancelled: cell.cancelled, noShow: cell.noShow, bySourcing: nil,
                    costedTrips: cell.costedTrips, totalCostCents: cell.totalCostCents,
                    used: cell.intervals.map(\.used))
            }
            earlier.add(month, trips: trips, parts: parts, counts: counts)
        }
    }

    private static func towns(_ trips: [Int], tripTypes: Int = 2, cancelled: [Int] = []) -> TripGroups {
        var groups = TripGroups()
        groups.tripTypes = NamedList((0..<tripTypes).map { "Type \($0)" })
        groups.regions = NamedList(trips.indices.map { "Region \($0)" })
        for (number, trips) in trips.enumerated() {
            groups.add(trips, month: january, region: UInt8(number + 1)) {
                if cancelled.indices.contains(number) { $0.cancelled = cancelled[number] }
            }
        }
        return groups
    }

    @Test("A cell that was hidden for another one's sake stays hidden when that one grows")
    func partnerStaysHidden() throws {
        let before = try Self.publish(Self.towns([20, 5, 60]))
        let after = Self.towns([20, 12, 60])
        let partner = CellScope(month: Self.january, region: 1), small = CellScope(month: Self.january, region: 2)
        #expect(before.cell(at: partner)?.suppressed == true && before.cell(at: small)?.suppressed == true)
        // Decided anew, both would be shown: 85 - 60 - 20 were 5.
        #expect(try Self.publish(after).suppressedCells == 0)
        let published = try Self.publish(after, after: Self.hidden(in: before))
        #expect(published.cell(at: partner)?.suppressed == true && published.cell(at: small)?.suppressed == true)
        #expect(published.cell(at: CellScope(month: Self.january, region: 3))?.trips == 60)
        #expect(published.overall.trips == 92)
    }

    @Test("A cell that has become 0 is shown as 0, and what was hidden beside it finds another partner")
    func zeroIsShown() throws {
        let before = try Self.publish(Self.towns([20, 5, 60]))
        let published = try Self.publish(Self.towns([20, 0, 60]), after: Self.hidden(in: before))
        #expect(published.cell(at: CellScope(month: Self.january, region: 2))?.trips == 0)
        #expect(published.cell(at: CellScope(month: Self.january, region: 1))?.suppressed == true)
        #expect(published.cell(at: CellScope(month: Self.january, region: 3))?.suppressed == true)
    }

    @Test("Two sets that hide all cells only together do not hide what is 0 now")
    func zeroIsShownAfterTwoSets() throws {
        let groups = Self.towns([20, 0, 5], tripTypes: 1), region = CellScope(month: Self.january, region: 2)
        let before = try Self.publish(Self.towns([20, 5, 60], tripTypes: 1))
        let first = try Self.publish(groups, after: Self.hidden(in: before))
        #expect(first.cell(at: region)?.trips == 0)
        let second = try Self.publish(groups, after: Self.hidden(in: first, before))
        #expect(second.cell(at: region)?.trips == 0 && Self.different(first, second) == [])
    }

    @Test("Where the total is shown alone, what is 0 in it now is shown as 0, at once and again")
    func zeroOfATotalAlone() throws {
        let before = try Self.publish(Self.towns([9, 4], tripTypes: 1, cancelled: [2, 3]))
        let total = CellScope(month: Self.january)
        #expect(before.cell(at: total)?.trips == 13 && before.cell(at: total)?.cancelled == nil)
        let groups = Self.towns([9, 4], tripTypes: 1)
        let first = try Self.publish(groups, after: Self.hidden(in: before))
        #expect(first.cell(at: total)?.cancelled == 0)
        let second = try Self.publish(groups, after: Self.hidden(in: first, before))
        #expect(Self.different(first, second) == [])
    }

    @Test("A month that showed its total alone can lose all its trips")
    func totalAloneBecomesZero() throws {
        let before = try Self.publish(Self.towns([9, 4], tripTypes: 1))
        var groups = Self.towns([0, 0], tripTypes: 1, cancelled: [9, 4])
        groups.add(60, month: Self.january.advanced(by: 1), region: 1)
        let published = try Self.publish(groups, after: Self.hidden(in: before))
        #expect(published.cell(at: CellScope(month: Self.january))?.trips == 0)
        #expect(published.cell(at: CellScope(month: Self.january, region: 1))?.trips == 0)
        #expect(published.cell(at: CellScope(month: Self.january, region: 1))?.cancelled == nil)
    }

    @Test("A month of which most trips have come since is decided anew")
    func incompleteMonth() throws {
        let before = try Self.publish(Self.towns([20, 5, 60]))
        let later = Self.towns([80, 40, 160])
        #expect(try Self.publish(later, after: Self.hidden(in: before)).suppressedCells == 0)
        let almost = Self.towns([40, 29, 100])
        #expect(try Self.publish(almost, after: Self.hidden(in: before)).suppressedCells > 0)
    }

    @Test("A month that is decided anew hides no cell that readers know already")
    func knownCellsStayShown() throws {
        func groups(_ trips: [[Int]]) -> TripGroups {
            var groups = TripGroups()
            groups.regions = NamedList(["A", "B", "C"])
            for (region, trips) in trips.enumerated() {
                for (tripType, trips) in trips.enumerated() {
                    groups.add(trips, month: Self.january, region: UInt8(region + 1), tripType: UInt8(tripType + 1))
                }
            }
            return groups
        }
        let before = try Self.publish(groups([[5, 30], [12, 14], [20, 25]]))
        let known = CellScope(month: Self.january, region: 3, tripType: 1)
        #expect(before.cell(at: known)?.trips == 20)
        // B's late export doubles the month.
        let after = groups([[5, 30], [150, 200], [20, 25]])
        #expect(try Self.publish(after).cell(at: known)?.suppressed == true)
        let published = try Self.publish(after, after: Self.hidden(in: before))
        #expect(published.cell(at: known)?.trips == 20)
        #expect(published.cell(at: CellScope(month: Self.january, region: 1, tripType: 1))?.suppressed == true)
        #expect(published.cell(at: CellScope(month: Self.january, region: 2, tripType: 1))?.suppressed == true)
    }

    @Test("The same trips say the same again, totals over months too", arguments: UInt64(1)...200)
    func sameAgain(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let groups = Self.random(&random)
        guard let first = try? Self.publish(groups) else { return }
        let second = try Self.publish(groups, after: Self.hidden(in: first))
        #expect(Self.different(first, second) == [])
        let third = try Self.publish(groups, after: Self.hidden(in: second))
        #expect(Self.different(first, third) == [])
    }

    private static func different(_ one: Publishable, _ other: Publishable) -> [CellScope] {
        zip(one.cells, other.cells).filter { $0 != $1 }.map(\.0.scope)
    }

    @Test("A month that showed its total alone hides its zeros again")
    func totalAloneAgain() throws {
        let groups = Self.towns([9, 0, 4])
        let first = try Self.publish(groups)
        #expect(first.overall.trips == 13 && first.suppressedCells == 8)
        let second = try Self.publish(groups, after: Self.hidden(in: first))
        #expect(Self.different(first, second) == [])
    }

    @Test("Whatever is corrected, nothing that was hidden is shown", arguments: UInt64(1)...40)
    func staysHidden(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var groups = Self.random(&random)
        var earlier = EarlierPattern()
        for _ in 0..<4 {
            guard let published = try? Self.publish(groups, after: earlier) else { return }
            earlier = Self.hidden(in: published)
            for index in groups.groups.indices where Int.random(in: 0..<3, using: &random) == 0 {
                let change = Int.random(in: -6...9, using: &random)
                groups.groups[index].trips = max(0, groups.groups[index].trips + change)
                groups.groups[index].cancelled += Int.random(in: 0...3, using: &random)
            }
            guard let next = try? Self.publish(groups, after: earlier) else { return }
            for (before, after) in zip(published.cells, next.cells) where after.scope.month != nil {
                #expect(before.scope == after.scope)
                if before.suppressed { #expect(after.suppressed || after.trips == 0) }
                if before.sourcingSuppressed { #expect(after.sourcingSuppressed || after.trips == 0) }
                if before.cancelled == nil { #expect(after.cancelled == nil || after.cancelled == 0) }
            }
        }
    }

    private static func random(_ random: inout SplitMix64) -> TripGroups {
        var groups = TripGroups()
        groups.regions = NamedList(["North", "South", "East"])
        for number in 0..<2 {
            for region in UInt8(1)...3 {
                for tripType in UInt8(1)...2 {
                    for sourcing in Sourcing.allCases {
                        groups.add(
                            [1, 4, 9, 15, 30, 60].randomElement(using: &random) ?? 1,
                            month: january.advanced(by: number), region: region, tripType: tripType
                        ) {
                            $0.sourcing = sourcing
                            $0.cancelled = Int.random(in: 0...9, using: &random)
                            $0.costCents = Bool.random(using: &random) ? 30_000 : nil
                            $0.seconds = Bool.random(using: &random) ? [.duration: 1_800] : [:]
                        }
                    }
                }
            }
        }
        return groups
    }
}
