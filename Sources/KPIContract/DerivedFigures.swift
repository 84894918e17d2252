import Basics

/// What a summary says of its cells: totals, cards, comparisons, targets, sentences.
///
/// A report and a summary that is filtered say it with this code alone, so that they agree.
package struct DerivedFigures: Sendable {
    /// The first is over everything.
    package let cells: [KPISummaryV1.Cell]
    package let intervalEvents: [KPISummaryV1.IntervalEvents]
    private let isRelease: Bool
    /// Those of all regions and trip types by month.
    private let totals: [String: KPISummaryV1.Cell]
    /// All with cells, ascending.
    private let allMonths: [Month]
    private let lastClosed: Month?
    private let partialMonths: Set<String>
    private let latestComplete: Month?

    /// - Parameters:
    ///   - cells: of the contract.
    ///   - lastClosed: later months are under way; nil: none is over.
    ///   - partialMonths: months that lack days.
    ///   - intervalEvents: of the contract.
    package init(
        _ cells: [KPISummaryV1.Cell], lastClosed: String?, partialMonths: [String], isRelease: Bool,
        intervalEvents: [KPISummaryV1.IntervalEvents]
    ) {
        self.cells = cells
        self.intervalEvents = intervalEvents
        self.isRelease = isRelease
        self.lastClosed = lastClosed.flatMap(Month.init)
        self.partialMonths = Set(partialMonths)
        latestComplete = HeadlineSentences.latestMonth(
            cells.filter { !partialMonths.contains($0.month) }, lastClosed: self.lastClosed)
        let ofAll = cells.filter { $0.region == CellKey.all && $0.tripType == CellKey.all }
        totals = Dictionary(ofAll.map { ($0.month, $0) }, uniquingKeysWith: { first, _ in first })
        allMonths = totals.keys.compactMap(Month.init).sorted()
    }

    private var overall: KPISummaryV1.Cell? { cells.first }
    private var shown: [Month] { allMonths.filter { totals[$0.description]?.suppressed == false } }

    /// Months whose total is shown.
    package var months: [String] { shown.map(\.description) }

    /// Months whose total is hidden.
    package var hiddenMonths: [String] {
        allMonths.filter { totals[$0.description]?.suppressed != false }.map(\.description)
    }

    package var totalTrips: Int { overall?.trips ?? 0 }
    package var avgDuration: Tenths { overall?.duration.mean ?? Tenths(tenths: 0) }
    package var inHousePercent: Int { overall?.inHousePercent ?? 0 }
    package var cost: Cents { overall?.costPerTrip ?? Cents(cents: 0) }
    package var chartData: [Double] { shown.map { Double(totals[$0.description]?.trips ?? 0) } }
    package var suppressedCells: Int { cells.count(where: \.suppressed) }

    /// The last month that is over and whole, and whose total is shown.
    package var latestCompleteMonth: String? { latestComplete?.description }

    /// Which of the app's own numbers are 0 because they are hidden. A mean over none is no secret: only what has a value and
    /// may not be shown is withheld.
    package var withheldHeadlines: [String] {
        let headlines = [
            ("avgDuration", Measure.durationMean), ("inHousePercent", .inHousePercent), ("cost", .costPerTrip),
        ]
        return headlines.filter { _, measure in
            guard let overall else { return false }
            return overall[measure] == nil && !measure.kpi.isNone(overall)
        }.map(\.0)
    }

    /// Those that may be compared: without the months that lack days.
    private var wholeCells: [KPISummaryV1.Cell] { cells.filter { !partialMonths.contains($0.month) } }

    package func cards(_ charts: [KPISummaryV1.ControlChart]) -> [KPISummaryV1.KPICard] {
        CardPlan.all(allMonths, intervalEvents).compactMap {
            $0.card(cells, latest: latestComplete, months: shown, partial: partialMonths, charts)
        }
    }

    /// - Parameter regions: in the order in which they are named.
    package func headline(
        _ charts: [KPISummaryV1.ControlChart], regions: [String]
    ) -> KPISummaryV1.Headline {
        HeadlineSentences.of(wholeCells, charts, month: latestComplete, regions: regions, isRelease: isRelease)
    }
}

