internal import CXLSXWriter
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Owns a libxlsxwriter workbook and everything made in it. All unsafe pointers of the workbook are in this type.
///
/// Enters: `SheetLayout` values. Leaves: one `.xlsx` at the path given. The handles live from `init` to `close()` or
/// `deinit`. It never writes data text as anything but a string, so no text of an export can become a formula.
///
/// libxlsxwriter 1.1.4 has bugs that were mended later; this type stays clear of them: names of sheets and tables are
/// ours, ASCII or short and never empty; tables always name their columns; defined names are ours, ASCII and short; no
/// selections, array formulas or data validation are used.
final class XLSXFile {
    private let path: String
    private var workbook: UnsafeMutablePointer<lxw_workbook>?
    private var formats: [CellStyle: UnsafeMutablePointer<lxw_format>] = [:]
    private let strings = CStringPool()

    /// - Parameters:
    ///   - path: the file to write; one that exists is overwritten and keeps its mode.
    ///   - temporaryFolder: where libxlsxwriter puts its parts, so that none lies in the system's temporary folder.
    ///   - isStreamed: sheets that are begun here keep one row; they may be large.
    init(path: String, temporaryFolder: String, isStreamed: Bool = false) throws(WorkbookError) {
        self.path = path
        var options = lxw_workbook_options(
            constant_memory: isStreamed ? 1 : 0, tmpdir: strings.pointer(to: temporaryFolder),
            use_zip64: isStreamed ? 1 : 0)
        workbook = workbook_new_opt(strings.pointer(to: path), &options)
        guard workbook != nil else {
            throw WorkbookError(.cannotCreate, place: path, reason: "out of memory")
        }
    }

    deinit {
        if let workbook { lxw_workbook_free(workbook) }
    }

    /// Document properties. No author and no company are set.
    func setProperties(
        title: String, subject: String, createdAt epochSeconds: Int, custom: [(name: String, value: String)]
    ) throws(WorkbookError) {
        var properties = lxw_doc_properties()
        properties.title = strings.pointer(to: title)
        properties.subject = strings.pointer(to: subject)
        // 0 would mean "now" to libxlsxwriter, and the file would differ from run to run.
        properties.created = time_t(max(1, epochSeconds))
        try check(workbook_set_properties(workbook, &properties), "document properties")
        for property in custom {
            try check(
                workbook_set_custom_property_string(workbook, property.name, CStringPool.clean(property.value)),
                "custom property \(property.name)")
        }
    }

    /// Sheets with the stamp and the page on each printed page; plain ones print only what is in their cells.
    func add(_ sheets: [SheetLayout], isInternal: Bool, footer: String) throws(WorkbookError) {
        for layout in sheets { try add(layout, isInternal: isInternal, footer: footer) }
    }

    /// - Parameter begun: the place of the sheet among the others; nil: after them.
    func add(
        _ layout: SheetLayout, at begun: UnsafeMutablePointer<lxw_worksheet>? = nil, isInternal: Bool, footer: String
    ) throws(WorkbookError) {
        let sheet = if let begun { begun } else { try begin(layout.name) }
        try fill(
            sheet, layout, header: isInternal && !layout.isPlain ? Self.printedStamp : nil,
            footer: layout.isPlain ? nil : footer)
    }

    static let printedStamp = "&C&\"Calibri,Bold\"&12\(SummaryReport.internalStamp)"

    /// An empty sheet after the others.
    func begin(_ name: String) throws(WorkbookError) -> UnsafeMutablePointer<lxw_worksheet> {
        guard let sheet = workbook_add_worksheet(workbook, name) else {
            throw WorkbookError(.library, place: "sheet \(name)", reason: "the sheet could not be added")
        }
        return sheet
    }

