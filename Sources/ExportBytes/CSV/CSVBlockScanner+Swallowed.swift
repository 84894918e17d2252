// RFC 4180 lets a quoted field hold line ends, so two stray quotes hundreds of rows apart make one record of all that
// lies between them, and nothing is rejected. The lines show it: each has the delimiters of a row. A line of an address or
// a note may have as many where there are few columns, so there it must also begin as the record itself does.
extension CSVBlockScanner {
    /// Notes the records that hold lines of other records; only called where the scan has seen a line end in quotes.
    func noteSwallowedLines(_ window: RecordWindow) {
        window.forEachQuotedRecord(from: 0, count: window.recordCount) { record in
            // The window's invariant: the record lies in it.
            let start = window.recordStart(record), end = window.recordEnd(record)
            guard spansLines(window, from: start, to: end) else { return }
            let (rows, others) = rowLikeLines(window, from: start, to: end)
            let isOfRows = rows > 1 && rows > leastLines(window, from: start, to: end, isNarrow: isNarrow)
            let isOfOthers = others > 1 && others > leastLines(window, from: start, to: end, isNarrow: true)
            guard isOfRows || isOfOthers else { return }
            let lines = (isOfRows || rows == 1 ? rows : 0) + (isOfOthers ? others : 0) - 1
            window.swallowed.append(
                SwallowedLines(
                    position: start, recordInBlock: Int(window.recordNumbers[record]), lines: lines))
        }
    }

    /// Up to so many columns, a line of ordinary text may have the delimiters of a row.
    private static let mostNarrowColumns = 6
    /// So many lines of a narrow export whose first column is text must look like records: words look alike.
    private static let leastLinesOfWords = 10

    private var isNarrow: Bool { dialect.fieldCount <= Self.mostNarrowColumns }

    private func leastLines(_ window: RecordWindow, from start: Int, to end: Int, isNarrow: Bool) -> Int {
        let hasNumber = FieldOutline(window, from: start, to: end, delimiter: dialect.delimiter).hasNumber
        return isNarrow && !hasNumber ? Self.leastLinesOfWords : 1
    }

    /// How many lines of a record have the delimiters of a row, quotes or not, and in a narrow export begin as the
    /// record does. `others` have more or a few fewer delimiters, and begin as the record does: rows that are damaged as
    /// well.
    ///
    /// A record has one such line of its own at most, where all its line ends are in its first or its last field.
    private func rowLikeLines(_ window: RecordWindow, from start: Int, to end: Int) -> (rows: Int, others: Int) {
        let bytes = window.bytes
        var rows = 0, others = 0, delimiters = 0
        var lineStart = start
        func outline(_ from: Int, _ to: Int) -> FieldOutline {
            FieldOutline(window, from: from, to: to, delimiter: dialect.delimiter)
        }
        lazy var own = outline(start, end)
        let fewest = max(1, (dialect.fieldCount - 1) * 3 / 4)
        func endLine(_ at: Int) {
            if isRowLike(delimiters, endsWithDelimiter: at > lineStart && bytes[at - 1] == dialect.delimiter) {
                if !isNarrow || outline(lineStart, at) == own { rows += 1 }
            } else if !isNarrow, delimiters >= fewest, outline(lineStart, at) == own {
                others += 1
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
        return (rows, others)
    }

    private func isRowLike(_ delimiters: Int, endsWithDelimiter: Bool) -> Bool {
        let own = dialect.fieldCount - 1
        // With one column every line is as a row should be.
        guard own > 0 else { return false }
        if delimiters == own { return true }
        return dialect.allowsTrailingDelimiter && delimiters == own + 1 && endsWithDelimiter
            || delimiters == own - 1 && own > 1 && dialect.lastNameIsBlank
    }
}

/// The form of a line's first field: words, numbers and the signs between them, whatever their length. A run of letters
/// and digits is a number if it has a digit, so `T7`, `12` and `3f2a` are alike, and `Miami` and `12 Main St` are not.
private struct FieldOutline: Equatable {
    private static let longest = 64
    private(set) var hasNumber = false
    private var signs: [UInt8] = []

    /// - Parameters:
    ///   - start: of the line.
    ///   - end: of the line or beyond.
    init(_ window: RecordWindow, from start: Int, to end: Int, delimiter: UInt8) {
        let word = UInt8(ascii: "a"), number = UInt8(ascii: "9")
        for at in start..<min(end, start + Self.longest) {
            // The caller's range lies in the window.
            let byte = window.bytes[at]
            if byte == delimiter || byte == CSVDialect.lineFeed || byte == CSVDialect.carriageReturn { break }
            if byte == CSVDialect.quote { continue }
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
            if isDigit { hasNumber = true }
            switch (signs.last, isDigit || isLetter) {
            case (word, true): if isDigit { signs[signs.count - 1] = number }
            case (number, true): break
            case (_, true): signs.append(isDigit ? number : word)
            case (_, false): signs.append(byte)
            }
        }
    }
}
