/// The texts and attribute values of HTML and XML, with what they are part of.
enum MarkupPieces {
    struct Context {
        /// Attributes of drawings, which are rows of numbers.
        private static let drawing: Set = ["d", "points", "viewBox", "transform"]

        var isDrawing: Bool { attribute.map(Self.drawing.contains) ?? false }

        /// The element whose tag came last: that of an attribute, or the one a text stands in.
        var tag: String
        /// Nil for a text; empty for what stands in a tag and is no value.
        var attribute: String?
        /// In bytes, of the piece.
        var offset: Int
        /// What stands in a `script` or `style` is no markup and has no entities: it ends with its own end tag alone.
        var isRaw = false
    }

    static func walk(
        _ bytes: [UInt8], visit: (_ bytes: [UInt8], _ range: Range<Int>, _ context: Context) -> Void
    ) {
        var at = 0
        var tag = ""
        func take(_ range: Range<Int>, _ attribute: String?) {
            guard !range.isEmpty else { return }
            let context = Context(tag: tag, attribute: attribute, offset: range.lowerBound)
            if bytes[range].contains(UInt8(ascii: "&")) {
                let meant = unescaped(bytes[range])
                visit(meant, meant.indices, context)
            } else {
                visit(bytes, range, context)
            }
        }
        func skip(to mark: UInt8, from start: Int) -> Int { bytes[start...].firstIndex(of: mark) ?? bytes.count }
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                let end = skip(to: UInt8(ascii: "<"), from: at)
                take(at..<end, nil)
                at = end
                continue
            }
            if bytes[at...].starts(with: "<!--".utf8) || bytes[at...].starts(with: "<!".utf8) {
                let end = skip(to: UInt8(ascii: ">"), from: at)
                take(at + 2..<end, nil)
                at = min(end + 1, bytes.count)
                continue
            }
            let start = at + 1
            at = start
            while at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: ">") { at += 1 }
            tag = String(decoding: bytes[start..<at].prefix(40), as: UTF8.self)
            var rest = start
            while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
                if bytes[at] == UInt8(ascii: "=") {
                    let name = attributeName(bytes, endingAt: at)
                    take(rest..<at, "")
                    at += 1
                    guard at < bytes.count else { break }
                    if bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") {
                        let end = skip(to: bytes[at], from: at + 1)
                        take(at + 1..<end, name)
                        at = min(end + 1, bytes.count)
                    } else {
                        let value = at
                        while at < bytes.count, bytes[at] > 0x20, bytes[at] != UInt8(ascii: ">") { at += 1 }
                        take(value..<at, name)
                    }
                    rest = at
                } else {
                    at += 1
                }
            }
            take(rest..<min(at, bytes.count), "")
            at += 1
            guard raw.contains(tag.lowercased()), at < bytes.count else { continue }
            let end = endOfRawText(bytes, from: at, in: tag)
            if at < end {
                visit(bytes, at..<end, Context(tag: tag, attribute: nil, offset: at, isRaw: true))
            }
            at = end
        }
    }

    private static let raw: Set = ["script", "style"]

    /// Where the end tag begins; the end of the bytes if there is none.
    private static func endOfRawText(_ bytes: [UInt8], from start: Int, in tag: String) -> Int {
        let mark = Array("</\(tag.lowercased())".utf8)
        var at = start
        while at + mark.count <= bytes.count {
            if bytes[at] == mark[0], bytes[at..<at + mark.count].map(SpanFacts.lowercased) == mark { return at }
            at += 1
        }
        return bytes.count
    }

    private static func attributeName(_ bytes: [UInt8], endingAt end: Int) -> String {
        var start = end
        while start > 0, bytes[start - 1] > 0x20, end - start < 40 { start -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private static let named: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "commat": "@", "period": ".",
        "hyphen": "-", "lpar": "(", "rpar": ")", "plus": "+", "sol": "/",
    ]

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var meant = ""
        var rest = Substring(decoding: bytes, as: UTF8.self)
        while let mark = rest.firstIndex(of: "&") {
            meant += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            guard let end = rest.prefix(12).firstIndex(of: ";") else {
                meant += "&"
                continue
            }
            let name = rest[..<end]
            let code =
                name.hasPrefix("#x") || name.hasPrefix("#X")
                ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            if let scalar = code.flatMap(Unicode.Scalar.init) {
                meant.unicodeScalars.append(scalar)
            } else if let text = named[String(name)] {
                meant += text
            } else {
                meant += "&"
                continue
            }
            rest = rest[rest.index(after: end)...]
        }
        return Array((meant + rest).utf8)
    }
}
