/// Texts of an XML part with what is written as an entity.
enum XMLText {
    /// Appends the text with its entities resolved. An unknown entity stays as it is written.
    static func append(_ source: UnsafeBufferPointer<UInt8>, to target: inout [UInt8]) {
        var at = 0
        while at < source.count {
            guard source[at] == UInt8(ascii: "&"),
                let end = source[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                let resolved = entity(source[(at + 1)..<end])
            else {
                target.append(source[at])
                at += 1
                continue
            }
            target.append(contentsOf: String(resolved).utf8)
            at = end + 1
        }
    }

    private static func entity(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case let text where text.hasPrefix("#x"):
            return UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case let text where text.hasPrefix("#"): return UInt32(text.dropFirst()).flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }

    /// Resolves `_x000D_`, by which spreadsheet programs write control characters; `_x005F_` is an underscore.
    static func resolveEscapes(in text: inout [UInt8], from start: Int) {
        guard text[start...].contains(UInt8(ascii: "_")) else { return }
        var at = start, kept = start
        while at < text.count {
            if text[at] == UInt8(ascii: "_"), at + 6 < text.count, text[at + 1] == UInt8(ascii: "x"),
                text[at + 6] == UInt8(ascii: "_"),
                let code = UInt32(String(decoding: text[(at + 2)..<(at + 6)], as: UTF8.self), radix: 16),
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