    /// Lays out an empty sheet.
    private func fill(
        _ sheet: UnsafeMutablePointer<lxw_worksheet>, _ layout: SheetLayout, header: String?, footer: String?
    ) throws(WorkbookError) {
        // Of a streamed workbook this sheet is held whole: its cells come in any order.
        sheet.pointee.optimize = 0
        for (column, width) in layout.widths.sorted(by: { $0.key < $1.key }) {
            let column = lxw_col_t(clamping: column)
            try check(worksheet_set_column(sheet, column, column, Double(width), nil), layout.name)
        }
        for (row, points) in layout.heights.sorted(by: { $0.key < $1.key }) {
            try check(worksheet_set_row(sheet, lxw_row_t(clamping: row), points, nil), layout.name)
        }
        if let table = layout.table {
            try add(table, to: sheet, named: layout.name, isPlain: layout.isPlain)
        }
        for cell in layout.cells { try write(cell, to: sheet, named: layout.name) }
        for chart in layout.charts { try insert(chart, into: sheet, named: layout.name) }
        for emphasis in layout.emphases { try mark(emphasis, on: sheet, named: layout.name) }
        for name in layout.names { try define(name, on: layout.name) }
        if !layout.isPlain {
            worksheet_freeze_panes(
                sheet, lxw_row_t(clamping: layout.frozenRows), lxw_col_t(clamping: layout.frozenColumns))
            worksheet_gridlines(sheet, UInt8(LXW_HIDE_ALL_GRIDLINES.rawValue))
        }
        try setPrint(sheet, layout, header: header, footer: footer)
    }

    /// Writes the file. The workbook is gone afterwards, whether that went well or not.
    func close() throws(WorkbookError) {
        guard let open = workbook else { return }
        workbook = nil
        formats = [:]
        let result = workbook_close(open)
        guard result == LXW_NO_ERROR else {
            throw WorkbookError(.cannotWrite, place: path, reason: Self.text(of: result))
        }
    }

    private func write(
        _ cell: SheetLayout.PlacedCell, to sheet: UnsafeMutablePointer<lxw_worksheet>, named name: String
    ) throws(WorkbookError) {
        guard let row = lxw_row_t(exactly: cell.row), let column = lxw_col_t(exactly: cell.column) else {
            throw WorkbookError(.tooLarge, place: "sheet \(name)", reason: "a sheet has 1048576 rows")
        }
        let format = try format(for: cell.style)
        let result =
            switch cell.content {
            case .text(let text):
                // A string cell is no formula; it would be one in the CSV that somebody saves the sheet as.
                worksheet_write_string(sheet, row, column, CStringPool.clean(CSVText.harmless(text)), format)
            case .sheetLink(let target):
                worksheet_write_url(sheet, row, column, "internal:'\(target)'!A1", format)
            case .number(let number): worksheet_write_number(sheet, row, column, number, format)
            case .formula(let formula, let cached):
                worksheet_write_formula_num(sheet, row, column, formula, format, cached)
            }
        try check(result, "sheet \(name), cell \(SheetLayout.cellName(row: cell.row, column: cell.column))")
        // The link's text is its address otherwise.
        if case .sheetLink(let target) = cell.content {
            try check(
                worksheet_write_string(sheet, row, column, CStringPool.clean(target), format), "link to \(target)")
        }
    }

    /// Marks up rows of a streamed sheet that were written already. libxlsxwriter refuses that because it would write the
    /// header, whose row has left memory; it stands there already, and the copy is never asked for.
    func add(
        _ table: SheetLayout.Table, toStreamed sheet: UnsafeMutablePointer<lxw_worksheet>, named name: String
    ) throws(WorkbookError) {
        let mode = sheet.pointee.optimize
        sheet.pointee.optimize = 0
        defer { sheet.pointee.optimize = mode }
        try add(table, to: sheet, named: name, isPlain: true)
    }

