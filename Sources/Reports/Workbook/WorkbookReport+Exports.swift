internal import KPIContract

extension WorkbookReport {
    /// How many files the figures are made of, how many they go without, and the days that none of them speaks of.
    func addExports(to sheet: inout SheetLayout) {
        let quality = summary.quality
        guard let exports = quality.exports else { return }
        sheet.put("Exports: what the figures are made of", .heading, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        var lines: [(String, Int, String)] = [
            ("Exports loaded", exports.loaded, "their trips are in the figures"),
            ("Exports failed", exports.failed, "could not be loaded; nothing of them is in any figure"),
            ("Exports waived", exports.waived, "failed, and passed over for a stated reason"),
        ]
        if let missing = quality.missingDayCount {
            let listed = quality.missingDays ?? []
            let more = missing > listed.count ? " and more" : ""
            lines.append(("Missing days", missing, listed.joined(separator: ", ") + more))
        }
        for line in lines {
            sheet.put(line.0, .body, row: sheet.row, column: 0)
            sheet.put(.value(line.1, .count), .body, row: sheet.row, column: 1)
            sheet.put(line.2, .body, row: sheet.row, column: 2, sized: false)
            sheet.row += 1
        }
        sheet.row += 1
    }

    /// Months whose figures are others than those that were published before; nothing if there are none.
    func addRestatements(to sheet: inout SheetLayout) {
        let restatements = summary.restatements ?? []
        guard !restatements.isEmpty else { return }
        sheet.put(
            "Restated months: before and after, all regions and types", .heading, row: sheet.row, column: 0,
            sized: false)
        sheet.row += 1
        let headers = [
            "Restated month", "Trips before", "When", "Trips after", "Cost before", "Cost after", "In-house before",
            "In-house after",
        ]
        for (column, title) in headers.enumerated() {
            let role: CellStyle.Role = column == 0 || column == 2 ? .header : .numberHeader
            sheet.put(title, role, row: sheet.row, column: column)
        }
        sheet.row += 1
        for restatement in restatements {
            let before = restatement.before, after = restatement.after
            sheet.put(restatement.month, .body, row: sheet.row, column: 0)
            sheet.put(restatement.restatedAt, .body, row: sheet.row, column: 2)
            let figures: [(Int, Int?, Figure.Unit)] = [
                (1, before.trips, .count), (3, after.trips, .count), (4, before.totalCost?.cents, .cents),
                (5, after.totalCost?.cents, .cents), (6, before.inHousePercent, .percent),
                (7, after.inHousePercent, .percent),
            ]
            for (column, number, unit) in figures {
                sheet.put(number.map { .value($0, unit) } ?? .none, .body, row: sheet.row, column: column)
            }
            sheet.row += 1
        }
        sheet.put(
            "A figure is n/a where that set hid it, or had no such month.", .note, row: sheet.row, column: 0,
            sized: false)
        sheet.row += 2
    }
}
