import Reports

import KPIContract

/// One sheet, laid out as plain values before anything is handed to libxlsxwriter. Rows and columns count from 0.
struct SheetLayout {
    struct PlacedCell {
        var row: Int
        var column: Int
        var content: CellContent
        var style: CellStyle
    }

    /// A real Excel table: header row, and in the standard style autofilter and bands.
    struct MarkedTable {
        /// ASCII, unique in the workbook.
        var name: String
        var headerRow: Int
        var headers: [String]
        var rowCount: Int
    }

    let name: String
    let style: WorkbookStyle
    private(set) var cells: [PlacedCell] = []
    private(set) var widths: [Int: Int] = [:]
    /// Row heights in points, where a row must be higher than its text makes it.
    private(set) var heights: [Int: Double] = [:]
    var table: MarkedTable?
    var charts: [ChartLayout] = []
    var emphases: [Emphasis] = []
    /// Cells that formulas anywhere may name: ASCII, unique in the workbook.
    var names: [(name: String, row: Int, column: Int, value: ShownValue)] = []
    var frozenRows = 0
    var frozenColumns = 0
    /// Rows repeated at the top of each printed page.
    var repeatedRows: ClosedRange<Int>?
    /// Whether it is printed on Legal paper, as wide as one page.
    var isOnWidePaper = false
    /// The last row and column that are printed; nil: all that there is.
    var printedCorner: (row: Int, column: Int)?
    /// The next free row.
    var row = 0

    init(name: String, style: WorkbookStyle = .standard) {
        self.name = name
        self.style = style
    }

    /// The name of a cell as formulas write it (`B7`).
    static func cellName(row: Int, column: Int) -> String { columnName(column) + String(row + 1) }

    /// The name of a cell that does not move with the formula (`$B$7`).
    static func absoluteName(row: Int, column: Int) -> String { "$\(columnName(column))$\(row + 1)" }

    /// The name of a part of a column (`B9:B20`).
    static func rangeName(rows: Range<Int>, column: Int) -> String {
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
    mutating func put(_ text: String, _ role: CellStyle.Role, row: Int, column: Int, sized: Bool = true) {
        place(.text(text), CellStyle(role), row: row, column: column)
        guard sized else { return }
        let isHeader = [.header, .numberHeader, .plainHeader, .plainNumberHeader].contains(role)
        widen(column, to: isHeader ? Self.headerWidth(text) : text.count + 3)
    }

    /// A header wraps at its spaces, to three lines at most; some characters more leave room for the filter button.
    static func headerWidth(_ text: String) -> Int {
        max((text.split(separator: " ").map(\.count).max() ?? 0) + 4, text.count / 3 + 5)
    }

    /// A value, or the formula that reproduces it.
    mutating func put(
        _ value: ShownValue, _ role: CellStyle.Role, row: Int, column: Int, formula: String? = nil
    ) {
        if case .number(_, let unit, let coverage) = value, let number = value.cellNumber {
            var style = CellStyle(role, unit: unit)
            style.mark = coverage.mark
            place(
                formula.map { .formula($0, result: number) } ?? .number(number), style, row: row, column: column)
        } else {
            let style = CellStyle(role, absence: value == .hidden ? .hidden : .notApplicable)
            place(.text(value.word ?? ""), style, row: row, column: column)
        }
        let scale = role == .keyValue ? 8 : 5
        widen(column, to: (value.displayWidth * scale + 4) / 5 + 2)
    }

    /// The name of a sheet, which leads to it.
    mutating func link(to sheet: String, row: Int, column: Int) {
        place(.sheetLink(sheet), CellStyle(.link), row: row, column: column)
    }

    mutating func place(_ content: CellContent, _ style: CellStyle, row: Int, column: Int) {
        cells.append(PlacedCell(row: row, column: column, content: content, style: style))
    }

    mutating func widen(_ column: Int, to width: Int) { widths[column] = max(widths[column] ?? 9, width) }

    mutating func setWidth(_ column: Int, _ width: Int) { widths[column] = width }

    mutating func setHeight(_ row: Int, _ points: Double) { heights[row] = points }

    /// A line in the first column, which runs over the cells beside it.
    mutating func addLine(_ text: String, _ role: CellStyle.Role = .note) {
        put(text, role, row: row, column: 0, sized: false)
        row += 1
    }

    /// A paragraph, broken at spaces into rows of at most `width` characters: nothing is merged, nothing is cut.
    mutating func addParagraph(_ text: String, _ role: CellStyle.Role = .note, width: Int = 110) {
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

/// A chart over columns of the sheet it stands on, or of another.
struct ChartLayout {
    enum Kind {
        case line, stackedColumn
    }

    struct Series {
        var column: Int
        /// The column whose header names the series in the legend.
        var nameColumn: Int
        /// RGB, at least 3:1 against white.
        var color: UInt32
        var pattern: Pattern
    }

    /// Distinguishes series without colour.
    enum Pattern {
        case solid, striped, dotted
    }

    var kind: Kind
    var title: String
    /// What the chart shows, in words, for those who do not see it.
    var altText: String
    var valueAxis: String
    var valueFormat = "#,##0"
    var headerRow: Int
    var rows: Range<Int>
    var categoryColumn: Int
    var series: [Series]
    var row: Int
    var column: Int
    /// The sheet that has the columns; nil: its own.
    var dataSheet: String?
    /// A refund can leave less than nothing: then the axis goes below 0.
    var hasNegative = false
}

/// Cells that are marked by what is in them (conditional formats). The mark repeats what the number says.
struct Emphasis {
    enum Kind {
        /// Above 0 red, below 0 green.
        case sign
        /// A bar as long as the number is large.
        case bars
        /// The darker, the larger.
        case shades
    }

    var kind: Kind
    var rows: Range<Int>
    var columns: ClosedRange<Int>
}