    private func add(
        _ table: SheetLayout.Table, to sheet: UnsafeMutablePointer<lxw_worksheet>, named name: String, isPlain: Bool
    ) throws(WorkbookError) {
        let count = table.headers.count
        let columns = UnsafeMutablePointer<lxw_table_column>.allocate(capacity: count)
        columns.initialize(repeating: lxw_table_column(), count: count)
        let list = UnsafeMutablePointer<UnsafeMutablePointer<lxw_table_column>?>.allocate(capacity: count + 1)
        list.initialize(repeating: nil, count: count + 1)
        defer {
            columns.deallocate()
            list.deallocate()
        }
        for (index, header) in table.headers.enumerated() {
            columns[index].header = strings.pointer(to: header)
            columns[index].header_format = try format(for: CellStyle(isPlain ? .plainHeader : .header))
            list[index] = columns + index
        }
        var options = lxw_table_options()
        options.name = strings.pointer(to: table.name)
        options.style_type = UInt8(LXW_TABLE_STYLE_TYPE_LIGHT.rawValue)
        options.style_type_number = isPlain ? 0 : 1
        options.no_autofilter = isPlain ? 1 : 0
        options.no_banded_rows = isPlain ? 1 : 0
        options.columns = list
        let result = worksheet_add_table(
            sheet, lxw_row_t(clamping: table.headerRow), 0, lxw_row_t(clamping: table.headerRow + table.rowCount),
            lxw_col_t(clamping: count - 1), &options)
        try check(result, "table \(table.name) of sheet \(name)")
    }

    /// In characters: more are smaller than half of their size on paper.
    private static let widestPage = 250

    private func setPrint(
        _ sheet: UnsafeMutablePointer<lxw_worksheet>, _ layout: SheetLayout, header: String?, footer: String?
    ) throws(WorkbookError) {
        worksheet_set_landscape(sheet)
        worksheet_set_paper(sheet, 1)
        // On one page such a sheet could not be read: the next ones begin with the names of the rows.
        let isTooWide = layout.frozenColumns > 0 && layout.widths.values.reduce(0, +) > Self.widestPage
        worksheet_fit_to_pages(sheet, isTooWide ? 2 : 1, 0)
        if isTooWide {
            try check(
                worksheet_repeat_columns(sheet, 0, lxw_col_t(clamping: layout.frozenColumns - 1)),
                "repeated columns of sheet \(layout.name)")
        }
        worksheet_set_margins(sheet, 0.5, 0.5, 0.75, 0.75)
        if let rows = layout.repeatedRows {
            try check(
                worksheet_repeat_rows(
                    sheet, lxw_row_t(clamping: rows.lowerBound), lxw_row_t(clamping: rows.upperBound)),
                "repeated rows of sheet \(layout.name)")
        }
        if let header { try check(worksheet_set_header(sheet, header), "print header of sheet \(layout.name)") }
        if let footer { try check(worksheet_set_footer(sheet, footer), "print footer of sheet \(layout.name)") }
    }

    private func insert(
        _ layout: ChartLayout, into sheet: UnsafeMutablePointer<lxw_worksheet>, named name: String
    ) throws(WorkbookError) {
        let kind = layout.kind == .line ? LXW_CHART_LINE : LXW_CHART_COLUMN_STACKED
        guard let chart = workbook_add_chart(workbook, UInt8(kind.rawValue)) else {
            throw WorkbookError(.library, place: "chart of sheet \(name)", reason: "the chart could not be made")
        }
        draw(layout, on: chart, sheetName: name)
        var options = lxw_chart_options()
        options.x_scale = 1.4
        options.y_scale = 1.25
        options.object_position = UInt8(LXW_OBJECT_MOVE_DONT_SIZE.rawValue)
        options.description = strings.pointer(to: layout.altText)
        let result = worksheet_insert_chart_opt(
            sheet, lxw_row_t(clamping: layout.row), lxw_col_t(clamping: layout.column), chart, &options)
        try check(result, "chart of sheet \(name)")
    }

    /// A name for one cell.
    private func define(_ name: (name: String, row: Int, column: Int), on sheet: String) throws(WorkbookError) {
        let quoted = sheet.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        let place = SheetLayout.absoluteName(row: name.row, column: name.column)
        try check(workbook_define_name(workbook, name.name, "='\(quoted)'!\(place)"), "name \(name.name)")
    }

