internal import KPIContract

extension WorkbookReport {
    /// What this workbook is, how fresh, and what stands where.
    func coverSheet(of names: [String], _ chart: ChartLayout?) -> SheetLayout {
        var sheet = frame("Cover", title: "Ambulance trip KPIs")
        sheet.repeatedRows = 0...1
        sheet.frozenRows = 2
        sheet.row += 1
        for (title, text) in coverLines {
            sheet.put(title, .label, row: sheet.row, column: 0, sized: false)
            sheet.put(text, .body, row: sheet.row, column: 1, sized: false)
            sheet.row += 1
        }
        let days = [("Data through", Figure.day(summary.dataThrough)), ("Generated on", .day(summary.generatedAt))]
        for (title, day) in days {
            sheet.put(title, .label, row: sheet.row, column: 0, sized: false)
            sheet.put(day, .day, row: sheet.row, column: 1)
            sheet.row += 1
        }
        sheet.row += 1
        addContents(names, to: &sheet)
        if var chart {
            chart.row = sheet.row + 1
            sheet.charts = [chart]
        }
        sheet.setWidth(0, 24)
        sheet.setWidth(1, 100)
        return sheet
    }

    /// What both profiles say of the workbook before anything else.
    var coverLines: [(title: String, text: String)] {
        let months = monthTotals.map(\.month)
        let period = months.first.map { first in
            months.last.map { $0 == first ? first : "\(first) to \($0)" } ?? first
        }
        var lines = [("Months", period ?? "none")]
        if !selection.isEmpty { lines.append(("Selection", selection.joined(separator: "; "))) }
        if !summary.withheldMonths.isEmpty {
            lines.append(("Months withheld", summary.withheldMonths.joined(separator: ", ")))
        }
        let restated = (summary.restatements ?? []).map(\.month)
        if !restated.isEmpty { lines.append(("Months restated", restated.joined(separator: ", "))) }
        let pending = summary.monthsWithRevisionPending
        if !pending.isEmpty { lines.append(("Revision pending", pending.joined(separator: ", "))) }
        return lines + [("Run", runID), ("Rules", summary.rules.name)]
    }

    private func addContents(_ names: [String], to sheet: inout SheetLayout) {
        let headers = ["Sheet", "What it shows"]
        let headerRow = sheet.row
        for (column, title) in headers.enumerated() { sheet.put(title, .header, row: headerRow, column: column) }
        for (offset, name) in names.enumerated() {
            sheet.link(to: name, row: headerRow + 1 + offset, column: 0)
            sheet.put(Self.contents[name] ?? "", .body, row: headerRow + 1 + offset, column: 1, sized: false)
        }
        sheet.table = SheetLayout.Table(name: "Contents", headerRow: headerRow, headers: headers, rowCount: names.count)
        sheet.row = headerRow + 1 + names.count
    }

    static let contents = [
        "Summary": "Key figures, and every month over all regions and trip types",
        "Comparisons": "Each month against the month and the year before; 12 months, and fiscal year to date",
        "In-house v contracted": "Trips and cost of the health system's own trips and of contractors; chart",
        "Region × type": "Every month, region and trip type: a table to filter",
        "Times": "Six intervals of every cell: trips used and excluded, mean, median, p90",
        "Restated": "Months whose figures differ from those published before, with both",
        "Data quality": "What became of every record, exports, missing days, warnings",
        "Definitions": "What each figure means, privacy, and which rules and run made it",
        "Notes": "What to know before figures are compared or added up",
    ]
}
