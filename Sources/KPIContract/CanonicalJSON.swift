/// A JSON value with its members in order and its numbers already as text: the same value is always the same bytes.
///
/// Two layouts. Expanded: objects over several lines at two spaces, down to the elements of an array of objects, which
/// take one line each; arrays of plain values take one line. Compact: no blank anywhere.
package indirect enum CanonicalJSON: Sendable {
    case null
    case bool(Bool)
    /// The digits of a number as they are to be written.
    case number(String)
    case text(String)
    case list([CanonicalJSON])
    case object([Member])
    /// A member with this value is not written.
    case absent

    package struct Member: Sendable {
        package var name: String
        package var value: CanonicalJSON

        package init(_ name: String, _ value: CanonicalJSON) {
            self.name = name
            self.value = value
        }

        package init(_ name: String, _ value: some CanonicalValue) { self.init(name, value.canonical) }
    }

    package static func integer(_ value: Int?) -> CanonicalJSON { value.canonical }

    package static func double(_ value: Double) -> CanonicalJSON { value.canonical }

    package static func text(orNull value: String?) -> CanonicalJSON { value.canonical }
}

extension CanonicalJSON: CanonicalValue, ExpressibleByDictionaryLiteral {
    package var canonical: CanonicalJSON { self }

    /// An object with its members in this order.
    package init(dictionaryLiteral members: (String, any CanonicalValue)...) {
        self = .object(members.map { Member($0, $1.canonical) })
    }
}

extension String: CanonicalValue {
    package var canonical: CanonicalJSON { .text(self) }
}

extension Bool: CanonicalValue {
    package var canonical: CanonicalJSON { .bool(self) }
}

extension Int: CanonicalValue {
    package var canonical: CanonicalJSON { .number(String(self)) }
}

extension Cents: CanonicalValue {}

extension Tenths: CanonicalValue {}

extension Share: CanonicalValue {}

extension FixedDecimal {
    package var canonical: CanonicalJSON { .number(description) }
}

extension Double: CanonicalValue {
    /// The shortest digits that read back as the same `Double`, without a point if it is whole. JSON has no infinity
    /// and no NaN: they become null, which no reader of `[Double]` takes for a figure.
    package var canonical: CanonicalJSON {
        guard isFinite else { return .null }
        if let whole = Int(exactly: self), magnitude < 9_007_199_254_740_992 { return .number(String(whole)) }
        return .number(description)
    }
}

extension Optional: CanonicalValue where Wrapped: CanonicalValue {
    package var canonical: CanonicalJSON { self?.canonical ?? .null }
    /// A key that is not written where there is no value.
    package var orAbsent: CanonicalJSON { self?.canonical ?? .absent }
}

extension Array: CanonicalValue where Element: CanonicalValue {
    package var canonical: CanonicalJSON { .list(map(\.canonical)) }
}

extension CanonicalJSON {
    /// The expanded layout, newline at the end.
    package var document: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, indent: 0)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// The compact layout, newline at the end.
    package var line: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, indent: nil)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// An `indent` of nil means compact.
    private func append(to bytes: inout [UInt8], indent: Int?) {
        switch self {
        case .null, .absent: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let digits): bytes.append(contentsOf: digits.utf8)
        case .text(let text): Self.append(text, to: &bytes)
        case .list(let elements): Self.append(elements, to: &bytes, indent: indent)
        case .object(let members): Self.append(members, to: &bytes, indent: indent)
        }
    }

    private static func append(_ elements: [CanonicalJSON], to bytes: inout [UInt8], indent: Int?) {
        let holdsObjects = elements.contains { if case .object = $0 { true } else { false } }
        let inner = holdsObjects ? indent.map { $0 + 2 } : nil
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(contentsOf: (indent != nil && inner == nil ? ", " : ",").utf8) }
            breakLine(&bytes, indent: inner)
            element.append(to: &bytes, indent: nil)
        }
        if inner != nil { breakLine(&bytes, indent: indent) }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func append(_ members: [Member], to bytes: inout [UInt8], indent: Int?) {
        var isFirst = true
        let inner = indent.map { $0 + 2 }
        bytes.append(UInt8(ascii: "{"))
        for member in members {
            if case .absent = member.value { continue }
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            breakLine(&bytes, indent: inner)
            append(member.name, to: &bytes)
            bytes.append(contentsOf: (inner == nil ? ":" : ": ").utf8)
            member.value.append(to: &bytes, indent: inner)
        }
        if inner != nil, !isFirst { breakLine(&bytes, indent: indent) }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func breakLine(_ bytes: inout [UInt8], indent: Int?) {
        guard let indent else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
    }

    /// RFC 8259: quote, backslash and control characters are escaped, all else stays UTF-8.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // Nearly all texts are names of keys, in which nothing is escaped.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
            bytes.append(contentsOf: text.utf8)
            bytes.append(UInt8(ascii: "\""))
            return
        }
        for byte in text.utf8 {
            switch byte {
            case 0x22: bytes.append(contentsOf: "\\\"".utf8)
            case 0x5C: bytes.append(contentsOf: "\\\\".utf8)
            case 0x08: bytes.append(contentsOf: "\\b".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0C: bytes.append(contentsOf: "\\f".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x00..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
