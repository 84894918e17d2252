import Basics
import KPIContract
import Reports

/// The chart of in-house and contracted cost, in the standard style, and the sheet that it plots.
extension CostWorkbook {
    private static let axisTitle = "Axis"

    /// In-house and contracted cost of a line.
    static func costs(_ line: [SheetCell], _ table: SheetTable) -> [ShownValue?] {
        let places = table.places
        return costTitles.map { title in places[title].flatMap { line[$0].value } }
    }

    /// Whether a month may be compared with the others: both costs are shown, and leave out no trips.
    private static func isPlotted(_ line: [SheetCell], _ table: SheetTable) -> Bool {
        costs(line, table).allSatisfy { $0?.whole != nil && $0?.coverage == FigureCoverage.all }
    }

    /// The columns of the chart: a month that is left out must be a gap, and the word `hidden` would be drawn as 0. Nil if
    /// there is nothing to draw.
    func chartData(_ sourcing: SheetContent) -> SheetContent? {
        guard let table = sourcing.table, table.lines.contains(where: { Self.isPlotted($0, table) }) else { return nil }
        let lines = table.lines.map { line -> [SheetCell] in
            let month = line[0].text, costs = Self.costs(line, table)
            guard Self.isPlotted(line, table) else {
                let reason =
                    costs.contains(where: { $0?.coverage != .all }) ? FigureCoverage.notComparable : "not shown"
                return [.text(month), .text("\(month) \(reason)")] + Self.costTitles.map { _ in .blank }
            }
            return [.text(month), .text(month)] + costs.map { $0.map { .value($0) } ?? .blank }
        }
        return SheetContent(
            name: MonthChart.dataSheet, title: "What the chart plots",
            blocks: [
                .paragraph(
                    "The chart of the sheet \(Self.sourcingName) is drawn from these columns. A month that is hidden, or that "
                        + "leaves out trips, is empty here: it is a gap in the chart, not a 0, and the axis names it."),
                .gap(),
            ],
            table: SheetTable(
                name: "ChartData",
                columns: SheetTable.Column.texts(["Month", Self.axisTitle])
                    + Self.costTitles.map { .init(title: $0, unit: .cents) },
                lines: lines, headerHeight: 34, frozenColumns: 1))
    }

    /// - Parameter data: what it plots.
    func chart(_ data: SheetContent) -> ChartLayout {
        let placed = frame.placed(data).table, table = data.table
        let lines = (table?.lines ?? []).filter { $0[2].value != nil }
        let looks: [(UInt32, ChartLayout.Pattern)] = [(0x1F4E79, .solid), (0xC55A11, .striped)]
        var chart = ChartLayout(
            .stackedColumn, title: "Cost by sourcing, without unclassified trips",
            altText: Self.altText(lines, of: table?.lines.count ?? 0), valueAxis: "Dollars",
            dataSheet: MonthChart.dataSheet, rows: placed?.rows ?? 0..<1,
            categoryColumn: placed?.column(Self.axisTitle) ?? 0,
            series: zip(Self.costTitles, looks).map { title, look in
                .init(column: placed?.column(title) ?? 0, name: title, color: look.0, pattern: look.1)
            })
        chart.valueFormat = "$#,##0"
        if lines.contains(where: { line in line.contains { $0.value?.whole ?? 0 < 0 } }) { chart.axisStart = nil }
        return chart
    }

    /// Two sentences: what it shows, and what it says.
    private static func altText(_ lines: [[SheetCell]], of count: Int) -> String {
        guard let first = lines.first, let last = lines.last else { return "" }
        let total = { (line: [SheetCell]) in line.compactMap { $0.value?.whole }.reduce(0, +) }
        // In groups of three: nine digits in a row would be taken for a social security number.
        let dollars = { (cents: Int) in
            (cents < 0 ? "-$" : "$") + NumberText.grouped(HalfUp.quotient(abs(cents), by: 100) ?? 0)
        }
        let left = count - lines.count
        let gaps = left == 0 ? "" : ", without \(NumberText.counted(left, "month")) hidden or not comparable"
        let least = lines.reduce(first) { total($1) < total($0) ? $1 : $0 }
        let most = lines.reduce(first) { total($1) > total($0) ? $1 : $0 }
        let parts = last.compactMap { $0.value?.whole }.map(dollars)
        let range =
            lines.count == 1
            ? ""
            : ", and both together are between \(dollars(total(least))) in \(least[0].text) and "
                + "\(dollars(total(most))) in \(most[0].text)"
        return "Stacked columns: cost by month and sourcing, without unclassified trips, \(first[0].text) to "
            + "\(last[0].text)\(gaps). In \(last[0].text) in-house cost is \(parts[0]) and contracted cost "
            + "\(parts[1])\(range)."
    }
}
