/// The fields of single rows at the start of a delimited text.
package enum CSVHeader {
    /// `, ; TAB | ^ ~`
    package static let delimiters: [UInt8] = [0x2C, 0x3B, 0x09, 0x7C, 0x5E, 0x7E]

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
                let fields = fields(bytes, from: from, ends: ends)
                if fields != [""] { return (fields, next) }
                from = next
            }
            return nil
        }
    }

    /// The fields that end at these positions, without the quotes around them.
    package static func fields(_ bytes: UnsafePointer<UInt8>, from start: Int, ends: [Int]) -> [String] {
        var fields: [String] = []
        var fieldStart = start
        for end in ends {
            fields.append(field(bytes, fieldStart, end))
            fieldStart = end + 1
        }
        return fields
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

    /// The one of `, ; TAB | ^ ~` that the first row from `start` on has most of outside quotes.
    static func sniffDelimiter(_ head: [UInt8], from start: Int) -> UInt8 {
        var counts = Array(repeating: 0, count: delimiters.count)
        var inQuotes = false
        for byte in head[start...] {
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
