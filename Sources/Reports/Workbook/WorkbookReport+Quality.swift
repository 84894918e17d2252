internal import KPIContract
internal import Trips

extension WorkbookReport {
    /// What became of the records read, how many trips each interval could use, and the warnings.
    func qualitySheet() -> SheetLayout {
        var sheet = frame("Data quality", title: "Data quality")
        sheet.repeatedRows = 0...1
        sheet.frozenRows = 2
        sheet.row += 1
        addCoverage(to: &sheet)
        addEquation(to: &sheet)
        addShares(to: &sheet)
        addExports(to: &sheet)
        addIntervals(to: &sheet)
        addWarnings(to: &sheet)
        return sheet
    }

    private func addEquation(to sheet: inout SheetLayout) {
        sheet.put("Records: read = the sum of what became of them", .heading, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        let quality = summary.quality
        let readRow = sheet.row
        let rows = (readRow + 1)..<(readRow + recordLines.count)
        for line in recordLines { addLine(line.title, line.count, line.meaning, to: &sheet) }
        if let count = quality.read { addSum(of: rows, at: readRow, count, to: &sheet) }
        sheet.put("Newest trip", .body, row: sheet.row, column: 0)
        sheet.putDay(quality.freshness.newestTrip, .body, row: sheet.row, column: 1)
        let age = quality.freshness.ageDays.map { "age in days when this was generated: \($0)" } ?? "no trips"
        sheet.put(age, .body, row: sheet.row, column: 2, sized: false)
        sheet.row += 2
    }

    /// What was read, and then what became of it.
    var recordLines: [(title: String, count: Int?, meaning: String)] {
        let quality = summary.quality
        return [
            ("Read", quality.read, "records of the files read"),
            ("Added", quality.added, "new trips"),
            ("Updated", quality.updated, "trips replaced by a newer version"),
            ("Unchanged", quality.unchanged, "the same version again"),
            ("Superseded", quality.superseded, "older than the version that is stored"),
            ("Skipped", quality.skipped, "not a trip, by the profile's row filter"),
            ("Rejected", quality.rejected, "cannot be a trip; quarantined with a reason"),
        ]
    }

    private func addSum(of rows: Range<Int>, at readRow: Int, _ count: Int, to sheet: inout SheetLayout) {
        addLine(
            "Sum", count, "added + updated + unchanged + superseded + skipped + rejected",
            formula: "=SUM(\(SheetLayout.rangeName(rows: rows, column: 1)))", role: .total, to: &sheet)
        let read = SheetLayout.cellName(row: readRow, column: 1)
        let added = SheetLayout.cellName(row: sheet.row - 1, column: 1)
        addLine(
            "Difference", 0, "0: every record is accounted for", formula: "=\(read)-\(added)", role: .total, to: &sheet)
    }

    private func addLine(
        _ title: String, _ count: Int?, _ meaning: String, formula: String? = nil, role: CellStyle.Role = .body,
        to sheet: inout SheetLayout
    ) {
        sheet.put(title, role, row: sheet.row, column: 0)
        sheet.put(.sum(count, .count), role, row: sheet.row, column: 1, formula: formula)
        sheet.put(meaning, .body, row: sheet.row, column: 2, sized: false)
        sheet.row += 1
    }

    private func addIntervals(to sheet: inout SheetLayout) {
        sheet.put("Intervals: trips used and excluded, all months", .heading, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        let headers = ["Interval", "Used", "From and to", "Excluded", "Mean", "Median", "P90"]
        for (column, title) in headers.enumerated() {
            let role: CellStyle.Role = column == 0 || column == 2 ? .header : .numberHeader
            sheet.put(title, role, row: sheet.row, column: column)
        }
        sheet.row += 1
        for interval in TripInterval.allCases {
            let figures = overall.map { Self.timeFigures($0, interval) } ?? Self.noFigures
            let pair = interval.standardPair
            let row = sheet.row
            sheet.put(interval.name, .body, row: row, column: 0)
            sheet.put(figures[0], .body, row: row, column: 1)
            sheet.put("\(pair.start.field.rawValue) to \(pair.end.field.rawValue)", .body, row: row, column: 2)
            sheet.put(figures[1], .body, row: row, column: 3)
            for (offset, figure) in figures.dropFirst(2).enumerated() {
                sheet.put(figure, .body, row: row, column: 4 + offset)
            }
            sheet.row += 1
        }
        sheet.put(
            "The pairs are the usual ones; a profile may set others. Excluded: an end is missing, the interval is"
                + " negative, or it is over the limit.",
            .note, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        for note in intervalNotes { sheet.addParagraph(note) }
        sheet.row += 1
    }

    /// Of a summary without a cell.
    private static let noFigures = [Figure](repeating: .hidden, count: 5)

    private func addWarnings(to sheet: inout SheetLayout) {
        sheet.put(
            "Warnings: the trip counts, one of its measures does not", .heading, row: sheet.row, column: 0,
            sized: false)
        sheet.row += 1
        let headers = ["Code", "Count", "Meaning"]
        let headerRow = sheet.row
        for (column, title) in headers.enumerated() {
            sheet.put(title, column == 1 ? .numberHeader : .header, row: headerRow, column: column)
        }
        let warnings = summary.quality.warnings.sorted { $0.key < $1.key }
        for (offset, warning) in warnings.enumerated() {
            let row = headerRow + 1 + offset
            sheet.put(warning.key, .body, row: row, column: 0)
            sheet.put(.sum(warning.value, .count), .body, row: row, column: 1)
            let meaning = WarningCode(rawValue: warning.key)?.explanation ?? "a code of a later version"
            sheet.put(meaning, .body, row: row, column: 2)
        }
        sheet.row = headerRow + 1 + warnings.count
        if warnings.isEmpty {
            sheet.put("No warnings.", .note, row: sheet.row, column: 0, sized: false)
        } else {
            sheet.table = SheetLayout.Table(
                name: "Warnings", headerRow: headerRow, headers: headers, rowCount: warnings.count)
        }
    }
}