extension DerivedFigures {
    /// Each month's total against earlier ones. A figure is nil as soon as one of the months it is made of is hidden, not
    /// in the data, or leaves out trips: a sum with a gap in it is not that sum, and different trips are not compared. A month
    /// under way is not compared with a whole one, and is no twelfth month of a sum; one that lacks days is in neither.
    ///
    /// - Parameter history: cells of the same regions and trip types; it begins before the months of the document.
    package func comparisons(_ history: [KPISummaryV1.Cell]) -> [KPISummaryV1.Comparison] {
        let known = Dictionary(history.map { ($0.month, $0) }, uniquingKeysWith: { first, _ in first })
        let whole = { (at: Month) in
            known[at.description].flatMap { $0.complete != false && !partialMonths.contains($0.month) ? $0 : nil }
        }
        let trips = { (at: Month) in whole(at)?.trips }
        let cost = { (at: Month) in
            whole(at).flatMap { cell in
                // Trips without any cost have an unknown cost, and not one of 0.
                (cell.incompleteMeasures ?? []).contains("cost") || cell.trips ?? 0 > 0 && cell.costedTrips == 0
                    ? nil : cell.totalCost?.cents
            }
        }
        return allMonths.map { month in
            let isWhole = whole(month) != nil
            let isOver = lastClosed.map { month <= $0 } ?? false
            let rolling = (-11...0).map { month.advanced(by: $0) }
            // October is the first month of the federal fiscal year.
            let toDate = (-((month.month + 2) % 12)...0).map { month.advanced(by: $0) }
            let before = isWhole ? trips(month.advanced(by: -1)) : nil
            let yearBefore = isWhole ? trips(month.advanced(by: -12)) : nil
            return KPISummaryV1.Comparison(
                month: month.description, region: CellKey.all, tripType: CellKey.all,
                trips: known[month.description].flatMap { $0.complete == false ? nil : $0.trips },
                previousMonthTrips: before, previousYearTrips: yearBefore,
                monthOverMonth: isOver ? Self.change(from: before, to: trips(month)) : nil,
                yearOverYear: isOver ? Self.change(from: yearBefore, to: trips(month)) : nil,
                rolling12Trips: isOver ? Self.sum(rolling, trips) : nil,
                rolling12Cost: isOver ? Self.sum(rolling, cost).map(Cents.init(cents:)) : nil,
                fiscalYear: month.fiscalYear, fiscalYearToDateTrips: Self.sum(toDate, trips),
                fiscalYearToDateCost: Self.sum(toDate, cost).map(Cents.init(cents:)))
        }
    }

    /// The change as a share of the earlier figure; nil from 0.
    private static func change(from earlier: Int?, to later: Int?) -> Share? {
        guard let earlier, let later else { return nil }
        return Share(later - earlier, of: earlier)
    }

    private static func sum(_ months: [Month], _ value: (Month) -> Int?) -> Int? {
        var total = 0
        for month in months {
            guard let figure = value(month) else { return nil }
            total += figure
        }
        return total
    }
}

extension DerivedFigures {
    /// How targets were met; nil if no measure, region and trip type of the document has one.
    ///
    /// - Parameters:
    ///   - regions: as the document's filters name them, `All` included.
    ///   - tripTypes: likewise.
    ///   - target: of a measure, region and trip type, in the measure's smallest unit; nil: there is none.
    package func targets(
        regions: [String], tripTypes: [String],
        _ target: (_ measure: Measure, _ region: String, _ tripType: String) -> Int?
    ) -> [KPISummaryV1.Target]? {
        var complete: [CellKey: [KPISummaryV1.Cell]] = [:]
        for cell in cells {
            guard let latest = latestComplete, let month = Month(cell.month), month <= latest,
                !partialMonths.contains(cell.month)
            else { continue }
            complete[CellKey(region: cell.region, tripType: cell.tripType), default: []].append(cell)
        }
        let own = KPICatalog.measures(MeasureTarget.measures).flatMap { kpi in
            regions.flatMap { region in
                tripTypes.compactMap { type in
                    target(kpi.measure, region, type).map { figure in
                        met(
                            figure, kpi, complete[CellKey(region: region, tripType: type)] ?? [], region: region,
                            tripType: type)
                    }
                }
            }
        }
        return own.isEmpty ? nil : own
    }

