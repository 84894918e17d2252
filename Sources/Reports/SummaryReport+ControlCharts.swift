import Basics
import KPIContract

extension SummaryReport {
    /// Those of a document: of every month there is, whichever it shows, so that a month has one verdict.
    ///
    /// - Parameters:
    ///   - cells: the document's regions and types in all months that have all their days.
    ///   - lastClosed: later months are under way; nil: none is closed.
    static func controlCharts(
        of cells: [KPISummaryV1.Cell], lastClosed: Month?, isRelease: Bool
    ) -> [KPISummaryV1.ControlChart] {
        let derived = DerivedFigures(
            cells, lastClosed: lastClosed?.description, partialMonths: [], isRelease: isRelease, intervalEvents: [])
        return controlCharts(
            cells, lastClosed: derived.latestCompleteMonth.flatMap { Month($0) },
            percentileStep: isRelease ? KPIDescription.releaseStepSeconds : 1)
    }

    /// A control chart for each measure, region and trip type that has enough closed months.
    ///
    /// A month is in it if its figure is shown, is of the same kind of trips as that of the last month, and of enough trips.
    /// A chart begins with the first such month; one of a count of trips with the month after it, since the data may begin
    /// in the middle of a month.
    ///
    /// - Parameters:
    ///   - cells: of the contract.
    ///   - lastClosed: later months are under way; nil: none is closed.
    ///   - percentileStep: percentiles are published in steps of so many seconds.
    static func controlCharts(
        _ cells: [KPISummaryV1.Cell], lastClosed: Month?, percentileStep: Int
    ) -> [KPISummaryV1.ControlChart] {
        guard let lastClosed else { return [] }
        var order: [CellKey] = []
        var series: [CellKey: [(month: Month, cell: KPISummaryV1.Cell)]] = [:]
        for cell in cells {
            guard let month = Month(cell.month), month <= lastClosed else { continue }
            let key = CellKey(region: cell.region, tripType: cell.tripType)
            if series[key] == nil { order.append(key) }
            series[key, default: []].append((month, cell))
        }
        let measures = KPICatalog.measures(KPISummaryV1.ControlChart.measures)
        return order.flatMap { key in
            let months = (series[key] ?? []).sorted { $0.month < $1.month }
            return measures.compactMap { controlChart($0, months, at: key, percentileStep: percentileStep) }
        }
    }

    /// - Parameter months: ascending; a month without a cell may lack.
    private static func controlChart(
        _ kpi: KPIDescription, _ months: [(month: Month, cell: KPISummaryV1.Cell)], at key: CellKey, percentileStep: Int
    ) -> KPISummaryV1.ControlChart? {
        guard let last = months.last(where: { kpi.figure($0.cell) != nil }) else { return nil }
        let coverage = kpi.coverage(last.cell), isCount = kpi.countedTrips == nil
        let usable = months.compactMap { month, cell -> (month: Month, figure: Int)? in
            guard kpi.coverage(cell).isComparable(with: coverage), kpi.hasEnoughTrips(cell) else { return nil }
            return kpi.figure(cell).map { (month, $0) }
        }
        let earliest = usable.first { !isCount || $0.figure >= MinimumCell.standard }?.month
        guard let first = isCount ? earliest?.advanced(by: 1) : earliest, first <= last.month else { return nil }
        var figures = [Int?](repeating: nil, count: Int(last.month.index - first.index) + 1)
        for (month, figure) in usable where first <= month && month <= last.month {
            figures[Int(month.index - first.index)] = figure
        }
        guard figures.last != Int?.none,
            let chart = XmRChart(figures, step: kpi.isRoundedInRelease ? percentileStep : 1)
        else { return nil }
        let parts = kpi.format.partsOfControlLimit
        let line = { (limit: XmRLimit) in
            Double(limit.rounded(parts: parts / kpi.format.unitsPerOne)) / Double(parts)
        }
        // Few trips a month say too little about the number of trips too.
        if kpi.measure == .trips, chart.mean.rounded(parts: 1) < MinimumCell.standard { return nil }
        let signals = chart.signals.enumerated().compactMap { place, signal in
            signal.map { signal in
                KPISummaryV1.ControlSignal(
                    month: first.advanced(by: place).description, rule: signal.rule.rawValue,
                    direction: signal.direction.rawValue,
                    isBetter: kpi.better == .neither ? nil : (signal.direction == .high) == (kpi.better == .higher))
            }
        }
        return KPISummaryV1.ControlChart(
            measure: kpi.name, region: key.region, tripType: key.tripType, lastMonth: last.month.description,
            monthCount: figures.count { $0 != nil },
            monthsLeftOut: figures.indices.filter { figures[$0] == nil }.map { first.advanced(by: $0).description },
            mean: line(chart.mean), lowerLimit: line(chart.lowerLimit),
            upperLimit: line(chart.upperLimit), signals: signals)
    }
}
