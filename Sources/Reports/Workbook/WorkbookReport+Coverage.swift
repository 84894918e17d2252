internal import KPIContract

/// What the marks after figures mean, and the shares that a release has in place of counts of records.
extension WorkbookReport {
    /// A line for each mark that the workbook has; none in a workbook for staff.
    func addCoverage(to sheet: inout SheetLayout) {
        for legend in coverageLines {
            sheet.put(legend, .note, row: sheet.row, column: 0, sized: false)
            sheet.row += 1
        }
    }

    var coverageLines: [String] {
        let pending = summary.monthsWithRevisionPending
        return summary.coverageLegends
            + (pending.isEmpty
                ? [] : ["Revision pending, as corrections wait for it: \(pending.joined(separator: ", "))."])
    }

    func addShares(to sheet: inout SheetLayout) {
        guard let shares = summary.qualityShares else { return }
        sheet.put("Shares of records and of trips", .heading, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        for line in shares.lines {
            sheet.put(line.title, .body, row: sheet.row, column: 0)
            sheet.put(line.text, .day, row: sheet.row, column: 1)
            sheet.row += 1
        }
        sheet.put(KPISummaryV1.QualityShares.legend, .note, row: sheet.row, column: 0, sized: false)
        sheet.row += 2
    }

    /// The last column of tables in the accessible workbook; empty: no line of the table has anything to note.
    static func noteColumn(_ cells: [Cell?]) -> [String] {
        let notes = cells.map { $0?.coverageNotes.joined(separator: "; ") ?? "" }
        return notes.allSatisfy(\.isEmpty) ? [] : notes.map { $0.isEmpty ? "none" : $0 }
    }
}
