/// Texts of an XML part with what is written as an entity.
enum XMLText {
    /// Appends the text with its entities resolved. An unknown entity stays as it is written. CR LF, and a CR alone, are one line
    /// end (XML 1.0, 2.11).
    ///
    /// - Parameter isVerbatim: of a CDATA section, which has no entities.
    static func append(_ source: UnsafeBufferPointer<UInt8>, isVerbatim: Bool = false, to target: inout [UInt8]) {
        var at = 0
        while at < source.count {
            let byte = source[at]
            if byte == UInt8(ascii: "&"), !isVerbatim, let (scalar, end) = entity(source, after: at) {
                target.append(contentsOf: String(scalar).utf8)
                at = end
                continue
            }
            at += 1
            if byte == UInt8(ascii: "\r") {
                target.append(UInt8(ascii: "\n"))
                if at < source.count, source[at] == UInt8(ascii: "\n") { at += 1 }
            } else {
                target.append(byte)
            }
        }
    }

    private static let mostNameBytes = 32

    /// What the entity means whose `&` is at `start`, and the place behind its `;`; nil: it is none that is known.
    private static func entity(
        _ source: UnsafeBufferPointer<UInt8>, after start: Int
    ) -> (scalar: Unicode.Scalar, end: Int)? {
        let rest = source[(start + 1)...].prefix(mostNameBytes)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = source[(start + 1)..<end]
        let scalar: Unicode.Scalar? =
            switch name.first {
            case UInt8(ascii: "#"): reference(name.dropFirst())
            case UInt8(ascii: "a"): name.elementsEqual("amp".utf8) ? "&" : name.elementsEqual("apos".utf8) ? "'" : nil
            case UInt8(ascii: "l"): name.elementsEqual("lt".utf8) ? "<" : nil
            case UInt8(ascii: "g"): name.elementsEqual("gt".utf8) ? ">" : nil
            case UInt8(ascii: "q"): name.elementsEqual("quot".utf8) ? "\"" : nil
            default: nil
            }
        return scalar.map { ($0, end + 1) }
    }

    /// `65` or `x41`.
    private static func reference(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
        let isHexadecimal = digits.first == UInt8(ascii: "x")
        return number(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
            .flatMap(Unicode.Scalar.init)
    }

    /// Nil where it has no digit, or another character: a sign is none.
    private static func number(_ digits: some Collection<UInt8>, radix: UInt32) -> UInt32? {
        guard !digits.isEmpty else { return nil }
        var number: UInt32 = 0
        for byte in digits {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt32(byte - UInt8(ascii: "a")) + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = UInt32(byte - UInt8(ascii: "A")) + 10
            default: return nil
            }
            guard digit < radix, number < 1 << 24 else { return nil }
            number = number * radix + digit
        }
        return number
    }

    /// Resolves `_x000D_`, by which spreadsheet programs write control characters; `_x005F_` is an underscore.
    static func resolveEscapes(in text: inout [UInt8], from start: Int) {
        guard text[start...].contains(UInt8(ascii: "_")) else { return }
        var at = start, kept = start
        while at < text.count {
            if text[at] == UInt8(ascii: "_"), at + 6 < text.count, text[at + 1] == UInt8(ascii: "x"),
                text[at + 6] == UInt8(ascii: "_"), let code = number(text[(at + 2)..<(at + 6)], radix: 16),
                let scalar = Unicode.Scalar(code)
            {
                for byte in String(scalar).utf8 {
                    text[kept] = byte
                    kept += 1
                }
                at += 7
            } else {
                text[kept] = text[at]
                kept += 1
                at += 1
            }
        }
        text.removeSubrange(kept...)
    }
}
