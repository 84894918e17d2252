/// Values as text, for the few places that need it: once per distinct value, never once per row.
enum SpanText {
    /// The value's bytes as they were meant. `p` has `length` readable bytes.
    static func bytes(_ p: UnsafePointer<UInt8>, _ length: Int, _ escaping: FieldSpan.Escaping) -> [UInt8] {
        switch escaping {
        case .none: return Array(UnsafeBufferPointer(start: p, count: length))
        case .backslashes: return JSONText.unescape(p, from: 0, to: length)
        case .doubledQuotes:
            var result: [UInt8] = []
            var at = 0
            while at < length {
                result.append(p[at])
                let isDoubled = p[at] == CSVDialect.quote && at + 1 < length && p[at + 1] == CSVDialect.quote
                at += isDoubled ? 2 : 1
            }
            return result
        }
    }

    /// Without outer blanks; bytes that are not UTF-8 become U+FFFD.
    static func text(_ p: UnsafePointer<UInt8>, _ length: Int, _ escaping: FieldSpan.Escaping) -> String {
        String(decoding: bytes(p, length, escaping).trimmingBlanks(), as: UTF8.self)
    }
}
