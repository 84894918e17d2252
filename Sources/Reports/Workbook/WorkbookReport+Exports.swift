internal import KPIContract

extension WorkbookReport {
    /// How many files the figures are made of, how many they go without, and the days that none of them speaks of.
    func addExports(to sheet: inout SheetLayout) {
        guard !exportLines.isEmpty else { return }
        sheet.put("Exports: what the figures are made of", .heading, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        for line in exportLines {
            sheet.put(line.title, .body, row: sheet.row, column: 0)
            sheet.put(.value(line.count, .count), .body, row: sheet.row, column: 1)
            sheet.put(line.meaning, .body, row: sheet.row, column: 2, sized: false)
            sheet.row += 1
        }
        sheet.row += 1
    }

    var exportLines: [(title: String, count: Int, meaning: String)] {
        let quality = summary.quality
        guard let exports = quality.exports else { return [] }
        var lines: [(title: String, count: Int, meaning: String)] = [
            ("Exports loaded", exports.loaded, "their trips are in the figures"),
            ("Exports failed", exports.failed, "could not be loaded; nothing of them is in any figure"),
            ("Exports waived", exports.waived, "failed, and passed over for a stated reason"),
        ]
        if let missing = quality.missingDayCount {
            let listed = quality.missingDays ?? []
            let more = missing > listed.count ? " and more" : ""
            lines.append(("Missing days", missing, listed.joined(separator: ", ") + more))
        }
        return lines
    }
}
