import KPIs
import Privacy
import TestSupport
import Testing
import Trips

/// Sets of a series: the same months with others before, after, or corrected meanwhile.
struct SeriesPatternTests {
    private static let january = Month(year: 2026, month: 1)
    private static let control = DisclosureControl(release: .series)

    private static func groups(months: Range<Int>, seed: UInt64) -> TripGroups {
        var groups = TripGroups()
        groups.regions = NamedList(["North", "South", "East"])
        for number in months {
            // Of each month the same trips, whatever the others.
            var random = SplitMix64(seed: seed &* 100 &+ UInt64(number))
            for region in UInt8(1)...3 {
                for tripType in UInt8(1)...2 {
                    let trips = [0, 4, 15, 30, 60, 200].randomElement(using: &random) ?? 0
                    groups.add(trips, month: january.advanced(by: number), region: region, tripType: tripType) {
                        $0.costCents = 40_000 + 100 * number
                        $0.seconds = [.duration: 3_000 + 60 * number]
                        $0.cancelled = Int.random(in: 0...20, using: &random)
                    }
                    groups.add(
                        [0, 3, 20].randomElement(using: &random) ?? 0, month: january.advanced(by: number),
                        region: region, tripType: tripType
                    ) { $0.sourcing = .contracted }
                }
            }
        }
        return groups
    }

    private static func published(_ groups: TripGroups) throws -> Publishable? {
        let withheld = control.monthsToWithhold(groups.table())
        return try? control.publish(groups.table(withholding: withheld), mode: .suppressed)
    }

    @Test("A month hides the same beside whatever other months", arguments: UInt64(1)...20)
    func monthsAreIndependent(seed: UInt64) throws {
        let all = try #require(try Self.published(Self.groups(months: 0..<6, seed: seed)))
        for first in 0..<5 {
            guard let some = try Self.published(Self.groups(months: first..<first + 2, seed: seed)) else { continue }
            for cell in some.cells where cell.scope.month != nil { #expect(all.cell(at: cell.scope) == cell) }
        }
    }

    @Test("A total over months shows a count only if each of its months shows it", arguments: UInt64(1)...20)
    func totalsSayNoMore(seed: UInt64) throws {
        let published = try #require(try Self.published(Self.groups(months: 0..<6, seed: seed)))
        let figures: [(PublishedCell) -> Int?] = [
            { $0.trips }, { $0.cancelled }, { $0.inHouse }, { $0.contracted }, { $0.costedTrips },
            { $0.totalCostCents }, { $0.inHouseCostCents }, { $0.intervals[TripInterval.duration.rawValue].used },
        ]
        var shown = 0, hidden = 0
        for cell in published.cells where cell.scope.month == nil {
            let months = published.months.compactMap { month in
                published.cell(
                    at: CellScope(month: month, region: cell.scope.region, tripType: cell.scope.tripType))
            }
            for figure in figures {
                let parts = months.map(figure)
                if let total = figure(cell) {
                    shown += 1
                    #expect(parts.reduce(0) { $0 + ($1 ?? -1_000_000_000) } == total)
                } else {
                    hidden += 1
                    #expect(parts.contains(nil))
                }
            }
        }
        #expect(shown > 0 && hidden > 0)
    }

    @Test("A mean over months of which one hides its count is rounded, or hidden where a few trips would show in it")
    func meansOfTotals() throws {
        func mean(tripsOfOthers: Int) throws -> Int? {
            var groups = TripGroups()
            for number in 0..<2 {
                groups.add(tripsOfOthers, month: Self.january.advanced(by: number)) {
                    $0.seconds = [.duration: 3_000 + 600 * number]
                }
            }
            // Two trips without a time in the first month.
            groups.add(2, month: Self.january)
            let published = try #require(try Self.published(groups))
            #expect(published.overall.interval(.duration).used == nil)
            return published.overall.interval(.duration).meanTenths
        }
        #expect(try mean(tripsOfOthers: 100_000) == 33_000)
        #expect(try mean(tripsOfOthers: 20) == nil)
    }

    @Test("The share in whole per cent stays where no sorting of the hidden trips would change it")
    func percentOfTotals() throws {
        func percent(inHouse: Int) throws -> Int? {
            var groups = TripGroups()
            groups.add(inHouse, month: Self.january)
            groups.add(inHouse / 2, month: Self.january) { $0.sourcing = .contracted }
            groups.add(3, month: Self.january) { $0.sourcing = .unclassified }
            groups.add(inHouse, month: Self.january.advanced(by: 1))
            let published = try #require(try Self.published(groups))
            #expect(published.overall.inHouse == nil && published.overall.inHouseTenThousandths == nil)
            return published.overall.inHousePercent
        }
        #expect(try percent(inHouse: 10_000) == 80)
        #expect(try percent(inHouse: 100) == nil)
    }

    @Test("Beside a month that shows its total alone, a total over months shows no mean and no share")
    func totalsBesideALonelyMonth() throws {
        var groups = TripGroups()
        groups.regions = NamedList((1...4).map { "Region \($0)" })
        // 14 trips: 12 in-house, 12 with a time, 11 with a cost.
        for (number, trips) in [5, 4, 3, 2].enumerated() {
            groups.add(trips, month: Self.january, region: UInt8(number + 1), tripType: UInt8(number % 2 + 1)) {
                $0.sourcing = number == 3 ? .contracted : .inHouse
                $0.seconds = number == 3 ? [:] : [.duration: 3_600]
                $0.costCents = number == 2 ? nil : 50_000
                $0.loadedHundredths = number == 2 ? nil : 2_000
            }
        }
        groups.add(40, month: Self.january.advanced(by: 1)) {
            $0.seconds = [.duration: 600]
            $0.costCents = 10_000
        }
        let published = try #require(try Self.published(groups))
        let month = try #require(published.cell(at: CellScope(month: Self.january)))
        #expect(month.trips == 14 && month.inHouse == nil && month.costedTrips == nil)
        #expect(month.costPerLoadedMileCents == nil)
        let overall = published.overall
        #expect(overall.trips == 54)
        #expect(overall.inHousePercent == nil && overall.costPerTripCents == nil)
        #expect(overall.interval(.duration).meanTenths == nil)
    }

    @Test("Warnings are told over months only where no month has a few")
    func warnings() throws {
        var table = Self.groups(months: 0..<3, seed: 1).table()
        table.warningsByMonth = [
            Self.january: [.badCost: 40], Self.january.advanced(by: 1): [.badTime: 20, .badCost: 3],
        ]
        let published = try Self.control.publish(table, mode: .suppressed)
        #expect(published.warnings[.badCost] == .some(nil))
        #expect(published.warnings[.badTime] == .some(20))
        #expect(try DisclosureControl().publish(table, mode: .suppressed).warnings[.badCost] == .some(43))
    }
}
