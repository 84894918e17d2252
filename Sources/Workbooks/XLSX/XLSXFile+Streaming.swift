import CXLSXWriter
import Files

/// A text that is made ready once for many cells; what a spreadsheet could take for a formula is made harmless.
package struct PreparedText {
    /// Lives as long as the workbook.
    fileprivate let pointer: UnsafeMutablePointer<CChar>
}

/// A cell format that is looked up once for many cells.
package struct PreparedFormat {
    /// Lives as long as the workbook; nil: the default format.
    fileprivate let pointer: UnsafeMutablePointer<lxw_format>?

    package static var standard: PreparedFormat { PreparedFormat(pointer: nil) }
}

/// A sheet that keeps one row in memory: cells are written row by row from the top.
package final class StreamedSheet {
    let name: String
    private let file: XLSXFile
    /// Lives as long as `file`.
    private let sheet: XLSXFile.Worksheet

    /// An empty sheet after the others.
    package init(_ name: String, widths: [Double], in file: XLSXFile) throws(WorkbookError) {
        self.name = name
        self.file = file
        sheet = try file.begin(name).handle
        for (column, width) in widths.enumerated() {
            worksheet_set_column(sheet, lxw_col_t(column), lxw_col_t(column), width, nil)
        }
        worksheet_set_landscape(sheet)
        worksheet_set_paper(sheet, 1)
        worksheet_fit_to_pages(sheet, 1, 0)
    }

    package func setPrinted(stamp: String, footer: String) {
        worksheet_set_header(sheet, XLSXFile.printed(stamp))
        worksheet_set_footer(sheet, footer)
    }

    package func freeze(rows: Int, columns: Int) { worksheet_freeze_panes(sheet, lxw_row_t(rows), lxw_col_t(columns)) }

    package func repeatRows(_ count: Int) { worksheet_repeat_rows(sheet, 0, lxw_row_t(count - 1)) }

    package func setHeight(_ row: Int, _ points: Double) throws(WorkbookError) {
        try file.check(worksheet_set_row(sheet, lxw_row_t(row), points, nil), "row \(row + 1) of \(name)")
    }

    package func filter(_ rows: ClosedRange<Int>, columns: Int) {
        worksheet_autofilter(
            sheet, lxw_row_t(rows.lowerBound), 0, lxw_row_t(rows.upperBound), lxw_col_t(columns - 1))
    }

    /// Marks up rows that were written already. libxlsxwriter refuses that because it would write the header, whose row
    /// has left memory; it is in the file already, and the copy is never asked for.
    package func add(_ table: SheetLayout.MarkedTable) throws(WorkbookError) {
        let mode = sheet.pointee.optimize
        sheet.pointee.optimize = 0
        defer { sheet.pointee.optimize = mode }
        try file.add(table, to: sheet)
    }

    package func write(_ text: String, _ style: CellStyle, row: Int, column: Int) throws(WorkbookError) {
        let format = try file.format(for: style)
        try check(worksheet_write_string(sheet, lxw_row_t(row), lxw_col_t(column), text, format), row)
    }

    @inline(__always)
    package func write(_ text: PreparedText, _ format: PreparedFormat, row: Int, column: Int) throws(WorkbookError) {
        try check(
            worksheet_write_string(sheet, lxw_row_t(row), lxw_col_t(column), text.pointer, format.pointer), row)
    }

    /// - Parameter characters: ASCII, ended with a 0.
    @inline(__always)
    package func write(_ characters: [CChar], _ format: PreparedFormat, row: Int, column: Int) throws(WorkbookError) {
        try check(worksheet_write_string(sheet, lxw_row_t(row), lxw_col_t(column), characters, format.pointer), row)
    }

    @inline(__always)
    package func write(_ number: Double, _ format: PreparedFormat, row: Int, column: Int) throws(WorkbookError) {
        try check(worksheet_write_number(sheet, lxw_row_t(row), lxw_col_t(column), number, format.pointer), row)
    }

    @inline(__always)
    private func check(_ result: lxw_error, _ row: Int) throws(WorkbookError) {
        guard result != LXW_NO_ERROR else { return }
        try file.check(result, "row \(row + 1) of \(name)")
    }
}

extension XLSXFile {
    /// Nil only when memory has run out.
    package func prepare(_ text: String) -> PreparedText? {
        strings.pointer(to: CSVText.harmless(text)).map { PreparedText(pointer: $0) }
    }

    package func prepare(_ style: CellStyle) throws(WorkbookError) -> PreparedFormat {
        PreparedFormat(pointer: try format(for: style))
    }
}
