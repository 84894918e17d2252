import Reports

import KPIContract
import Trips

extension WorkbookReport {
    /// Trips per month against the month and the year before, and sums over months.
    func comparisons() -> SheetContent {
        let comparisons = MonthComparison.all(in: self)
        let hasHidden = monthTotals.contains { $0.cell?.trips == nil }
        let gapNote: [SheetContent.Block] = [.line("A month that is hidden is a gap in the chart, not a 0.")]
        return SheetContent(
            name: "Comparisons",
            title: isAccessible ? "Each month against earlier ones" : "Trips per month, and comparisons",
            blocks: (hasHidden ? gapNote : []) + coverageBlocks + [.gap()],
            notes: [WorkbookNote.hidden, WorkbookNote.none] + incompleteNote,
            table: SheetTable(
                name: isAccessible ? "Comparisons" : "TripsByMonth", columns: MonthComparison.columns,
                lines: comparisons.map(\.line),
                emptyText: Self.noTrips, headerHeight: 64, frozenColumns: 1,
                formula: { line, column, firstRow in
                    comparisons[line].formula(for: column, among: comparisons, at: line, firstRow: firstRow)
                },
                columnOrder: [0, MonthComparison.fiscalYearColumn]
                    + MonthComparison.columns.indices.filter { ![0, MonthComparison.fiscalYearColumn].contains($0) }),
            emphasis: (.bars, "Trips", "Trips"))
    }

    /// The same in the standard style, with the line chart of the cover.
    func chartedComparisons() -> (sheet: SheetLayout, chart: ChartLayout?) {
        var (sheet, placed) = frame.placed(comparisons())
        guard let placed, monthTotals.contains(where: { $0.cell.flatMap(Self.comparableTrips) != nil }) else {
            return (sheet, nil)
        }
        let plots = addPlots([("Trips, plotted", Self.comparableTrips)], existing: [1], to: &sheet, placed)
        var chart = trendChart(placed.rows, plots)
        chart.dataSheet = sheet.name
        return (sheet, chart)
    }

    /// Months that leave out trips are no points of one line.
    private static let comparableTrips: @Sendable (Cell) -> Int? = { $0.complete == false ? nil : $0.trips }

    private func trendChart(_ rows: Range<Int>, _ plots: Plots) -> ChartLayout {
        let months = monthTotals
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
            series: [ChartLayout.Series(column: plots.values[0], nameColumn: 1, color: 0x1F4E79, pattern: .solid)],
            row: 0, column: 0)
    }

    // MARK: What the charts plot

    /// The columns that a chart plots.
    struct Plots {
        var category: Int
        var values: [Int]
    }

    /// A chart would draw the word `hidden` as 0. Where a month is hidden, the chart gets columns of its own, in which
    /// that month is blank and says so at the axis; else it plots the table's columns.
    func addPlots(
        _ plotted: [(title: String, value: (Cell) -> Int?)], existing: [Int], to sheet: inout SheetLayout,
        _ placed: PlacedTable
    ) -> Plots {
        let months = monthTotals
        let values = months.map { month in plotted.map { column in month.cell.flatMap(column.value) } }
        guard values.contains(where: { $0.contains(nil) }), let category = sheet.table?.headers.count else {
            return Plots(category: 0, values: existing)
        }
        for (offset, month) in months.enumerated() {
            let row = placed.rows.lowerBound + offset
            let isHidden = values[offset].contains(nil)
            let isPart = month.cell?.coverageNotes.isEmpty == false
            let label = "\(month.month) \(isPart ? FigureCoverage.notComparable : "hidden")"
            sheet.put(isHidden ? label : month.month, .body, row: row, column: category)
            for (index, value) in values[offset].enumerated() {
                guard let value, !isHidden else { continue }
                sheet.put(.number(value, .count), .body, row: row, column: category + 1 + index)
            }
        }
        let headers = ["Chart label"] + plotted.map(\.title)
        for (index, title) in headers.enumerated() {
            sheet.put(title, index == 0 ? .header : .numberHeader, row: placed.headerRow, column: category + index)
        }
        sheet.table?.headers += headers
        return Plots(category: category, values: plotted.indices.map { category + 1 + $0 })
    }
}

/// A month against earlier ones, as values and, where these give exactly the value, as formulas over the months shown.
private struct MonthComparison {
    static let fiscalYearColumn = 9
    static let columns: [SheetTable.Column] = [
        .init(title: "Month"), comparison("Trips", .count), comparison("Total cost", .cents),
        comparison("Trips, month before", .count), comparison("Change on month before", .change),
        comparison("Trips, year before", .count), comparison("Change on year before", .change),
        comparison("Rolling 12 months", .count), comparison("Cost, rolling 12 months", .cents),
        .init(title: "Fiscal year"), comparison("Fiscal year to date", .count),
        comparison("Cost, fiscal year to date", .cents),
    ]

    private static func comparison(_ title: String, _ unit: ValueUnit) -> SheetTable.Column {
        SheetTable.Column(title: title, unit: unit, note: WorkbookNote.comparisons)
    }

    let month: String
    /// A cell for each column.
    package let line: [SheetCell]

