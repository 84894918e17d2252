/// A row of a workbook.
package struct SheetRow: Sendable, Hashable {
    /// As a spreadsheet program shows them, from 1.
    package let sheet: Int
    /// From 1.
    package let row: Int

    package init(sheet: Int, row: Int) {
        self.sheet = sheet
        self.row = row
    }
}
