// RFC 4180 lets a quoted field hold line ends, so two stray quotes hundreds of rows apart make one record of all that
// lies between them, and nothing is rejected. The lines show it: each has the delimiters of a row.
extension CSVBlockScanner {
    /// Notes the records that hold lines of other records; only called where the scan has seen a line end in quotes.
    func noteSwallowedLines(_ window: RecordWindow) {
        for record in 0..<window.recordCount {
            // The window's invariant: the record lies in it.
            let start = window.recordStart(record), end = window.recordEnd(record)
            guard spansLines(window, from: start, to: end) else { continue }
            let rows = rowLikeLines(window, from: start, to: end)
            guard rows > 1 else { continue }
            window.swallowed.append(
                SwallowedLines(
                    position: start, recordInBlock: Int(window.recordNumbers[record]), lines: rows - 1))
        }
    }

    /// How many lines of a record have the delimiters of a row, quotes or not.
    ///
    /// A record has one such line of its own at most, where all its line ends are in its first or its last field.
    private func rowLikeLines(_ window: RecordWindow, from start: Int, to end: Int) -> Int {
        let bytes = window.bytes
        var rows = 0, delimiters = 0
        var lineStart = start
        func endLine(_ at: Int) {
            if isRowLike(delimiters, endsWithDelimiter: at > lineStart && bytes[at - 1] == dialect.delimiter) {
                rows += 1
            }
            delimiters = 0
        }
        var at = start
        while at < end {
            let byte = bytes[at]
            if byte == dialect.delimiter {
                delimiters += 1
            } else if byte == CSVDialect.lineFeed || byte == CSVDialect.carriageReturn {
                endLine(at)
                // `end` is within the window, and so is the byte after this one.
                if byte == CSVDialect.carriageReturn, at + 1 < end, bytes[at + 1] == CSVDialect.lineFeed { at += 1 }
                lineStart = at + 1
            }
            at += 1
        }
        // Of a record that ends with CRLF the CR is no line end of its own.
        if lineStart < end { endLine(end) }
        return rows
    }

    private func isRowLike(_ delimiters: Int, endsWithDelimiter: Bool) -> Bool {
        let own = dialect.fieldCount - 1
        // With one column every line is as a row should be.
        guard own > 0 else { return false }
        if delimiters == own { return true }
        return delimiters == own + 1 && endsWithDelimiter || delimiters == own - 1 && own > 1 && dialect.lastNameIsBlank
    }
}