    /// Of every month, oldest first.
    package static func all(in report: WorkbookReport) -> [MonthComparison] {
        let months = report.monthTotals
        let hidden = Set(months.filter { $0.cell?.trips == nil }.map(\.month))
        let incomplete = Set(months.filter { $0.cell?.complete == false }.map(\.month)).subtracting(hidden)
        return months.map { month, cell in
            let found = report.summary.comparisons.first {
                $0.month == month && $0.region == WorkbookReport.all && $0.tripType == WorkbookReport.all
            }
            return MonthComparison(month, cell, found, hidden: hidden, incomplete: incomplete)
        }
    }

    private init(
        _ month: String, _ cell: KPISummaryV1.Cell?, _ found: KPISummaryV1.Comparison?, hidden: Set<String>,
        incomplete: Set<String>
    ) {
        self.month = month
        let calendar = Month(month)
        // A missing value is hidden where one of its months is hidden, a sum also where one leaves out trips; else there
        // is no such month.
        func compared(_ whole: Int?, _ unit: ValueUnit, with distances: ClosedRange<Int>) -> ShownValue {
            if let whole { return .number(whole, unit) }
            guard let calendar else { return .notApplicable }
            let others = distances.map { calendar.advanced(by: $0).description } + [month]
            if others.contains(where: hidden.contains) { return .hidden }
            guard others.contains(where: incomplete.contains) else { return .notApplicable }
            return distances.contains(0) ? .hidden : .notComparable
        }
        // Of months whose trips are shown the costs may be hidden.
        func cost(_ cents: Int?, beside trips: Int?, with distances: ClosedRange<Int>) -> ShownValue {
            cents == nil && trips != nil ? .hidden : compared(cents, .cents, with: distances)
        }
        let toDate = -(((calendar?.month ?? 10) + 2) % 12)...0
        let own = WorkbookReport.values(KPICatalog.measures(["trips", "totalCost"]), cell)
        let earlier = [
            compared(found?.previousMonthTrips, .count, with: -1 ... -1),
            compared(found?.monthOverMonth?.tenThousandths, .change, with: -1 ... -1),
            compared(found?.previousYearTrips, .count, with: -12 ... -12),
            compared(found?.yearOverYear?.tenThousandths, .change, with: -12 ... -12),
            compared(found?.rolling12Trips, .count, with: -11...0),
            cost(found?.rolling12Cost?.cents, beside: found?.rolling12Trips, with: -11...0),
        ]
        let fiscal = [
            compared(found?.fiscalYearToDateTrips, .count, with: toDate),
            cost(found?.fiscalYearToDateCost?.cents, beside: found?.fiscalYearToDateTrips, with: toDate),
        ]
        let fiscalYear = (calendar?.fiscalYear ?? found?.fiscalYear).map { "FY\($0)" } ?? "n/a"
        line =
            SheetCell.line([month], own + earlier) + SheetCell.line([fiscalYear], fiscal)
    }

    private func whole(_ column: Int) -> Int? { line[column].value?.whole }

    /// - Parameters:
    ///   - all: the lines of the table, of which this is the one at `offset`.
    ///   - firstRow: the row of the first of them.
    func formula(for column: Int, among all: [MonthComparison], at offset: Int, firstRow: Int) -> String? {
        switch column {
        case 3: reference(to: -1, column, among: all, firstRow: firstRow)
        case 5: reference(to: -12, column, among: all, firstRow: firstRow)
        case 4, 6: changeFormula(column, row: firstRow + offset)
        case 7, 10: sumFormula(column, of: 1, among: all, at: offset, firstRow: firstRow)
        case 8, 11: sumFormula(column, of: 2, among: all, at: offset, firstRow: firstRow)
        default: nil
        }
    }

    private func reference(to distance: Int, _ column: Int, among all: [MonthComparison], firstRow: Int) -> String? {
        let earlier = Month(month)?.advanced(by: distance).description
        guard let index = all.firstIndex(where: { $0.month == earlier }), let whole = whole(column),
            all[index].whole(1) == whole
        else { return nil }
        return "=" + SheetLayout.cellName(row: firstRow + index, column: 1)
    }

    /// The change as a share of the earlier value; nil where a spreadsheet would round it to another one.
    private func changeFormula(_ column: Int, row: Int) -> String? {
        guard let now = whole(1), let before = whole(column - 1), before > 0, let change = whole(column) else {
            return nil
        }
        let scaled = 2 * 10_000 * abs(now - before)
        // A half is rounded up here, and away from 0 there.
        guard scaled % (2 * before) != before, (scaled + before) / (2 * before) == abs(change) else { return nil }
        let trips = SheetLayout.cellName(row: row, column: 1)
        let earlier = SheetLayout.cellName(row: row, column: column - 1)
        return "=ROUND((\(trips)-\(earlier))/\(earlier),4)"
    }

    /// The sum over the lines of the months it is made of, if all of these are one below the other and shown.
    private func sumFormula(
        _ column: Int, of summand: Int, among all: [MonthComparison], at offset: Int, firstRow: Int
    ) -> String? {
        guard let month = Month(month), let total = whole(column) else { return nil }
        let count = column >= 10 ? (month.month + 2) % 12 + 1 : 12
        let first = offset - count + 1
        guard first >= 0, all[first].month == month.advanced(by: 1 - count).description else { return nil }
        let summands = all[first...offset].map { $0.whole(summand) }
        guard !summands.contains(nil), summands.compactMap(\.self).reduce(0, +) == total else { return nil }
        let range = SheetLayout.rangeName(rows: (firstRow + first)..<(firstRow + offset + 1), column: summand)
        return summand == 2 ? "=ROUND(SUM(\(range)),2)" : "=SUM(\(range))"
    }
}
