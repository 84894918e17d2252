/// A sheet of the accessible workbook: a title in A1, sentences below it, then one table at the left edge down to the
/// last row. No cell of the table is empty.
struct PlainSheet {
    enum Content {
        case text(String)
        case figure(Figure)
    }

    var name: String
    var title: String
    /// A line each, above the table.
    var lines: [String]
    /// Of the table; nil: the sheet has none.
    var tableName: String?
    var headers: [String] = []
    var rows: [[Content]] = []

    /// No column is wider; longer text wraps.
    private static let widest = 60
    private static let pointsPerLine = 15.0

    func layout() -> SheetLayout {
        var sheet = SheetLayout(name: name)
        sheet.isPlain = true
        sheet.put(title, .plainTitle, row: 0, column: 0, sized: false)
        sheet.row = 1
        for line in lines {
            // A sentence runs over the empty cells beside it; on a sheet without a table it wraps.
            sheet.put(line, tableName == nil ? .plain : .plainFigure, row: sheet.row, column: 0, sized: false)
            if tableName == nil { sheet.setHeight(sheet.row, Self.pointsPerLine * Double(1 + line.count / 100)) }
            sheet.row += 1
        }
        guard let tableName else {
            sheet.setWidth(0, 100)
            return sheet
        }
        let headerRow = sheet.row
        for (column, header) in headers.enumerated() {
            sheet.put(header, isNumber(column) ? .plainNumberHeader : .plainHeader, row: headerRow, column: column)
        }
        for (offset, row) in rows.enumerated() { add(row, at: headerRow + 1 + offset, to: &sheet) }
        for (column, width) in sheet.widths { sheet.setWidth(column, min(width, Self.widest)) }
        let lines = headers.enumerated().map { column, header in
            1 + header.count / max(1, (sheet.widths[column] ?? Self.widest) - 3)
        }
        sheet.setHeight(headerRow, Self.pointsPerLine * Double(lines.max() ?? 1))
        sheet.table = SheetLayout.Table(
            name: tableName, headerRow: headerRow, headers: headers, rowCount: rows.count)
        sheet.repeatedRows = 0...headerRow
        return sheet
    }

    private func isNumber(_ column: Int) -> Bool {
        if case .figure = rows.first?[column] { true } else { false }
    }

    private func add(_ row: [Content], at place: Int, to sheet: inout SheetLayout) {
        var lines = 1
        for (column, content) in row.enumerated() {
            switch content {
            case .text(let text):
                sheet.put(text, .plain, row: place, column: column)
                lines = max(lines, 1 + text.count / (Self.widest - 4))
            case .figure(let figure): sheet.put(figure, .plainFigure, row: place, column: column)
            }
        }
        if lines > 1 { sheet.setHeight(place, Self.pointsPerLine * Double(lines)) }
    }
}
