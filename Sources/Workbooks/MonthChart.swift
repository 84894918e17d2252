import KPIContract
import Reports
import Trips

/// A chart of measures by month over all regions and trip types, beside the table of a sheet.
///
/// It plots columns of the sheet Chart data, in which a month that is not to be compared is empty: the word `hidden` in a
/// table would be drawn as 0.
struct MonthChart {
    typealias Cell = KPISummaryV1.Cell

    static let dataSheet = "Chart data"

    /// The sheet on which it is.
    let sheet: String
    let kind: ChartLayout.Kind
    let title: String
    let valueAxis: String
    let valueFormat: String
    let measures: [KPIDescription]
    /// Of the measure that its words are about.
    let headline: Measure

    static let all = [
        MonthChart(
            sheet: "Summary", kind: .line, title: "Completed trips by month", valueAxis: "Trips", valueFormat: "#,##0",
            measures: KPICatalog.measures([.trips]), headline: .trips),
        MonthChart(
            sheet: "Summary", kind: .line, title: "Response p90 by month", valueAxis: "Hours and minutes",
            valueFormat: "[h]:mm", measures: KPICatalog.measures([.responseP90]), headline: .responseP90),
        MonthChart(
            sheet: "In-house v contracted", kind: .stackedColumn, title: "Completed trips by month and sourcing",
            valueAxis: "Trips", valueFormat: "#,##0",
            measures: KPICatalog.measures([.inHouse, .contracted, .unclassified]), headline: .inHouseShare),
    ]

    private static let looks: [(color: UInt32, pattern: ChartLayout.Pattern)] = [
        (0x1F4E79, .solid), (0xC55A11, .striped), (0x595959, .dotted),
    ]

    /// Whether the month can be compared with the others: all of it is shown, and leaves out no trips.
    private func isPlotted(_ cell: Cell?) -> Bool {
        guard let cell else { return false }
        return measures.allSatisfy { $0.figure(cell) != nil && $0.coverage(cell) == .all }
    }

    private func plotted(_ report: WorkbookReport) -> [(month: String, cell: Cell)] {
        report.monthTotals.compactMap { month, cell in
            cell.flatMap { isPlotted($0) ? (month, $0) : nil }
        }
    }

    func isDrawn(in report: WorkbookReport) -> Bool { !plotted(report).isEmpty }

    // MARK: The sheet of data

    private var labelTitle: String { "\(title): axis" }
    private func columnTitle(_ kpi: KPIDescription) -> String { "\(title): \(kpi.title)" }

    static func data(of charts: [MonthChart], in report: WorkbookReport) -> SheetContent {
        let lines = report.monthTotals.map { month, cell in
            [.text(month)] + charts.flatMap { $0.cells(month, cell, remark: report.summary.remark(onMonth: month)) }
        }
        let columns = charts.flatMap { chart in
            [SheetTable.Column(title: chart.labelTitle)]
                + chart.measures.map { .init(title: chart.columnTitle($0), unit: ValueUnit($0.shownFormat)) }
        }
        return SheetContent(
            name: dataSheet, title: "What the charts plot",
            blocks: [
                .paragraph(
                    "The charts of this workbook are drawn from these columns. A month that is hidden, or that leaves out trips, is "
                        + "empty here: it is a gap in the chart, not a 0, and the axis names it."), .gap(),
            ],
            table: SheetTable(
                name: "ChartData", columns: [.init(title: "Month")] + columns, lines: lines, headerHeight: 64,
                frozenColumns: 1))
    }

    private func cells(_ month: String, _ cell: Cell?, remark: String?) -> [SheetCell] {
        guard let cell, isPlotted(cell) else {
            let isHidden = cell.map { cell in measures.contains { $0.published(cell) == .suppressed } } ?? true
            let isNone = cell.map { cell in measures.contains { $0.published(cell) == .undefined } } ?? false
            let reason = isHidden ? "hidden" : isNone ? "no value" : FigureCoverage.notComparable
            return [.text("\(month) \(reason)")]
                + measures.map { _ in .blank }
        }
        return [.text(remark.map { "\(month) \($0)" } ?? month)]
            + WorkbookReport.values(measures, cell).map { .value($0) }
    }

    // MARK: The chart