    private func mark(
        _ emphasis: Emphasis, on sheet: UnsafeMutablePointer<lxw_worksheet>, named name: String
    ) throws(WorkbookError) {
        guard !emphasis.rows.isEmpty else { return }
        for var conditional in try conditionals(emphasis.kind) {
            let result = worksheet_conditional_format_range(
                sheet, lxw_row_t(clamping: emphasis.rows.lowerBound), lxw_col_t(clamping: emphasis.columns.lowerBound),
                lxw_row_t(clamping: emphasis.rows.upperBound - 1), lxw_col_t(clamping: emphasis.columns.upperBound),
                &conditional)
            try check(result, "conditional format of sheet \(name)")
        }
    }

    private func conditionals(_ kind: Emphasis.Kind) throws(WorkbookError) -> [lxw_conditional_format] {
        var conditional = lxw_conditional_format()
        switch kind {
        case .bars:
            conditional.type = UInt8(LXW_CONDITIONAL_DATA_BAR.rawValue)
            conditional.bar_color = 0x9DC3E6
            conditional.bar_solid = 1
            return [conditional]
        case .shades:
            conditional.type = UInt8(LXW_CONDITIONAL_2_COLOR_SCALE.rawValue)
            conditional.min_color = 0xFFFFFF
            conditional.max_color = 0xBDD7EE
            return [conditional]
        case .sign:
            conditional.type = UInt8(LXW_CONDITIONAL_TYPE_CELL.rawValue)
            conditional.criteria = UInt8(LXW_CONDITIONAL_CRITERIA_BETWEEN.rawValue)
            // A text such as "hidden" is above every number to a spreadsheet, so both ends are set.
            var fall = conditional
            conditional.min_value = 0.005
            conditional.max_value = 1e15
            conditional.format = try format(for: CellStyle(.rise))
            fall.min_value = -1e15
            fall.max_value = -0.005
            fall.format = try format(for: CellStyle(.fall))
            return [conditional, fall]
        }
    }

    func format(for style: CellStyle) throws(WorkbookError) -> UnsafeMutablePointer<lxw_format> {
        if let made = formats[style] { return made }
        guard let format = workbook_add_format(workbook) else {
            throw WorkbookError(.library, place: "cell formats", reason: "a format could not be made")
        }
        style.apply(to: format)
        formats[style] = format
        return format
    }

    func check(_ result: lxw_error, _ place: String) throws(WorkbookError) {
        guard result != LXW_NO_ERROR else { return }
        let tooLarge = result == LXW_ERROR_WORKSHEET_INDEX_OUT_OF_RANGE
        throw WorkbookError(tooLarge ? .tooLarge : .library, place: place, reason: Self.text(of: result))
    }

    private static func text(of error: lxw_error) -> String {
        lxw_strerror(error).map { String(cString: $0) } ?? "error \(error.rawValue)"
    }
}

/// C copies of strings that live as long as the workbook.
final class CStringPool {
    private var held: [UnsafeMutablePointer<CChar>] = []

    deinit {
        for pointer in held { free(pointer) }
    }

    /// Nil only when memory has run out; libxlsxwriter reads nil as "not set".
    func pointer(to text: String) -> UnsafeMutablePointer<CChar>? {
        guard let copy = strdup(Self.clean(text)) else { return nil }
        held.append(copy)
        return copy
    }

    /// What a cell holds at most, in UTF-16 units.
    private static let longest = 32_767

    /// The text without what XML cannot carry, and no longer than a cell may be: control characters (a NUL would also cut a C string) and noncharacters.
    static func clean(_ text: String) -> String {
        let isForbidden = { (scalar: Unicode.Scalar) -> Bool in
            (scalar.value < 0x20 && scalar != "\n" && scalar != "\t") || scalar.value & 0xFFFE == 0xFFFE
        }
        if text.utf8.count > longest, text.utf16.count > longest {
            // A character is 11 units at most where it is one that people write.
            var cut = text.utf16.index(text.startIndex, offsetBy: longest - 1)
            while cut.samePosition(in: text.unicodeScalars) == nil { cut = text.utf16.index(before: cut) }
            return clean(String(text.unicodeScalars[..<cut]) + "…")
        }
        guard text.unicodeScalars.contains(where: isForbidden) else { return text }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.lazy.map { isForbidden($0) ? "\u{FFFD}" : $0 })
        return String(kept)
    }
}
