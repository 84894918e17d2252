package import Basics
import CXLSXWriter
package import Files

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The library that writes workbooks.
package enum WorkbookLibrary {
    package static var version: String { String(cString: lxw_version()) }
}

/// Owns a libxlsxwriter workbook and everything made in it. All unsafe pointers of workbooks are in this type, its
/// extensions and the types beside them.
///
/// Enters: `SheetLayout` values, or lines of a `StreamedSheet`. Leaves: one `.xlsx` at the path given. The handles live
/// from `init` to `close()` or `deinit`. It never writes data text as anything but a string, so no text of an export can
/// become a formula.
///
/// libxlsxwriter 1.1.4 has bugs that were fixed later; this type avoids them: names of sheets and tables are fixed, ASCII
/// or short and never empty; tables always name their columns; defined names are fixed, ASCII and short; no selections,
/// array formulas or data validation are used.
package final class XLSXFile {
    typealias Worksheet = UnsafeMutablePointer<lxw_worksheet>

    /// A sheet that has its place and is yet to be filled. Valid as long as the file.
    package struct EmptySheet {
        let handle: Worksheet
    }

    /// As errors name the file.
    private let name: String
    // Valid until `close()` or `deinit` frees it; formats and sheets live as long.
    private(set) var workbook: UnsafeMutablePointer<lxw_workbook>?
    private var formats: [CellStyle: UnsafeMutablePointer<lxw_format>] = [:]
    let strings = CStringPool()

    /// - Parameters:
    ///   - draft: the file to write. libxlsxwriter puts its temporary parts beside it, not in the system's folder.
    ///   - isStreamed: sheets that are begun here keep one row; they may be large.
    package init(_ draft: borrowing AtomicFile, isStreamed: Bool = false) throws(WorkbookError) {
        name = draft.path
        var options = lxw_workbook_options(
            constant_memory: isStreamed ? 1 : 0, tmpdir: strings.pointer(to: FilePath.folder(of: draft.path)),
            use_zip64: isStreamed ? 1 : 0)
        workbook = workbook_new_opt(strings.pointer(to: draft.part), &options)
        guard workbook != nil else { throw WorkbookError(.cannotWrite, place: name, reason: "out of memory") }
    }

    deinit {
        if let workbook { lxw_workbook_free(workbook) }
    }

    /// Writes a workbook for its owner only, whole or not at all: what is at `path` is replaced when it is complete.
    ///
    /// - Parameter check: shown the whole file before that; if it throws, the file is discarded.
    package static func write(to path: String, check: ([UInt8]) throws -> Void, fill: (XLSXFile) throws -> Void) throws
    {
        let draft = try AtomicFile(output: path)
        try check(makeTwice(draft, fill: fill))
        try draft.publish()
    }

    /// The bytes of a workbook that goes into a set with other files; nothing stays in the folder.
    package static func bytes(madeIn folder: String, fill: (XLSXFile) throws -> Void) throws -> [UInt8] {
        try makeTwice(AtomicFile("\(folder)/workbook.xlsx", part: "\(folder)/workbook.part"), fill: fill)
    }

    /// libxlsxwriter does not check its writes to temporary parts, and a workbook with an incomplete part differs from a whole
    /// one: so it is written twice at the same place, and the two are compared.
    private static func makeTwice(
        _ draft: borrowing AtomicFile, fill: (XLSXFile) throws -> Void
    ) throws -> [UInt8] {
        let bytes = try make(draft, fill: fill)
        guard try make(draft, fill: fill) == bytes else {
            throw WorkbookError(.cannotWrite, place: draft.path, reason: "a temporary part could not be written")
        }
        return bytes
    }

    private static func make(_ draft: borrowing AtomicFile, fill: (XLSXFile) throws -> Void) throws -> [UInt8] {
        let file = try XLSXFile(draft)
        try fill(file)
        try file.close()
        return try OpenFile(draft.part, for: .read).read(from: 0)
    }

    /// Document properties. No author and no company are set.
    package func setProperties(
        title: String, subject: String, createdAt: UTCTime, custom: [(name: String, value: String)] = []
    ) throws(WorkbookError) {
        var properties = lxw_doc_properties()
        properties.title = strings.pointer(to: title)
        properties.subject = strings.pointer(to: subject)
        // 0 would mean "now" to libxlsxwriter, and the file would differ from run to run.
        properties.created = time_t(max(1, createdAt.secondsSince1970))
        try check(workbook_set_properties(workbook, &properties), "document properties")
        for property in custom {
            try check(
                workbook_set_custom_property_string(workbook, property.name, CStringPool.clean(property.value)),
                "custom property \(property.name)")
        }
    }

    /// An empty sheet after the others.
    package func begin(_ name: String) throws(WorkbookError) -> EmptySheet {
        guard let sheet = workbook_add_worksheet(workbook, name) else {
            // The name is one of ours; memory, or a temporary part of a streamed sheet, is the machine's.
            throw WorkbookError(.cannotWrite, place: self.name, reason: "sheet \(name) could not be added")
        }
        return EmptySheet(handle: sheet)
    }

    /// Fills a sheet. If it is not plain, the stamp and the page are on each printed page.
    ///
    /// - Parameters:
    ///   - begun: the place of the sheet among the others; nil: after them.
    ///   - stamp: at the top of each printed page.
    package func add(
        _ layout: SheetLayout, at begun: EmptySheet? = nil, stamp: String?, footer: String
    ) throws(WorkbookError) {
        let sheet = if let begun { begun.handle } else { try begin(layout.name).handle }
        // Of a streamed workbook this sheet is held whole: its cells come in any order.
        sheet.pointee.optimize = 0
        for (column, width) in layout.widths.sorted(by: { $0.key < $1.key }) {
            let column = lxw_col_t(clamping: column)
            try check(worksheet_set_column(sheet, column, column, Double(width), nil), layout.name)
        }
        for (row, points) in layout.heights.sorted(by: { $0.key < $1.key }) {
            try check(worksheet_set_row(sheet, lxw_row_t(clamping: row), points, nil), layout.name)
        }
        if let table = layout.table { try add(table, to: sheet) }
        for cell in layout.cells { try write(cell, to: sheet, named: layout.name) }
        for chart in layout.charts { try insert(chart, into: sheet, named: layout.name) }
        for name in layout.names {
            let quoted = layout.name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
            let cell = SheetLayout.absoluteName(row: name.row, column: name.column)
            try check(workbook_define_name(workbook, name.name, "='\(quoted)'!\(cell)"), "name \(name.name)")
        }
        try setPrint(sheet, layout)
        guard !layout.isPlain else { return }
        worksheet_freeze_panes(sheet, lxw_row_t(clamping: layout.frozenRows), lxw_col_t(clamping: layout.frozenColumns))
        worksheet_gridlines(sheet, UInt8(LXW_HIDE_ALL_GRIDLINES.rawValue))
        if let stamp {
            try check(worksheet_set_header(sheet, Self.printed(stamp)), "print header of sheet \(layout.name)")
        }
        try check(worksheet_set_footer(sheet, footer), "print footer of sheet \(layout.name)")
    }

    static func printed(_ stamp: String) -> String { "&C&\"Calibri,Bold\"&12\(stamp)" }

    /// Writes the file. The workbook is gone afterwards, whether that went well or not.
    package func close() throws(WorkbookError) {
        guard let open = workbook else { return }
        workbook = nil
        formats = [:]
        let result = workbook_close(open)
        guard result == LXW_NO_ERROR else {
            throw WorkbookError(.cannotWrite, place: name, reason: Self.text(of: result))
        }
    }

    private func write(
        _ cell: SheetLayout.PlacedCell, to sheet: Worksheet, named name: String
    ) throws(WorkbookError) {
        guard let row = lxw_row_t(exactly: cell.row), let column = lxw_col_t(exactly: cell.column) else {
            throw WorkbookError(.tooLarge, place: "sheet \(name)", reason: "a sheet has 1048576 rows")
        }
        let format = try format(for: cell.style)
        let place = "sheet \(name), cell \(SheetLayout.cellName(row: cell.row, column: cell.column))"
        switch cell.content {
        case .text(let text):
            // A string cell is no formula; it would be one in the CSV that somebody saves the sheet as.
            let text = CStringPool.clean(CSVText.harmless(text))
            try check(worksheet_write_string(sheet, row, column, text, format), place)
        case .sheetLink(let target):
            try check(worksheet_write_url(sheet, row, column, "internal:'\(target)'!A1", format), place)
            // The link's text is its address otherwise.
            try check(worksheet_write_string(sheet, row, column, CStringPool.clean(target), format), place)
        case .number(let number): try check(worksheet_write_number(sheet, row, column, number, format), place)
        case .formula(let formula, let cached):
            try check(worksheet_write_formula_num(sheet, row, column, formula, format, cached), place)
        }
    }

    func add(_ table: SheetLayout.MarkedTable, to sheet: Worksheet) throws(WorkbookError) {
        let isPlain = table.isPlain
        let count = table.headers.count
        // Both lists live until the table is added: libxlsxwriter copies them. The second ends with nil.
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
        try check(result, "table \(table.name)")
    }

    /// 8.5 × 11 and 8.5 × 14 inches.
    private static let letterPaper: UInt8 = 1, legalPaper: UInt8 = 5

    private func setPrint(_ sheet: Worksheet, _ layout: SheetLayout) throws(WorkbookError) {
        let page = SheetPage(layout)
        worksheet_set_landscape(sheet)
        worksheet_set_paper(sheet, layout.isOnWidePaper ? Self.legalPaper : Self.letterPaper)
        switch page.form {
        case .onePage: worksheet_fit_to_pages(sheet, 1, 1)
        case .wide(let count):
            worksheet_fit_to_pages(sheet, UInt16(clamping: count), 0)
            if count > 1 { try repeatRowNames(sheet, layout) }
        case .divided(let column, let scale):
            worksheet_set_print_scale(sheet, UInt16(clamping: scale))
            // Ended with a 0.
            var breaks = [lxw_col_t(clamping: column), 0]
            try check(worksheet_set_v_pagebreaks(sheet, &breaks), "page break of sheet \(layout.name)")
            // A scale does not fit the page: with wider fonts the last columns are on one of their own.
            try repeatRowNames(sheet, layout)
        }
        worksheet_set_margins(sheet, 0.5, 0.5, 0.75, 0.75)
        try check(
            worksheet_print_area(
                sheet, 0, 0, lxw_row_t(clamping: page.corner.row), lxw_col_t(clamping: page.corner.column)),
            "print area of sheet \(layout.name)")
        guard let rows = layout.repeatedRows else { return }
        try check(
            worksheet_repeat_rows(sheet, lxw_row_t(clamping: rows.lowerBound), lxw_row_t(clamping: rows.upperBound)),
            "repeated rows of sheet \(layout.name)")
    }

    /// The next page across begins with the names of the rows.
    private func repeatRowNames(_ sheet: Worksheet, _ layout: SheetLayout) throws(WorkbookError) {
        guard layout.frozenColumns > 0 else { return }
        try check(
            worksheet_repeat_columns(sheet, 0, lxw_col_t(clamping: layout.frozenColumns - 1)),
            "repeated columns of sheet \(layout.name)")
    }

    func format(for style: CellStyle) throws(WorkbookError) -> UnsafeMutablePointer<lxw_format> {
        if let made = formats[style] { return made }
        guard let format = workbook_add_format(workbook) else {
            throw WorkbookError(.library, place: "cell formats", reason: "a format could not be made")
        }
        Self.apply(CellFormat(style), to: format)
        formats[style] = format
        return format
    }

    private static func apply(_ look: CellFormat, to format: UnsafeMutablePointer<lxw_format>) {
        let vertical = look.isAtTop ? LXW_ALIGN_VERTICAL_TOP : LXW_ALIGN_VERTICAL_CENTER
        format_set_align(format, UInt8(vertical.rawValue))
        if look.isBold { format_set_bold(format) }
        if look.isItalic { format_set_italic(format) }
        if look.isUnderlined { format_set_underline(format, UInt8(LXW_UNDERLINE_SINGLE.rawValue)) }
        if let size = look.size { format_set_font_size(format, size) }
        if let color = look.color { format_set_font_color(format, color) }
        if let background = look.background { format_set_bg_color(format, background) }
        if look.wraps { format_set_text_wrap(format) }
        if let side = look.side {
            format_set_align(format, UInt8((side == .left ? LXW_ALIGN_LEFT : LXW_ALIGN_RIGHT).rawValue))
        }
        if let indent = look.indent { format_set_indent(format, indent) }
        if look.hasTopBorder { format_set_top(format, UInt8(LXW_BORDER_THIN.rawValue)) }
        if let number = look.numberFormat { format_set_num_format(format, number) }
    }

    func check(_ result: lxw_error, _ place: @autoclosure () -> String) throws(WorkbookError) {
        guard result != LXW_NO_ERROR else { return }
        let tooLarge = result == LXW_ERROR_WORKSHEET_INDEX_OUT_OF_RANGE
        throw WorkbookError(tooLarge ? .tooLarge : .library, place: place(), reason: Self.text(of: result))
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

    /// The text without what XML cannot carry, control characters (a NUL would also cut a C string) and noncharacters,
    /// and no longer than a cell may be.
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
        if text.utf8.contains(UInt8(ascii: "_")), let escape = text.firstMatch(of: #/_x[0-9A-Fa-f]{4}_/#) {
            // Readers take `_x0041_` for an A: its first character is escaped the same way. What follows may be one too.
            let end = text.index(after: escape.range.lowerBound)
            return clean(String(text[..<escape.range.lowerBound])) + "_x005F_" + clean(String(text[end...]))
        }
        guard text.unicodeScalars.contains(where: isForbidden) else { return text }
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: text.unicodeScalars.lazy.map { isForbidden($0) ? "\u{FFFD}" : $0 })
        return String(kept)
    }
}
