import Basics
import KPIContract
import Reports

extension WorkbookReport {
    /// Trips per month against the month and the year before, and sums over months.
    func comparisons() -> SheetContent {
        let comparisons = MonthComparison.all(in: self)
        return SheetContent(
            name: "Comparisons", title: "Each month against earlier ones",
            blocks: openBlocks + coverageBlocks + [.gap()],
            notes: [WorkbookNote.hidden, WorkbookNote.none] + incompleteNote, remarks: openRemarks,
            table: SheetTable(
                name: "Comparisons", columns: MonthComparison.columns, lines: comparisons.map(\.line),
                emptyText: Self.noTrips, headerHeight: 64, frozenColumns: 1,
                formula: { line, column, firstRow in
                    comparisons[line].formula(for: column, among: comparisons, at: line, firstRow: firstRow)
                },
                columnOrder: [0, MonthComparison.fiscalYearColumn]
                    + MonthComparison.columns.indices.filter { ![0, MonthComparison.fiscalYearColumn].contains($0) }))
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
        let incomplete = Set(
            months.filter { $0.cell?.complete == false }.map(\.month) + (report.summary.partialMonths ?? [])
        ).subtracting(hidden)
        return months.map { month, cell in
            let found = report.summary.comparisons.first {
                $0.month == month && $0.region == CellKey.all && $0.tripType == CellKey.all
            }
            return MonthComparison(
                report.monthCell(month), month, cell, found, hidden: hidden, incomplete: incomplete,
                hasCosts: report.summary.hasCosts)
        }
    }

    private init(
        _ name: SheetCell, _ month: String, _ cell: KPISummaryV1.Cell?, _ found: KPISummaryV1.Comparison?,
        hidden: Set<String>,
        incomplete: Set<String>, hasCosts: Bool
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
            guard hasCosts else { return .costUnknown() }
            return cents == nil && trips != nil ? .hidden : compared(cents, .cents, with: distances)
        }
        let toDate = -(((calendar?.month ?? 10) + 2) % 12)...0
        let own = WorkbookReport.values(KPICatalog.measures([.trips, .totalCost]), cell)
        // A month under way is compared with none, and is no twelfth month of a sum.
        let isOpen = name != .text(month)
        let earlier: [ShownValue] = [
            compared(found?.previousMonthTrips, .count, with: -1 ... -1),
            compared(found?.monthOverMonth?.tenThousandths, .change, with: -1 ... -1),
            compared(found?.previousYearTrips, .count, with: -12 ... -12),
            compared(found?.yearOverYear?.tenThousandths, .change, with: -12 ... -12),
            compared(found?.rolling12Trips, .count, with: -11...0),
            cost(found?.rolling12Cost?.cents, beside: found?.rolling12Trips, with: -11...0),
        ].enumerated().map { index, value in isOpen && ![0, 2].contains(index) ? .notComparable : value }
        let fiscal = [
            compared(found?.fiscalYearToDateTrips, .count, with: toDate),
            cost(found?.fiscalYearToDateCost?.cents, beside: found?.fiscalYearToDateTrips, with: toDate),
        ]
        let fiscalYear = (calendar?.fiscalYear ?? found?.fiscalYear).map { "FY\($0)" } ?? "n/a"
        line = [name] + SheetCell.line([], own + earlier) + SheetCell.line([fiscalYear], fiscal)
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
