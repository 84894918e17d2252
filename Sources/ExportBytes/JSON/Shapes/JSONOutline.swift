/// What the first bytes of a text of JSON show of its structure: which objects and arrays are within which.
///
/// It is a look ahead, tolerant of what is wrong: the reader that follows is strict.
package indirect enum JSONOutline: Sendable, Equatable {
    case object(members: [Member], isWhole: Bool)
    /// The first elements.
    case array(first: [JSONOutline], isWhole: Bool)
    case text(String)
    case scalar
    /// The bytes end before it begins.
    case cut

    package struct Member: Sendable, Equatable {
        package var key: String
        package var value: JSONOutline
    }

    private static let mostMembers = 400
    private static let mostElements = 400
    private static let mostDepth = 12

    /// The outline of the value that begins at or after `start`, and the place after it; nil where there is none.
    package static func of(_ head: [UInt8], from start: Int = 0) -> (outline: JSONOutline, next: Int)? {
        var walker = Walker(bytes: head, position: start)
        walker.skipBlanks()
        guard walker.byte != nil else { return nil }
        let outline = walker.value(depth: 0)
        return (outline, walker.position)
    }

    /// The keys of an object, nested ones dotted.
    package func keys(prefix: String = "") -> [String] {
        guard case .object(let members, _) = self else { return [] }
        return members.flatMap { member -> [String] in
            let inner = member.value.keys(prefix: prefix + member.key + ".")
            return inner.isEmpty ? [prefix + member.key] : inner
        }
    }

    private struct Walker {
        let bytes: [UInt8]
        var position: Int

        var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skipBlanks() {
            while let byte, byte <= 0x20 { position += 1 }
        }

        mutating func value(depth: Int) -> JSONOutline {
            switch byte {
            case nil: return .cut
            case UInt8(ascii: "{"): return object(depth: depth)
            case UInt8(ascii: "["): return array(depth: depth)
            case UInt8(ascii: "\""): return text().map { .text($0) } ?? .cut
            default:
                while let byte, byte > 0x20, ![0x2C, 0x5D, 0x7D, 0x3A].contains(byte) { position += 1 }
                return .scalar
            }
        }

        private mutating func object(depth: Int) -> JSONOutline {
            position += 1
            var members: [Member] = []
            while true {
                skipBlanks()
                if byte == UInt8(ascii: ",") {
                    position += 1
                    continue
                }
                if byte == UInt8(ascii: "}") {
                    position += 1
                    return .object(members: members, isWhole: true)
                }
                guard byte == UInt8(ascii: "\""), let key = text() else {
                    return .object(members: members, isWhole: false)
                }
                skipBlanks()
                guard byte == UInt8(ascii: ":") else { return .object(members: members, isWhole: false) }
                position += 1
                skipBlanks()
                let inner = depth < JSONOutline.mostDepth ? value(depth: depth + 1) : skipped()
                if members.count < JSONOutline.mostMembers { members.append(Member(key: key, value: inner)) }
            }
        }

        private mutating func array(depth: Int) -> JSONOutline {
            position += 1
            var first: [JSONOutline] = []
            while true {
                skipBlanks()
                if byte == UInt8(ascii: ",") {
                    position += 1
                    continue
                }
                if byte == nil { return .array(first: first, isWhole: false) }
                if byte == UInt8(ascii: "]") {
                    position += 1
                    return .array(first: first, isWhole: true)
                }
                let before = position
                let inner = depth < JSONOutline.mostDepth ? value(depth: depth + 1) : skipped()
                if position == before { return .array(first: first, isWhole: false) }
                if first.count < JSONOutline.mostElements { first.append(inner) }
            }
        }

        /// Passes over a value that lies too deep to matter.
        private mutating func skipped() -> JSONOutline {
            var depth = 0
            repeat {
                switch byte {
                case nil: return .cut
                case UInt8(ascii: "\""): _ = text()
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    position += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    position += 1
                default: position += 1
                }
            } while depth > 0
            return .scalar
        }

        /// The text whose quote is here; nil if it does not end.
        private mutating func text() -> String? {
            let start = position + 1
            var at = start
            while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            guard at < bytes.count else {
                position = bytes.count
                return nil
            }
            position = at + 1
            let raw = Array(bytes[start..<at])
            return raw.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return "" }
                return String(decoding: JSONString.unescape(base, from: 0, to: buffer.count), as: UTF8.self)
            }
        }
    }
}
