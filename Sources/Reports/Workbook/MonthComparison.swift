internal import KPIContract
internal import Trips

/// A month against earlier ones, as figures and, where these give exactly the figure, as formulas over the months shown.
struct MonthComparison {
    static let headers = [
        "Month", "Trips", "Total cost", "Trips, month before", "Change on month before", "Trips, year before",
        "Change on year before", "Rolling 12 months", "Cost, rolling 12 months", "Fiscal year", "Fiscal year to date",
        "Cost, fiscal year to date",
    ]
    static let fiscalYearColumn = 9

    let month: String
    let fiscalYear: String
    /// By column, without the text columns.
    let figures: [(column: Int, figure: Figure)]

    /// Of every month, oldest first.
    static func all(in report: WorkbookReport) -> [MonthComparison] {
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
        fiscalYear = (calendar?.fiscalYear ?? found?.fiscalYear).map { "FY\($0)" } ?? "n/a"
        // Missing, a figure is hidden where one of its months is hidden, a sum also where one leaves out trips; else there
        // is no such month.
        func compared(_ whole: Int?, _ unit: Figure.Unit, with distances: ClosedRange<Int>) -> Figure {
            if let whole { return .value(whole, unit) }
            guard let calendar else { return .none }
            let isHidden = distances.contains { hidden.contains(calendar.advanced(by: $0).description) }
            if isHidden || hidden.contains(month) { return .hidden }
            let others = distances.map { calendar.advanced(by: $0).description } + [month]
            guard others.contains(where: incomplete.contains) else { return .none }
            return distances.contains(0) ? .hidden : .notComparable
        }
        // Of months whose trips are shown the costs may be hidden.
        func cost(_ cents: Int?, beside trips: Int?, with distances: ClosedRange<Int>) -> Figure {
            cents == nil && trips != nil ? .hidden : compared(cents, .cents, with: distances)
        }
        let toDate = -(((calendar?.month ?? 10) + 2) % 12)...0
        figures = [
            (1, cell.map(KPIColumn.trips.figure) ?? .hidden),
            (2, cell.map(KPIColumn.totalCost.figure) ?? .hidden),
            (3, compared(found?.previousMonthTrips, .count, with: -1 ... -1)),
            (4, compared(found?.monthOverMonth?.tenThousandths, .change, with: -1 ... -1)),
            (5, compared(found?.previousYearTrips, .count, with: -12 ... -12)),
            (6, compared(found?.yearOverYear?.tenThousandths, .change, with: -12 ... -12)),
            (7, compared(found?.rolling12Trips, .count, with: -11...0)),
            (8, cost(found?.rolling12Cost?.cents, beside: found?.rolling12Trips, with: -11...0)),
            (10, compared(found?.fiscalYearToDateTrips, .count, with: toDate)),
            (11, cost(found?.fiscalYearToDateCost?.cents, beside: found?.fiscalYearToDateTrips, with: toDate)),
        ]
    }

    func figure(_ column: Int) -> Figure { figures.first { $0.column == column }?.figure ?? .none }

    /// - Parameters:
    ///   - all: the lines of the table, of which this is the one at `offset`.
    ///   - firstRow: where the first of them stands.
    func formula(for column: Int, among all: [MonthComparison], at offset: Int, firstRow: Int) -> String? {
        let row = firstRow + offset
        switch column {
        case 3: return reference(to: -1, column, among: all, at: offset, firstRow: firstRow)
        case 5: return reference(to: -12, column, among: all, at: offset, firstRow: firstRow)
        case 4, 6: return changeFormula(column, row: row)
        case 7, 10: return sumFormula(column, of: 1, among: all, at: offset, firstRow: firstRow)
        case 8, 11: return sumFormula(column, of: 2, among: all, at: offset, firstRow: firstRow)
        default: return nil
        }
    }

    private func reference(
        to distance: Int, _ column: Int, among all: [MonthComparison], at offset: Int, firstRow: Int
    ) -> String? {
        let earlier = Month(month)?.advanced(by: distance).description
        guard let place = all.firstIndex(where: { $0.month == earlier }), let whole = figure(column).whole,
            all[place].figure(1).whole == whole
        else { return nil }
        return "=" + SheetLayout.cellName(row: firstRow + place, column: 1)
    }

    /// The change as a share of the earlier figure; nil where a spreadsheet would round it to another one.
    private func changeFormula(_ column: Int, row: Int) -> String? {
        guard let now = figure(1).whole, let before = figure(column - 1).whole, before > 0,
            let change = figure(column).whole
        else { return nil }
        let scaled = 2 * 10_000 * abs(now - before)
        // A half is rounded up here, and away from 0 there.
        guard scaled % (2 * before) != before, (scaled + before) / (2 * before) == abs(change) else { return nil }
        let trips = SheetLayout.cellName(row: row, column: 1)
        let earlier = SheetLayout.cellName(row: row, column: column - 1)
        return "=ROUND((\(trips)-\(earlier))/\(earlier),4)"
    }

    /// The sum over the lines of the months it is made of, if all of these stand one below the other.
    private func sumFormula(
        _ column: Int, of summand: Int, among all: [MonthComparison], at offset: Int, firstRow: Int
    ) -> String? {
        guard let month = Month(month) else { return nil }
        let count = column >= 10 ? (month.month + 2) % 12 + 1 : 12
        let first = offset - count + 1
        guard first >= 0, all[first].month == month.advanced(by: 1 - count).description else { return nil }
        let range = SheetLayout.rangeName(rows: (firstRow + first)..<(firstRow + offset + 1), column: summand)
        return KPIColumn.sumFormula(
            for: figure(column), over: all[first...offset].map { $0.figure(summand) }, as: "SUM(\(range))")
    }
}
