/// Texts that write a quote inside quotes as `\"`. They are read as if they had `""` there: the two are as long, so no
/// byte moves.
///
/// A quote after an odd number of backslashes is one of those. After an even number it ends the field, for `\\` is a
/// backslash.
package enum CSVBackslashes {
    static let backslash = UInt8(ascii: "\\")

    /// Rewrites the quotes at or after `start`; nothing before `floor` is looked at. To do it twice changes nothing.
    static func rewrite(_ bytes: UnsafeMutablePointer<UInt8>, from start: Int, to end: Int, floor: Int) {
        for at in start..<max(start, end) where bytes[at] == CSVDialect.quote {
            var first = at
            while first > floor, bytes[first - 1] == backslash { first -= 1 }
            if (at - first) % 2 == 1 { bytes[at - 1] = CSVDialect.quote }
        }
    }

    /// The whole of a text so rewritten.
    package static func rewritten(_ text: [UInt8]) -> [UInt8] {
        var text = text
        text.withUnsafeMutableBufferPointer { buffer in
            guard let bytes = buffer.baseAddress else { return }
            rewrite(bytes, from: 0, to: buffer.count, floor: 0)
        }
        return text
    }

    /// Whether any quote follows a backslash.
    static func hasAny(_ text: [UInt8]) -> Bool {
        text.indices.dropFirst().contains { text[$0] == CSVDialect.quote && text[$0 - 1] == backslash }
    }
}
