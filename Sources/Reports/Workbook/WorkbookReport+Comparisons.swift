internal import KPIContract
internal import Trips

extension WorkbookReport {
    /// Trips per month against the month and the year before, and sums over months; with the line chart of the cover.
    func comparisonsSheet() -> (sheet: SheetLayout, chart: ChartLayout?) {
        var sheet = frame("Comparisons", title: "Trips per month, and comparisons")
        let months = monthTotals
        if months.contains(where: { $0.cell?.trips == nil }) {
            sheet.put(
                "A month that is hidden is a gap in the chart, not a 0.", .note, row: sheet.row, column: 0, sized: false
            )
        }
        addCoverage(to: &sheet)
        sheet.row += 1
        let headerRow = sheet.row
        var headers = MonthComparison.headers
        let rows = (headerRow + 1)..<(headerRow + 1 + months.count)
        let comparisons = MonthComparison.all(in: self)
        for (offset, comparison) in comparisons.enumerated() {
            addComparison(comparison, among: comparisons, to: &sheet, rows: rows, offset: offset)
        }
        let hasChart = months.contains { $0.cell.flatMap(Self.comparableTrips) != nil }
        let plots = addPlots(
            hasChart ? [("Trips, plotted", Self.comparableTrips)] : [], months: months, headers: &headers,
            existing: [1],
            to: &sheet, rows: rows)
        finish(&sheet, name: "TripsByMonth", headers: headers, headerRow: headerRow, rows: rows)
        sheet.frozenColumns = 1
        if !rows.isEmpty { sheet.emphases.append(Emphasis(kind: .bars, rows: rows, columns: 1...1)) }
        var chart = hasChart ? trendChart(months, rows, plots) : nil
        chart?.dataSheet = sheet.name
        return (sheet, chart)
    }

    private func addComparison(
        _ comparison: MonthComparison, among all: [MonthComparison], to sheet: inout SheetLayout, rows: Range<Int>,
        offset: Int
    ) {
        let row = rows.lowerBound + offset
        sheet.put(comparison.month, .body, row: row, column: 0)
        sheet.put(comparison.fiscalYear, .body, row: row, column: MonthComparison.fiscalYearColumn)
        for (column, figure) in comparison.figures {
            let formula = comparison.formula(for: column, among: all, at: offset, firstRow: rows.lowerBound)
            sheet.put(figure, .body, row: row, column: column, formula: formula)
        }
    }

    /// Months that leave out trips are no points of one line.
    private static let comparableTrips: @Sendable (Cell) -> Int? = { $0.complete == false ? nil : $0.trips }

    private func trendChart(
        _ months: [(month: String, cell: Cell?)], _ rows: Range<Int>, _ plots: Plots
    ) -> ChartLayout {
        let shown = months.compactMap { month in
            month.cell.flatMap(Self.comparableTrips).map { "\(month.month) \($0)" }
        }
        let hidden = months.filter { $0.cell?.trips == nil }.map(\.month)
        let incomplete = months.map(\.month).filter { month in
            !hidden.contains(month) && !shown.contains { $0.hasPrefix(month) }
        }
        return ChartLayout(
            kind: .line, title: "Completed trips per month",
            altText: "Line chart of completed trips per month: \(shown.joined(separator: ", "))."
                + (hidden.isEmpty ? "" : " Hidden: \(hidden.joined(separator: ", ")).")
                + (incomplete.isEmpty ? "" : " Not comparable: \(incomplete.joined(separator: ", "))."),
            valueAxis: "Trips", headerRow: rows.lowerBound - 1, rows: rows, categoryColumn: plots.category,
            series: [ChartLayout.Series(column: plots.values[0], nameColumn: 1, color: 0x1F4E79, look: .solid)],
            row: 0, column: 0)
    }

    // MARK: What the charts plot

    struct Plots {
        static let label = "Chart label"

        var category: Int
        var values: [Int]
    }

    /// A chart would draw the word `hidden` as 0. Where a month is hidden, the chart gets columns of its own, in which
    /// that month is blank and says so at the axis; else it plots the table's columns.
    func addPlots(
        _ plotted: [(title: String, figure: (Cell) -> Int?)], months: [(month: String, cell: Cell?)],
        headers: inout [String], existing: [Int], to sheet: inout SheetLayout, rows: Range<Int>
    ) -> Plots {
        let figures = months.map { month in plotted.map { column in month.cell.flatMap(column.figure) } }
        guard figures.contains(where: { $0.contains(nil) }) else { return Plots(category: 0, values: existing) }
        let category = headers.count
        headers += [Plots.label] + plotted.map(\.title)
        for (offset, month) in months.enumerated() {
            let row = rows.lowerBound + offset
            let isHidden = figures[offset].contains(nil)
            let isPart = month.cell?.coverageNotes.isEmpty == false
            let label = "\(month.month) \(isPart ? FigureCoverage.notComparable : "hidden")"
            sheet.put(isHidden ? label : month.month, .body, row: row, column: category)
            for (index, figure) in figures[offset].enumerated() {
                guard let figure, !isHidden else { continue }
                sheet.put(.value(figure, .count), .body, row: row, column: category + 1 + index)
            }
        }
        return Plots(category: category, values: plotted.indices.map { category + 1 + $0 })
    }

    /// Headers, table, frozen and repeated rows of a sheet whose lines stand.
    private func finish(
        _ sheet: inout SheetLayout, name: String, headers: [String], headerRow: Int, rows: Range<Int>
    ) {
        for (column, title) in headers.enumerated() {
            let isText = column == 0 || title == "Fiscal year" || title == Plots.label
            sheet.put(title, isText ? .header : .numberHeader, row: headerRow, column: column)
        }
        sheet.setHeight(headerRow, 64)
        sheet.frozenRows = headerRow + 1
        sheet.repeatedRows = headerRow...headerRow
        sheet.row = rows.upperBound
        guard !rows.isEmpty else {
            sheet.put("No trips in this report.", .note, row: sheet.row, column: 0, sized: false)
            return
        }
        sheet.table = SheetLayout.Table(name: name, headerRow: headerRow, headers: headers, rowCount: rows.count)
    }
}