    private func met(
        _ target: Int, _ kpi: KPIDescription, _ cells: [KPISummaryV1.Cell], region: String, tripType: String
    ) -> KPISummaryV1.Target {
        let figures = cells.compactMap { cell -> (month: String, figure: Int)? in
            guard kpi.coverage(cell) == .all, kpi.hasEnoughTrips(cell), let figure = kpi.figure(cell) else {
                return nil
            }
            // A rounded figure this near does not say on which side of the target the exact one is.
            if isRelease, kpi.isRoundedInRelease, abs(figure - target) <= KPIDescription.releaseStepSeconds / 2 {
                return nil
            }
            return (cell.month, figure)
        }
        let written = { (figure: Int) in Double(figure) / Double(kpi.format.unitsPerOne) }
        return KPISummaryV1.Target(
            measure: kpi.name, region: region, tripType: tripType, target: written(target),
            monthCount: figures.count,
            monthsMet: figures.count { kpi.better == .higher ? $0.figure >= target : $0.figure <= target },
            gap: figures.first { $0.month == latestCompleteMonth }.map { written($0.figure - target) })
    }
}

extension KPIDescription {
    /// Whether a share, mean or percentile is of at least 11 trips.
    package func hasEnoughTrips(_ cell: KPISummaryV1.Cell) -> Bool {
        guard let counts = countedTrips else { return true }
        // A count that is not published belongs to a figure that is: of at least 11.
        return counts.reduce(0) { $0 + (cell[$1] ?? MinimumCell.standard) }
            >= MinimumCell.standard
    }
}

extension DerivedFigures {
    /// Trips that have a cost, in whole per cent; nil where the cost leaves out trips.
    package var percentWithCost: Int? {
        guard let overall, let trips = overall.trips, let costed = overall.costedTrips,
            !Measure.costedTrips.kpi.coverage(overall).isIncomplete
        else { return nil }
        return Self.percent(costed, of: trips)
    }

    package var percentWithoutRegion: Int? { percentUnassigned(\.region) }
    package var percentWithoutType: Int? { percentUnassigned(\.tripType) }

    /// Of trips that have no such name; nil unless both cells are of all their trips.
    private func percentUnassigned(_ name: WritableKeyPath<KPISummaryV1.Cell, String>) -> Int? {
        guard let overall, overall.complete == true, let trips = overall.trips else { return nil }
        let unassigned = cells.first { cell in
            var cell = cell
            guard cell[keyPath: name] == CellKey.unassigned else { return false }
            cell[keyPath: name] = CellKey.all
            return [cell.month, cell.region, cell.tripType] == [CellKey.all, CellKey.all, CellKey.all]
        }
        // Without a cell no group can hold such trips.
        guard let unassigned else { return Self.percent(0, of: trips) }
        guard unassigned.complete == true, let count = unassigned.trips else { return nil }
        return Self.percent(count, of: trips)
    }

    /// Halves up; nil of none.
    private static func percent(_ part: Int, of whole: Int) -> Int? {
        whole > 0 ? (part * 200 + whole) / (whole * 2) : nil
    }
}

extension Share {
    /// A part of a whole, halves away from zero; nil of none.
    init?(_ part: Int, of whole: Int) {
        guard whole > 0 else { return nil }
        let twice = part.magnitude.multipliedReportingOverflow(by: 20_000)
        guard !twice.overflow, let units = Int(exactly: (twice.partialValue + whole.magnitude) / (whole.magnitude * 2))
        else { return nil }
        self.init(tenThousandths: part < 0 ? -units : units)
    }
}
