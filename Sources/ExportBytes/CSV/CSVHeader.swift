/// The header row of a CSV file, and where the rows after it start.
package struct CSVHeader {
    /// Column names without outer blanks; blank names are empty.
    package var names: [String]
    package var delimiter: UInt8
    /// Position in the head of the first row after all header rows.
    package var dataStart: Int

    package static let delimiters: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C]

    /// Reads it from the first bytes of the text; nil if they hold no whole row (the file is empty, or one row is
    /// longer than the head).
    ///
    /// - Parameter delimiter: nil: the one of `, ; TAB |` that the first row has most of outside quotes.
    package init?(head: [UInt8], isWhole: Bool, delimiter: UInt8?, headerRows: Int) {
        let sniffed = delimiter ?? Self.sniffDelimiter(head)
        self.delimiter = sniffed
        var names: [String] = []
        var at = 0
        for row in 0..<max(1, headerRows) {
            guard let (fields, next) = Self.row(head, from: at, isWhole: isWhole, delimiter: sniffed) else {
                return nil
            }
            if row == 0 { names = fields }
            at = next
        }
        guard !names.isEmpty, names != [""] else { return nil }
        self.names = names
        dataStart = at
    }

    /// The fields of the first row at or after `start` that is not blank.
    package static func row(
        _ head: [UInt8], from start: Int, isWhole: Bool, delimiter: UInt8
    ) -> (fields: [String], next: Int)? {
        head.withUnsafeBufferPointer { buffer -> (fields: [String], next: Int)? in
            guard let bytes = buffer.baseAddress else { return nil }
            let tokenizer = CSVTokenizer(delimiter: delimiter)
            var from = start
            while from < buffer.count {
                var ends: [Int] = []
                let outcome = tokenizer.record(bytes, count: buffer.count, isAtEnd: isWhole, start: from) {
                    ends.append($0)
                }
                guard case .complete(let next) = outcome else { return nil }
                var fields: [String] = []
                var fieldStart = from
                for end in ends {
                    fields.append(field(bytes, fieldStart, end))
                    fieldStart = end + 1
                }
                if fields != [""] { return (fields, next) }
                from = next
            }
            return nil
        }
    }

    private static func field(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> String {
        var start = start, end = end
        if end > start, bytes[end - 1] == CSVDialect.carriageReturn { end -= 1 }
        let isQuoted = end > start + 1 && bytes[start] == CSVDialect.quote && bytes[end - 1] == CSVDialect.quote
        if isQuoted {
            start += 1
            end -= 1
        }
        return FieldSpan(start: start, end: end, hasDoubledQuotes: isQuoted).text(in: bytes)
    }

    private static func sniffDelimiter(_ head: [UInt8]) -> UInt8 {
        var counts = Array(repeating: 0, count: delimiters.count)
        var inQuotes = false
        for byte in head {
            if byte == CSVDialect.quote { inQuotes.toggle() }
            if inQuotes { continue }
            let isLineEnd = byte == CSVDialect.lineFeed || byte == CSVDialect.carriageReturn
            if isLineEnd && counts.contains(where: { $0 > 0 }) { break }
            if let index = delimiters.firstIndex(of: byte) { counts[index] += 1 }
        }
        let most = counts.max() ?? 0
        return most == 0 ? delimiters[0] : delimiters[counts.firstIndex(of: most) ?? 0]
    }
}
