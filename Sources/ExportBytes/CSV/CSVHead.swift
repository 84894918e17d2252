/// The first rows of a delimited text, whatever they are: titles, a header, records.
package struct CSVHead {
    /// A row that is not blank.
    package struct Row: Sendable, Hashable {
        package var fields: [String]
        /// Where it starts in the head, and where the next one does.
        package var start: Int
        package var next: Int
    }

    package let delimiter: UInt8
    package let rows: [Row]
    /// Whether a line `sep=;` before everything else states the delimiter.
    package let statesDelimiter: Bool
    /// Whether `\"` is a quote in it: see `CSVBackslashes`.
    package let hasBackslashQuotes: Bool
    /// The text, with quotes as they are read.
    package let text: [UInt8]

    package static let mostRows = 100

    /// - Parameters:
    ///   - head: the first bytes of the text.
    ///   - delimiter: nil: that of a `sep=` line, else the one that the rows agree about.
    ///   - hasBackslashQuotes: nil: if more rows can be read so.
    package init(head: [UInt8], isWhole: Bool, delimiter: UInt8?, hasBackslashQuotes: Bool?) {
        let stated = Self.statedDelimiter(head)
        let start = stated?.next ?? 0
        // What no row has does not divide them, whatever the line says.
        let isTrue = stated.map { head[$0.next...].contains($0.delimiter) } ?? false
        statesDelimiter = isTrue
        func dialect(_ text: [UInt8]) -> UInt8 {
            delimiter ?? (isTrue ? stated?.delimiter : nil) ?? Self.sniff(text, from: start, isWhole: isWhole)
        }
        var text = head
        var found = dialect(text)
        var isEscaped = hasBackslashQuotes ?? false
        if hasBackslashQuotes != false, CSVBackslashes.hasAny(head) {
            let other = CSVBackslashes.rewritten(head)
            let otherDelimiter = dialect(other)
            let own = Self.agreeingRows(text, from: start, isWhole: isWhole, delimiter: found)
            if isEscaped || Self.agreeingRows(other, from: start, isWhole: isWhole, delimiter: otherDelimiter) > own {
                (text, found, isEscaped) = (other, otherDelimiter, true)
            }
        }
        self.hasBackslashQuotes = isEscaped
        self.text = text
        self.delimiter = found
        rows = Self.rows(text, from: start, isWhole: isWhole, delimiter: found, most: Self.mostRows)
    }

    private static let mostComparedRows = 4000

    /// How many rows have as many fields as most.
    private static func agreeingRows(_ text: [UInt8], from start: Int, isWhole: Bool, delimiter: UInt8) -> Int {
        let rows = rows(text, from: start, isWhole: isWhole, delimiter: delimiter, most: mostComparedRows)
        return Dictionary(grouping: rows.map(\.fields.count)) { $0 }.values.map(\.count).max() ?? 0
    }

    /// The rows from `start` on, at most `most`. A line whose quotes are broken is a row of one field.
    package static func rows(
        _ head: [UInt8], from start: Int, isWhole: Bool, delimiter: UInt8, most: Int
    ) -> [Row] {
        head.withUnsafeBufferPointer { buffer in
            guard let bytes = buffer.baseAddress else { return [] }
            let tokenizer = CSVTokenizer(delimiter: delimiter)
            var rows: [Row] = []
            var from = start
            while from < buffer.count, rows.count < most {
                var ends: [Int] = []
                let outcome = tokenizer.record(bytes, count: buffer.count, isAtEnd: isWhole, start: from) {
                    ends.append($0)
                }
                switch outcome {
                case .complete(let next):
                    let fields = CSVHeader.fields(bytes, from: from, ends: ends)
                    if fields != [""] { rows.append(Row(fields: fields, start: from, next: next)) }
                    from = next
                case .broken:
                    let end = buffer[from...].firstIndex(of: CSVDialect.lineFeed) ?? buffer.count
                    rows.append(
                        Row(fields: CSVHeader.fields(bytes, from: from, ends: [end]), start: from, next: end + 1))
                    from = end + 1
                case .needsMore: return rows
                }
            }
            return rows
        }
    }

    /// `sep=;`, as spreadsheets write it, perhaps in quotes.
    private static func statedDelimiter(_ head: [UInt8]) -> (delimiter: UInt8, next: Int)? {
        let line = head.prefix(while: { $0 != CSVDialect.lineFeed && $0 != CSVDialect.carriageReturn })
        guard line.count < head.count, (5...8).contains(line.count) else { return nil }
        let text = line.filter { $0 != CSVDialect.quote }
        guard text.count == 5, String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep=",
            let delimiter = text.last, CSVHeader.delimiters.contains(delimiter)
        else { return nil }
        let isPair =
            head[line.endIndex] == CSVDialect.carriageReturn && line.endIndex + 1 < head.count
            && head[line.endIndex + 1] == CSVDialect.lineFeed
        return (delimiter, line.endIndex + (isPair ? 2 : 1))
    }

    // MARK: - Delimiter

    private struct Agreement {
        var delimiter: UInt8
        /// How many fields most rows have.
        var fields: Int
        /// How many rows have so many.
        var rows: Int
        var isOfFirstRow: Bool
    }

    /// The delimiter that divides the rows into the same number of fields. That of the first row if the others agree.
    private static func sniff(_ head: [UInt8], from start: Int, isWhole: Bool) -> UInt8 {
        let first = CSVHeader.sniffDelimiter(head, from: start)
        let (own, total) = agreement(head, from: start, isWhole: isWhole, delimiter: first)
        if total <= 2 { return first }
        if let own, own.isOfFirstRow, own.rows * 10 >= total * 9 { return first }
        let agreements = CSVHeader.delimiters.compactMap {
            $0 == first ? own : agreement(head, from: start, isWhole: isWhole, delimiter: $0).found
        }
        let best = agreements.max { left, right in
            // Rows that nearly all agree show it; of two such delimiters the one that divides more.
            let leftIsSure = left.rows * 10 >= total * 8, rightIsSure = right.rows * 10 >= total * 8
            if leftIsSure != rightIsSure { return rightIsSure }
            return leftIsSure ? left.fields < right.fields : left.rows * left.fields < right.rows * right.fields
        }
        return best?.delimiter ?? first
    }

    private static func agreement(
        _ head: [UInt8], from start: Int, isWhole: Bool, delimiter: UInt8
    ) -> (found: Agreement?, total: Int) {
        let rows = rows(head, from: start, isWhole: isWhole, delimiter: delimiter, most: mostRows)
        let counts = Dictionary(grouping: rows.map(\.fields.count).filter { $0 > 1 }) { $0 }.mapValues(\.count)
        guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return (nil, rows.count) }
        let found = Agreement(
            delimiter: delimiter, fields: most.key, rows: most.value,
            isOfFirstRow: rows.first?.fields.count == most.key)
        return (found, rows.count)
    }
}
