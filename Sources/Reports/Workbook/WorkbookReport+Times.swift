internal import KPIContract
internal import Trips

extension WorkbookReport {
    /// Every interval of every cell, with the trips it is made of and goes without.
    func timesSheet() -> SheetLayout {
        var sheet = frame("Times", title: "Times: trips used and excluded")
        addCoverage(to: &sheet)
        sheet.put(
            "Excluded: an end is missing, the interval is negative, or it is over the limit. Lines that say All are sums"
                + " of the others.", .note, row: sheet.row, column: 0, sized: false)
        sheet.row += 2
        let headerRow = sheet.row
        for (column, title) in Self.timeHeaders.enumerated() {
            sheet.put(title, column < 4 ? .header : .numberHeader, row: headerRow, column: column)
        }
        sheet.row += 1
        for cell in summary.cells {
            for interval in TripInterval.allCases {
                for (column, key) in Self.timeKeys(cell, interval).enumerated() {
                    sheet.put(key, .body, row: sheet.row, column: column)
                }
                for (offset, figure) in Self.timeFigures(cell, interval).enumerated() {
                    sheet.put(figure, .body, row: sheet.row, column: 4 + offset)
                }
                sheet.row += 1
            }
        }
        sheet.setHeight(headerRow, 20)
        sheet.frozenRows = headerRow + 1
        sheet.frozenColumns = 4
        sheet.repeatedRows = headerRow...headerRow
        let count = sheet.row - headerRow - 1
        if count == 0 {
            sheet.put("No trips in this report.", .note, row: sheet.row, column: 0, sized: false)
        } else {
            sheet.table = SheetLayout.Table(
                name: "Times", headerRow: headerRow, headers: Self.timeHeaders, rowCount: count)
        }
        return sheet
    }

    static let timeHeaders = [
        "Month", "Region", "Trip type", "Interval", "Used", "Excluded", "Mean", "Median", "P90",
    ]

    static func timeKeys(_ cell: Cell, _ interval: TripInterval) -> [String] {
        [cell.month, cell.region, cell.tripType, interval.name]
    }

    static func timeFigures(_ cell: Cell, _ name: TripInterval) -> [Figure] {
        let interval = cell[name]
        let coverage = KPICatalog.description(named: "\(name.name).used")?.coverage(cell) ?? .all
        let figures: [Figure] = [
            .sum(interval.used, .count), .sum(interval.excluded, .count),
            .ratio(interval.mean?.tenths, .tenthsOfSeconds, over: interval.used),
            .ratio(interval.p50, .seconds, over: interval.used), .ratio(interval.p90, .seconds, over: interval.used),
        ]
        return figures.map { $0.of(coverage) }
    }
}