    /// - Parameter data: the table of the sheet of data.
    func layout(in report: WorkbookReport, _ data: PlacedTable) -> ChartLayout {
        var chart = ChartLayout(
            kind, title: title, altText: altText(report), valueAxis: valueAxis, dataSheet: Self.dataSheet,
            rows: data.rows, categoryColumn: data.column(labelTitle),
            series: zip(measures, Self.looks).map { kpi, look in
                .init(column: data.column(columnTitle(kpi)), name: kpi.title, color: look.color, pattern: look.pattern)
            })
        chart.valueFormat = valueFormat
        guard kind == .line else { return chart }
        let open = report.monthsNotWhole
        chart.hollowRows = report.monthTotals.indices.filter { open.contains(report.monthTotals[$0].month) }
            .map { data.rows.lowerBound + $0 }
        let values = plotted(report).flatMap { WorkbookReport.values(measures, $0.cell).compactMap(\.cellNumber) }
        let isTime = measures.contains { $0.unit == .seconds }
        chart.axisStart = ChartLayout.axisStart(of: values, unit: isTime ? 1.0 / (24 * 60) : 1)
        return chart
    }

    // MARK: In words

    /// Two sentences: what it shows, and what it says.
    private func altText(_ report: WorkbookReport) -> String {
        let plotted = plotted(report), months = report.monthTotals.map(\.month)
        let shown = Set(plotted.map(\.month)), left = months.filter { !shown.contains($0) }
        let form = kind == .line ? "Line chart" : "Stacked columns"
        let period = [months.first, months.count > 1 ? months.last : nil].compactMap(\.self).joined(separator: " to ")
        let gaps =
            left.isEmpty
            ? ""
            : ", without " + (left.count > 3 ? "\(left.count) months" : left.joined(separator: ", "))
                + ", hidden or not comparable"
        return "\(form): \(title.prefix(1).lowercased() + title.dropFirst()), \(period)\(gaps). "
            + finding(plotted, report)
    }

    private func finding(_ plotted: [(month: String, cell: Cell)], _ report: WorkbookReport) -> String {
        let open = Set(report.monthsNotWhole)
        let kpi = headline.kpi
        let points = plotted.filter { !open.contains($0.month) }.compactMap { point in
            kpi.shownFigure(point.cell).map { (month: point.month, value: $0) }
        }
        guard let last = points.last, let first = points.first else { return "No month of it is complete." }
        let text = { (value: Int) in report.text(kpi, value) }
        let verdict = (report.summary.controlCharts ?? []).chart(of: headline)?.verdict(of: last.month)
        let unusual = verdict.map { ", \($0.words)" } ?? ""
        guard points.count > 1 else { return "\(kpi.title) is \(text(last.value)) in \(last.month)\(unusual)." }
        let least = points.reduce(first) { $1.value < $0.value ? $1 : $0 }
        let most = points.reduce(first) { $1.value > $0.value ? $1 : $0 }
        return
            "\(kpi.title) \(kpi.measure == .trips ? "are" : "is") \(text(last.value)) in \(last.month)\(unusual), between "
            + "\(text(least.value)) in \(least.month) and \(text(most.value)) in \(most.month)."
    }
}

extension WorkbookReport {
    /// A figure, as `KPIDescription.shownFigure` has it, in running text.
    func text(_ kpi: KPIDescription, _ figure: Int) -> String {
        switch kpi.format {
        case .seconds, .tenthsOfSeconds:
            let seconds = kpi.format == .seconds ? figure : NumberText.seconds(tenths: figure)
            let isRounded = !isInternal && ValueUnit(kpi.format).isRoundedInRelease
            return (isRounded ? "about " : "") + NumberText.brief(seconds: seconds)
        case .count, .percent, .share, .tenthsOfPercent, .dollars, .miles: return kpi.shownFormat.shown(figure)
        }
    }
}

extension SheetLayout {
    /// At the right of a table, from its header down; below a chart that is there.
    mutating func add(_ chart: ChartLayout, beside table: PlacedTable) {
        var chart = chart
        chart.row = charts.last.map { $0.row + ChartLayout.rowCount + 1 } ?? table.headerRow
        chart.column = table.places.count + 1
        charts.append(chart)
    }
}
