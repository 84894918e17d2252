import Basics

extension KPISummaryV1 {
    /// The summary of one month, region or trip type, as `tripkpi report --month --region --type --format json` writes it:
    /// “All” in it is the choice.
    ///
    /// All of it is taken from, or computed from, the cells of this document, so it shows nothing that the document does not
    /// show. What is not of single cells stays as it is here: `dataThrough`, and `quality`, which is of the records that were
    /// read.
    ///
    /// - Parameters:
    ///   - month: one of `filters.months`.
    ///   - region: one of `filters.regions`.
    ///   - tripType: one of `filters.tripTypes`.
    /// - Throws: `notOffered` for another name; `withheld` for what the document has but does not show.
    public func filtered(
        // A default of a public function cannot name `CellKey.all`.
        month: String = "All", region: String = "All", tripType: String = "All"
    ) throws(SummaryFilterError) -> KPISummaryV1 {
        let choice = CellKey(month: month, region: region, tripType: tripType)
        if withheldMonths.contains(month) { throw .withheld }
        guard filters.months.contains(month) else { throw .notOffered(.month) }
        guard filters.regions.contains(region) else { throw .notOffered(.region) }
        guard filters.tripTypes.contains(tripType) else { throw .notOffered(.tripType) }
        guard choice != CellKey() else { return self }
        let offered = FilterOptions(
            months: filters.months, regions: choice.names(\.region, of: filters.regions, in: self),
            tripTypes: choice.names(\.tripType, of: filters.tripTypes, in: self))
        let cells = choice.cells(of: self, offered)
        guard let overall = cells.first, !overall.suppressed else { throw .withheld }
        let derived = DerivedFigures(
            cells, lastClosed: latestCompleteMonth, partialMonths: partialMonths ?? [],
            isRelease: audience == Self.releaseAudience,
            intervalEvents: intervalEvents ?? [])
        var document = self
        document.cells = cells
        document.selection = (selection ?? []) + choice.phrases
        document.dateBasis = ([dateBasis] + choice.phrases).joined(separator: "; ")
        document.take(derived)
        document.filters = offered
        document.filters.months = [CellKey.all] + derived.months
        // Months that are not asked for are not part of it.
        document.withheldMonths = ((month == CellKey.all ? withheldMonths : []) + derived.hiddenMonths).sorted()
        document.mergedGroups = mergedGroups?.filter { choice.overlaps($0.month, $0.regions, $0.tripTypes) }
        document.groups = groups?.filter { choice.overlaps($0.month, $0.regions, $0.tripTypes) }
        document.restatements = restatements?.filter { choice.hasMonth($0.month) }
        document.events = events.map { choice.events(of: $0) }
        let charts = controlCharts.map { choice.charts(of: $0, cells) }
        document.controlCharts = charts
        document.kpiCards = derived.cards(charts ?? [])
        document.headline = headline.map { _ in
            derived.headline(charts ?? [], regions: Array(document.filters.regions.dropFirst()))
        }
        document.comparisons = derived.comparisons(CellKey(region: region, tripType: tripType).months(of: self))
        document.targets = targets.flatMap { targets in
            derived.targets(regions: document.filters.regions, tripTypes: document.filters.tripTypes) {
                let key = choice.source(of: CellKey(region: $1, tripType: $2)), measure = $0
                return targets.first {
                    $0.measure == measure.name && $0.region == key.region && $0.tripType == key.tripType
                }?.targetFigure
            }
        }
        document.qualityShares?.take(derived)
        document.privacy.suppressedCells = derived.suppressedCells
        document.privacy.statement = Self.statement(
            Self.statementWithoutHeadlines(privacy.statement), withheldHeadlines: derived.withheldHeadlines)
        return document
    }

    /// The totals, which the app decodes.
    private mutating func take(_ derived: DerivedFigures) {
        totalTrips = derived.totalTrips
        avgDuration = derived.avgDuration
        inHousePercent = derived.inHousePercent
        cost = derived.cost
        months = derived.months
        chartData = derived.chartData
        if withheldHeadlines != nil { withheldHeadlines = derived.withheldHeadlines }
    }

    package static let releaseAudience = "release"

    private static let statementOfHeadlines = " Not shown overall, and given as 0: "

    /// The statement, with the app's numbers that are not shown.
    package static func statement(_ statement: String, withheldHeadlines names: [String]) -> String {
        names.isEmpty ? statement : statement + statementOfHeadlines + names.joined(separator: ", ") + "."
    }

    package static func statementWithoutHeadlines(_ statement: String) -> String {
        let words = Array(statementOfHeadlines.utf8), bytes = Array(statement.utf8)
        guard bytes.count >= words.count else { return statement }
        let start = (0...(bytes.count - words.count)).last { bytes[$0..<$0 + words.count].elementsEqual(words) }
        return start.map { String(decoding: bytes[..<$0], as: UTF8.self) } ?? statement
    }
}

/// Why a summary cannot be filtered. It repeats no value that was asked for.
public enum SummaryFilterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What a summary is filtered by.
    public enum Parameter: String, Sendable, CaseIterable {
        /// `YYYY-MM`, or `All`.
        case month
        /// A region of the filters.
        case region
        /// A trip type of the filters.
        case tripType = "type"
    }

    /// The value is not one of the summary's `filters`.
    case notOffered(Parameter)
    /// There is such a month, or there are such trips, but nothing of them is shown.
    case withheld

    /// One sentence.
    public var description: String {
        switch self {
        case .notOffered(let parameter): "The \(parameter.rawValue) is not one of the summary's filters."
        case .withheld: "What was asked for is not shown."
        }
    }
}

