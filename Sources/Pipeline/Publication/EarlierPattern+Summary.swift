import KPIContract
import KPIs
import Privacy
import Reports
import Trips

extension EarlierPattern {
    private static let all = "All"

    /// Adds what a published set hides of months that were over.
    ///
    /// - Parameters:
    ///   - regions: the store's list. A cell of a name that it no longer has is gone.
    ///   - tripTypes: in the same way.
    mutating func add(_ summary: KPISummaryV1, regions: NamedList, tripTypes: NamedList) {
        guard let running = Self.runningMonth(summary) else { return }
        let cells = Dictionary(grouping: summary.cells, by: \.month)
        for (text, cells) in cells {
            guard let month = Month(text), month < running,
                let trips = cells.first(where: { $0.region == Self.all && $0.tripType == Self.all })?.trips
            else { continue }
            var parts: [CellScope: HiddenParts] = [:]
            var counts: [CellScope: PublishedCounts] = [:]
            for cell in cells {
                let region = regions.code(of: cell.region), tripType = tripTypes.code(of: cell.tripType)
                guard region != nil || cell.region == Self.all, tripType != nil || cell.tripType == Self.all else {
                    continue
                }
                let scope = CellScope(month: month, region: region, tripType: tripType)
                parts[scope] = HiddenParts(cell)
                counts[scope] = PublishedCounts(cell)
            }
            add(month, trips: trips, parts: parts, counts: counts)
        }
    }

    /// As the set had it: of the months that it kept back, too.
    private static func runningMonth(_ summary: KPISummaryV1) -> Month? {
        let newestDay = summary.dataThrough.flatMap { CivilDay($0) }
        let known =
            (summary.months + summary.withheldMonths).compactMap { Month($0) } + [newestDay?.month].compactMap(\.self)
        guard let made = CivilDay(String(summary.generatedAt.prefix(10))) else { return known.max() }
        return RunningMonth.first(
            of: known, newestDay: { month in newestDay.flatMap { $0.month == month ? $0 : nil } }, on: made)
    }
}

extension PublishedCounts {
    fileprivate init(_ cell: KPISummaryV1.Cell) {
        var bySourcing: SourcingTriple?
        if let inHouse = cell.inHouse, let contracted = cell.contracted, let unclassified = cell.unclassified {
            var triple = SourcingTriple()
            triple.inHouse = inHouse
            triple.contracted = contracted
            triple.unclassified = unclassified
            bySourcing = triple
        }
        self.init(
            trips: cell.trips, cancelled: cell.cancelled, noShow: cell.noShow, bySourcing: bySourcing,
            costedTrips: cell.costedTrips, totalCostCents: cell.totalCost?.cents,
            used: TripInterval.allCases.map { cell[$0].used })
    }
}

extension HiddenParts {
    /// What a published cell does not show. A mean over a count of 0 has no value; it is not hidden.
    fileprivate init(_ cell: KPISummaryV1.Cell) {
        if cell.suppressed {
            self = .whole
            return
        }
        self = []
        func note(_ part: HiddenParts, if isMissing: Bool) { if isMissing { insert(part) } }
        note(.cancelled, if: cell.cancelled == nil)
        note(.noShow, if: cell.noShow == nil)
        note(.sourcing, if: cell.sourcingSuppressed)
        note(.totalCost, if: cell.totalCost == nil)
        note(.costSplit, if: cell.inHouseCost == nil || cell.contractedCost == nil)
        note(.costedTrips, if: cell.costedTrips == nil)
        note(.costPerTrip, if: cell.costPerTrip == nil && cell.costedTrips != 0)
        note(.loadedMiles, if: cell.loadedMiles == nil)
        note(.unloadedMiles, if: cell.unloadedMiles == nil)
        note(
            .costPerLoadedMile,
            if: cell.costPerLoadedMile == nil && cell.costedTrips != 0 && cell.loadedMiles?.tenths != 0)
        for interval in TripInterval.allCases {
            let statistics = cell[interval]
            note(.counts(of: interval), if: statistics.used == nil)
            note(.mean(of: interval), if: statistics.mean == nil && statistics.used != 0)
            note(.percentiles(of: interval), if: statistics.p50 == nil && statistics.used != 0)
        }
    }
}
