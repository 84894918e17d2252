/// The inside of JSON strings, byte by byte: for the few that hold escapes, control characters or more than ASCII.
package enum JSONString {
    /// Checks `bytes[from..<close]`, the inside of a string whose quotes stand right before and after it.
    /// Returns whether it holds escapes.
    static func check(_ bytes: UnsafePointer<UInt8>, from: Int, close: Int) throws(JSONFault) -> Bool {
        var position = from
        var hasEscapes = false
        while position < close {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                let length = escapeLength(bytes, at: position, end: close)
                if length == 0 { throw JSONFault(position, .badEscape) }
                position += length
            } else if byte < 0x20 {
                throw JSONFault(position, .controlCharacter)
            } else if byte < 0x80 {
                position += 1
            } else {
                let length = utf8Length(bytes, at: position, end: close)
                if length == 0 { throw JSONFault(position, .invalidUTF8) }
                position += length
            }
        }
        return hasEscapes
    }

    /// The length of the escape whose backslash is at `position`: 2, 6, or 0 if it is none.
    static func escapeLength(_ bytes: UnsafePointer<UInt8>, at position: Int, end: Int) -> Int {
        guard position + 1 < end else { return 0 }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"):
            return codeUnit(bytes, at: position, end: end) == nil ? 0 : 6
        default:
            return 0
        }
    }

    /// The code unit of the `\uXXXX` at `position`.
    static func codeUnit(_ bytes: UnsafePointer<UInt8>, at position: Int, end: Int) -> UInt32? {
        guard position + 6 <= end, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for place in position + 2..<position + 6 {
            guard let digit = hexDigit(bytes[place]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// How many bytes follow a first byte, and what the first of them may be (Unicode 16, table 3-7), if they may.
    static func continuation(after first: UInt8) -> (count: Int, range: ClosedRange<UInt8>)? {
        switch first {
        case 0xC2...0xDF: (1, 0x80...0xBF)
        case 0xE0: (2, 0xA0...0xBF)
        case 0xED: (2, 0x80...0x9F)
        case 0xE1...0xEF: (2, 0x80...0xBF)
        case 0xF0: (3, 0x90...0xBF)
        case 0xF1...0xF3: (3, 0x80...0xBF)
        case 0xF4: (3, 0x80...0x8F)
        default: nil
        }
    }

    /// The length of the multi-byte sequence at `position`, or 0 if it is not well formed or does not end before `end`.
    static func utf8Length(_ bytes: UnsafePointer<UInt8>, at position: Int, end: Int) -> Int {
        guard let rest = continuation(after: bytes[position]), position + rest.count < end else { return 0 }
        guard rest.range.contains(bytes[position + 1]) else { return 0 }
        for place in 1..<rest.count where bytes[position + 1 + place] & 0xC0 != 0x80 { return 0 }
        return rest.count + 1
    }

    /// The text of a checked string with escapes, as UTF-8. Half a surrogate pair becomes U+FFFD.
    package static func unescape(_ bytes: UnsafePointer<UInt8>, from: Int, to: Int) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(to - from)
        var position = from
        while position < to {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\"), position + 1 < to {
                position = appendEscape(bytes, at: position, end: to, to: &text)
            } else {
                text.append(byte)
                position += 1
            }
        }
        return text
    }

    /// Appends what the escape at `position` stands for; returns the position after it.
    private static func appendEscape(
        _ bytes: UnsafePointer<UInt8>, at position: Int, end: Int, to text: inout [UInt8]
    ) -> Int {
        guard let unit = codeUnit(bytes, at: position, end: end) else {
            let byte = bytes[position + 1]
            switch byte {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            default: text.append(byte)
            }
            return position + 2
        }
        var scalar = Unicode.Scalar(unit)
        var length = 6
        if unit & 0xFC00 == 0xD800, let low = codeUnit(bytes, at: position + 6, end: end), low & 0xFC00 == 0xDC00 {
            scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF))
            length = 12
        }
        text.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
        return position + length
    }
}
