/// One sheet, laid out as plain values before anything is handed to libxlsxwriter. Rows and columns count from 0.
package struct SheetLayout {
    struct PlacedCell {
        var row: Int
        var column: Int
        var content: CellContent
        var style: CellStyle
    }

    /// A real Excel table: header row and, if it is not plain, autofilter and bands.
    package struct MarkedTable {
        /// ASCII, unique in the workbook.
        package var name: String
        package var headerRow: Int
        package var headers: [String]
        package var rowCount: Int
        package var isPlain: Bool
    }

    /// A cell that formulas anywhere may name.
    package struct NamedCell {
        /// ASCII, unique in the workbook.
        package var name: String
        package var row: Int
        package var column: Int
    }

    package let name: String
    /// Without frozen panes, bands, filters, page headers and footers; with gridlines.
    package let isPlain: Bool
    private(set) var cells: [PlacedCell] = []
    package private(set) var widths: [Int: Int] = [:]
    /// Row heights in points, where a row must be higher than its text makes it.
    package private(set) var heights: [Int: Double] = [:]
    package var table: MarkedTable?
    package var charts: [ChartLayout] = []
    package var names: [NamedCell] = []
    package var frozenRows = 0
    package var frozenColumns = 0
    /// Rows repeated at the top of each printed page.
    package var repeatedRows: ClosedRange<Int>?
    /// Whether it is printed on Legal paper, as wide as one page.
    package var isOnWidePaper = false
    /// The last row and column that are printed; nil: all that there is.
    package var printedCorner: (row: Int, column: Int)?
    /// The next free row.
    package var row = 0
    /// The longest line that runs over the cells beside it.
    private(set) var lineCharacters = 0
    /// The last row and the last column with a cell.
    private(set) var lastCell = (row: 0, column: 0)

    package init(name: String, isPlain: Bool = false) {
        self.name = name
        self.isPlain = isPlain
    }

    /// The name of a cell as formulas write it (`B7`).
    package static func cellName(row: Int, column: Int) -> String { columnName(column) + String(row + 1) }

    /// The name of a cell that does not move with the formula (`$B$7`).
    package static func absoluteName(row: Int, column: Int) -> String { "$\(columnName(column))$\(row + 1)" }

    /// The name of a part of a column (`B9:B20`).
    package static func rangeName(rows: Range<Int>, column: Int) -> String {
        cellName(row: rows.lowerBound, column: column) + ":" + cellName(row: rows.upperBound - 1, column: column)
    }

    private static func columnName(_ column: Int) -> String {
        var letters = ""
        var rest = column + 1
        while rest > 0 {
            rest -= 1
            letters = String(UnicodeScalar(UInt8(65 + rest % 26))) + letters
            rest /= 26
        }
        return letters
    }

    /// Text; `sized` text makes its column wide enough.
    package mutating func put(
        _ text: String, _ role: CellStyle.Role, format: String? = nil, row: Int, column: Int, sized: Bool = true
    ) {
        place(.text(text), CellStyle(role, format: format), row: row, column: column)
        guard sized else { return }
        let isHeader = [.header, .numberHeader, .plainHeader, .plainNumberHeader].contains(role)
        widen(column, to: isHeader ? Self.headerWidth(text) : text.count + (format?.count ?? 0) + 3)
    }

    /// A header wraps at its spaces, to three lines at most; some characters more leave room for the filter button.
    package static func headerWidth(_ text: String) -> Int {
        max((text.split(separator: " ").map(\.count).max() ?? 0) + 4, text.count / 3 + 5)
    }

    /// The name of a sheet, which leads to it.
    package mutating func link(to sheet: String, row: Int, column: Int) {
        place(.sheetLink(sheet), CellStyle(.link), row: row, column: column)
    }

    package mutating func place(_ content: CellContent, _ style: CellStyle, row: Int, column: Int) {
        cells.append(PlacedCell(row: row, column: column, content: content, style: style))
        lastCell = (max(lastCell.row, row), max(lastCell.column, column))
    }

    package mutating func widen(_ column: Int, to width: Int) { widths[column] = max(widths[column] ?? 9, width) }

    package mutating func setWidth(_ column: Int, _ width: Int) { widths[column] = width }

    package mutating func setHeight(_ row: Int, _ points: Double) { heights[row] = points }

    /// A line in the first column, which runs over the cells beside it.
    package mutating func addLine(_ text: String, _ role: CellStyle.Role = .note) {
        put(text, role, row: row, column: 0, sized: false)
        lineCharacters = max(lineCharacters, text.count)
        row += 1
    }

    /// A paragraph, broken at spaces into rows of at most `width` characters: nothing is merged, nothing is cut.
    package mutating func addParagraph(_ text: String, _ role: CellStyle.Role = .note, width: Int = 110) {
        var line = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                addLine(line, role)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { addLine(line, role) }
    }
}