extension KPISummaryV1.QualityShares {
    /// Takes the shares of trips, which follow from the cells.
    package mutating func take(_ derived: DerivedFigures) {
        tripsWithCost = derived.percentWithCost
        tripsWithoutRegion = derived.percentWithoutRegion
        tripsWithoutType = derived.percentWithoutType
    }
}

/// A choice of month, region and trip type: “All” where there is none.
extension CellKey {
    /// A phrase for each choice, as reports say it.
    fileprivate var phrases: [String] {
        [("month", month), ("region", region), ("trip type", tripType)]
            .filter { $0.1 != CellKey.all }.map { "only \($0.0) \($0.1)" }
    }

    /// The cell of the whole document that a cell of the filtered one shows.
    fileprivate func source(of key: CellKey) -> CellKey {
        CellKey(
            month: key.month == CellKey.all ? month : key.month,
            region: key.region == CellKey.all ? region : key.region,
            tripType: key.tripType == CellKey.all ? tripType : key.tripType)
    }

    fileprivate func cells(of summary: KPISummaryV1, _ offered: FilterOptions) -> [KPISummaryV1.Cell] {
        let known = Dictionary(summary.cells.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return summary.cells.compactMap { cell in
            guard cell.month == CellKey.all || hasMonth(cell.month), offered.regions.contains(cell.region),
                offered.tripTypes.contains(cell.tripType), var shown = known[source(of: cell.key)]
            else { return nil }
            shown.month = cell.month
            shown.region = cell.region
            shown.tripType = cell.tripType
            return shown
        }
    }

    /// The cells of this region and trip type, by month.
    fileprivate func months(of summary: KPISummaryV1) -> [KPISummaryV1.Cell] {
        summary.cells.filter { $0.region == region && $0.tripType == tripType }
    }

    /// Charts are of all months, whichever is chosen.
    fileprivate func charts(
        of charts: [KPISummaryV1.ControlChart], _ cells: [KPISummaryV1.Cell]
    ) -> [KPISummaryV1.ControlChart] {
        var seen: Set<CellKey> = []
        let keys = cells.filter { $0.month != CellKey.all }.map { CellKey(region: $0.region, tripType: $0.tripType) }
            .filter { seen.insert($0).inserted }
        let known = Dictionary(
            charts.map { (CellKey(month: $0.measure, region: $0.region, tripType: $0.tripType), $0) },
            uniquingKeysWith: { first, _ in first })
        return keys.flatMap { key in
            let from = source(of: key)
            return KPISummaryV1.ControlChart.measures.compactMap { measure in
                var chart = known[CellKey(month: measure.name, region: from.region, tripType: from.tripType)]
                chart?.region = key.region
                chart?.tripType = key.tripType
                return chart
            }
        }
    }

    /// The region's counts are repeated under `All`. Months without counts of the region are left out.
    fileprivate func events(of events: KPISummaryV1.Events) -> KPISummaryV1.Events {
        let own = events.counts.filter { hasMonth($0.month) && (region == CellKey.all || $0.region == region) }
        guard region != CellKey.all else {
            return KPISummaryV1.Events(months: events.months.filter(hasMonth), counts: own)
        }
        let months = events.months.filter { month in own.contains { $0.month == month } }
        let counts = months.flatMap { month in
            [CellKey.all, region].flatMap { name in
                own.filter { $0.month == month }.map { count in
                    var count = count
                    count.region = name
                    return count
                }
            }
        }
        return KPISummaryV1.Events(months: months, counts: counts)
    }

    /// Unassigned is not listed for a month that has no such trips.
    fileprivate func names(
        _ part: WritableKeyPath<CellKey, String>, of offered: [String], in summary: KPISummaryV1
    ) -> [String] {
        let names = self[keyPath: part] == CellKey.all ? offered : [CellKey.all, self[keyPath: part]]
        var unassigned = CellKey(month: month)
        unassigned[keyPath: part] = CellKey.unassigned
        guard month != CellKey.all, let cell = summary.cells.first(where: { $0.key == unassigned }), cell.isEmpty
        else { return names }
        return names.filter { $0 != CellKey.unassigned }
    }

    fileprivate func hasMonth(_ other: String) -> Bool { month == CellKey.all || month == other }

    /// Whether the group may hold trips of the choice.
    fileprivate func overlaps(_ groupMonth: String, _ regions: [String], _ tripTypes: [String]) -> Bool {
        hasMonth(groupMonth)
            && zip(regions, tripTypes).contains {
                (region == CellKey.all || $0 == region) && (tripType == CellKey.all || $1 == tripType)
            }
    }
}

extension KPISummaryV1.Cell {
    /// Whether it is known to have no trip, completed or not.
    fileprivate var isEmpty: Bool {
        !suppressed && complete != false && [self.trips, self.cancelled, self.noShow].allSatisfy { $0 == 0 }
    }
}

extension KPISummaryV1 {
    /// The document without what only tables and charts of parts need: of cells the ones of all regions and trip types, no
    /// groups, and of control charts and targets those of everything. Every key is there.
    public var headlinesOnly: KPISummaryV1 {
        var document = self
        let isOfAll = { (region: String, tripType: String) in region == CellKey.all && tripType == CellKey.all }
        document.cells = cells.filter { isOfAll($0.region, $0.tripType) }
        document.mergedGroups = mergedGroups.map { _ in [] }
        document.groups = groups.map { _ in [] }
        document.controlCharts = controlCharts?.filter { isOfAll($0.region, $0.tripType) }
        document.targets = targets?.filter { isOfAll($0.region, $0.tripType) }
        return document
    }
}
