/// The spans of the needed fields of up to `rows` records, column by column.
///
/// Invariant: `spans[slot * rows + row]` is initialised for every slot and row below the capacity.
package final class SpanTable {
    package let slots: Int
    package let rows: Int
    package let spans: UnsafeMutablePointer<UInt64>
    /// Rows of the last `gather` that may have a quote in them.
    private var quotedRows: [Int] = []

    package init(slots: Int, rows: Int) {
        self.slots = slots
        self.rows = rows
        spans = .allocate(capacity: max(1, slots * rows))
        spans.initialize(repeating: 0, count: max(1, slots * rows))
    }

    deinit { spans.deallocate() }

    @inlinable
    package func column(_ slot: Int) -> UnsafeMutablePointer<UInt64> { spans + slot * rows }

    /// Gathers CSV fields: `columns[slot]` is the slot's place in a row. A place that rows may lack is absent: that of a
    /// blank last name.
    ///
    /// Records `from ..< from + count` of the window must exist; `fieldCount` is the header's width.
    package func gather(_ window: RecordWindow, from: Int, count: Int, columns: [Int], fieldCount: Int) {
        let separators = window.separators
        let firsts = window.firstSeparator + from
        let bytes = window.bytes
        let isSound = window.holdsRecords(from: from, count: count)
        quotedRows.removeAll(keepingCapacity: true)
        if isSound { window.forEachQuotedRecord(from: from, count: count) { quotedRows.append($0 &- from) } }
        // Rows by the hundred, so that their separators stay at hand while column after column is taken from them.
        for block in stride(from: 0, to: count, by: Self.rowsAtOnce) {
            let rows = block..<min(count, block + Self.rowsAtOnce)
            for (slot, column) in columns.enumerated() {
                let out = self.column(slot)
                if isSound, column > window.lastSeparator, window.trimmedDelimiter != 0 {
                    for row in rows { out[row] = window.trimmedField(column, of: from + row) }
                    continue
                }
                guard isSound, column <= window.lastSeparator else {
                    (out + rows.lowerBound).update(repeating: 0, count: rows.count)
                    continue
                }
                for row in rows {
                    // Every record has `lastSeparator + 1` separators in ascending order, all within the window: the
                    // column is one of these, and `isSound` says so of the outer two.
                    let at = Int(firsts[row]) &+ column
                    out[row] =
                        FieldSpan(start: Int(separators[at &- 1] &+ 1), end: Int(separators[at])).packed
                }
            }
        }
        for (slot, column) in columns.enumerated() where isSound {
            let out = self.column(slot)
            // The last column but one ends the row where the header's last name is blank.
            if column >= min(fieldCount - 2, window.lastSeparator) { trimLineEnds(out, bytes, count: count) }
            unquote(out, bytes)
        }
    }

    private static var rowsAtOnce: Int { 128 }

    /// A CR before the line feed belongs to the line end, not to the last field.
    private func trimLineEnds(_ column: UnsafeMutablePointer<UInt64>, _ bytes: UnsafePointer<UInt8>, count: Int) {
        for row in 0..<count {
            let span = FieldSpan(packed: column[row])
            if span.end > span.start, bytes[span.end] == CSVDialect.lineFeed,
                bytes[span.end &- 1] == CSVDialect.carriageReturn
            {
                column[row] = FieldSpan(start: span.start, end: span.end &- 1).packed
            }
        }
    }

    /// The tokenizer has made sure that a field that starts with a quote ends with one.
    private func unquote(_ column: UnsafeMutablePointer<UInt64>, _ bytes: UnsafePointer<UInt8>) {
        for row in quotedRows {
            let span = FieldSpan(packed: column[row])
            guard span.end > span.start, bytes[span.start] == CSVDialect.quote else { continue }
            let start = span.start &+ 1
            let end = max(start, span.end &- 1)
            var isDoubled = false
            for at in start..<end where bytes[at] == CSVDialect.quote { isDoubled = true }
            column[row] = FieldSpan(start: start, end: end, hasDoubledQuotes: isDoubled).packed
        }
    }

    /// Keeps the rows listed in `kept` (ascending), in order.
    package func select(_ kept: UnsafePointer<Int32>, count: Int) {
        for slot in 0..<slots {
            let column = self.column(slot)
            for row in 0..<count { column[row] = column[Int(kept[row])] }
        }
    }
}
