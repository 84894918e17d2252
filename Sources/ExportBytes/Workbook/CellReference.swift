/// A cell by its column and row, both from 1: `AB12` is in column 28 and row 12. A part that is missing is 0.
struct CellReference: Equatable {
    let column: Int
    let row: Int

    /// The column alone, which a cell needs that is read.
    @inline(__always)
    static func column(_ text: UnsafeBufferPointer<UInt8>) -> (number: Int, end: Int) {
        var column = 0, at = 0
        // No sheet has as many columns.
        while at < text.count, case let letter = text[at] & 0xDF, (0x41...0x5A).contains(letter), column < 20_000 {
            column = column * 26 + Int(letter - 0x40)
            at += 1
        }
        return (column, at)
    }

    init(_ text: UnsafeBufferPointer<UInt8>) {
        let (column, end) = Self.column(text)
        var row = 0, at = end
        // No sheet has as many rows.
        while at < text.count, case let digit = text[at] &- 0x30, digit <= 9, row < 10_000_000 {
            row = row * 10 + Int(digit)
            at += 1
        }
        self.column = column
        self.row = row
    }
}

/// Cells that are shown as one: `A2:B5`. The value is in the first.
struct MergedCells: Equatable {
    let columns: ClosedRange<Int>
    let rows: Range<Int>

    /// Nil: it is no range.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let first = CellReference(UnsafeBufferPointer(rebasing: text[..<colon]))
        let last = CellReference(UnsafeBufferPointer(rebasing: text[(colon + 1)...]))
        guard first.column > 0, first.row > 0, last.column >= first.column, last.row >= first.row else { return nil }
        columns = first.column...last.column
        rows = first.row..<last.row + 1
    }
}
