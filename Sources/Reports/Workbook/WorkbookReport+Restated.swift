internal import KPIContract

extension WorkbookReport {
    /// Months whose figures are others than those that were published before.
    func restatedSheet() -> SheetLayout {
        var sheet = frame("Restated", title: "Restated months: before and after")
        sheet.put(
            "Of all regions and trip types. A figure is n/a where that set hid it, or had no such month.", .note,
            row: sheet.row, column: 0, sized: false)
        sheet.row += 2
        let headerRow = sheet.row
        let restatements = summary.restatements ?? []
        for (column, title) in Self.restatedHeaders.enumerated() {
            sheet.put(title, column < 1 ? .header : .numberHeader, row: headerRow, column: column)
        }
        for (offset, restatement) in restatements.enumerated() {
            let row = headerRow + 1 + offset
            sheet.put(restatement.month, .body, row: row, column: 0)
            for (column, figure) in Self.restatedFigures(restatement).enumerated() {
                sheet.put(figure, .body, row: row, column: 1 + column)
            }
        }
        sheet.setHeight(headerRow, 48)
        sheet.frozenRows = headerRow + 1
        sheet.frozenColumns = 1
        sheet.repeatedRows = headerRow...headerRow
        sheet.row = headerRow + 1 + restatements.count
        if restatements.isEmpty {
            sheet.put("No published month has changed.", .note, row: sheet.row, column: 0, sized: false)
        } else {
            sheet.table = SheetLayout.Table(
                name: "RestatedMonths", headerRow: headerRow, headers: Self.restatedHeaders,
                rowCount: restatements.count)
        }
        return sheet
    }

    static let restatedHeaders =
        ["Month", "Restated on"]
        + ["Trips", "In-house share", "Total cost", "Cost per trip", "Average duration", "Response p90"].flatMap {
            ["\($0), before", "\($0), after"]
        }

    /// All but the month.
    static func restatedFigures(_ restatement: KPISummaryV1.Restatement) -> [Figure] {
        let measures: [(KPISummaryV1.HeadlineFigures) -> Figure] = [
            { known($0.trips, .count) }, { known($0.inHousePercent, .percent) }, { known($0.totalCost?.cents, .cents) },
            { known($0.costPerTrip?.cents, .cents) }, { known($0.avgDuration?.tenths, .tenthsOfSeconds) },
            { known($0.responseP90, .seconds) },
        ]
        return [.day(restatement.restatedAt)]
            + measures.flatMap { [$0(restatement.before), $0(restatement.after)] }
    }

    private static func known(_ whole: Int?, _ unit: Figure.Unit) -> Figure {
        whole.map { .value($0, unit) } ?? .none
    }
}
