/// A plain recursive reader of XML 1.0 without document types: a tree, or nothing where the text is not well-formed.
struct PlainXML {
    struct Element {
        /// Without its prefix.
        var name: String
        /// By their names without prefixes; those with a prefix are left out.
        var attributes: [String: String]
        var children: [Node]

        var elements: [Element] { children.compactMap { if case .element(let element) = $0 { element } else { nil } } }

        /// The texts in it, those of its elements not.
        var text: String { children.map { if case .text(let text) = $0 { text } else { "" } }.joined() }
    }

    indirect enum Node {
        case element(Element)
        case text(String)
    }

    private struct Malformed: Error {}

    private let scalars: [Unicode.Scalar]
    private var at = 0

    static func root(_ bytes: [UInt8]) -> Element? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var reader = PlainXML(text)
        return try? reader.document()
    }

    private init(_ text: String) {
        var kept: [Unicode.Scalar] = [], last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "\r" { kept.append("\n") } else if scalar != "\n" || last != "\r" { kept.append(scalar) }
            last = scalar
        }
        scalars = kept.first == "\u{FEFF}" ? Array(kept.dropFirst()) : kept
    }

    private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

    private func begins(_ text: String) -> Bool { scalars[at...].starts(with: text.unicodeScalars) }

    private mutating func take(_ text: String) throws(Malformed) {
        guard begins(text) else { throw Malformed() }
        at += text.unicodeScalars.count
    }

    private mutating func blanks() -> Bool {
        let start = at
        while let next, next == " " || next == "\n" || next == "\t" { at += 1 }
        return at > start
    }

    /// Takes what comes before `end`, and `end`.
    private mutating func text(upTo end: String) throws(Malformed) -> String {
        var taken = String.UnicodeScalarView()
        while !begins(end) {
            guard let next, Self.isAllowed(next) else { throw Malformed() }
            taken.append(next)
            at += 1
        }
        try take(end)
        return String(taken)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF || scalar == "\t" || scalar == "\n"
            || scalar == "\r"
    }

    private mutating func document() throws(Malformed) -> Element {
        if begins("<?xml ") { try instruction(isFirst: true) }
        try others()
        let root = try element(depth: 0)
        try others()
        guard at == scalars.count else { throw Malformed() }
        return root
    }

    /// Blanks, comments and instructions.
    private mutating func others() throws(Malformed) {
        while true {
            if blanks() { continue }
            if begins("<!--") { try comment() } else if begins("<?") { try instruction(isFirst: false) } else { return }
        }
    }

    private mutating func comment() throws(Malformed) {
        try take("<!--")
        let inside = try text(upTo: "--")
        guard inside.unicodeScalars.last != "-" else { throw Malformed() }
        try take(">")
    }

    private mutating func instruction(isFirst: Bool) throws(Malformed) {
        try take("<?")
        let name = try self.name()
        guard isFirst || name.lowercased() != "xml" else { throw Malformed() }
        if !begins("?>"), !blanks() { throw Malformed() }
        _ = try text(upTo: "?>")
    }

    private mutating func name() throws(Malformed) -> String {
        var taken = String.UnicodeScalarView()
        while let next {
            let isFirst = ("a"..."z").contains(next) || ("A"..."Z").contains(next) || next == "_" || next == ":"
            let isLater = ("0"..."9").contains(next) || next == "-" || next == "."
            guard isFirst || isLater && !taken.isEmpty else { break }
            taken.append(next)
            at += 1
        }
        if taken.isEmpty { throw Malformed() }
        return String(taken)
    }

    private static func local(_ name: String) throws(Malformed) -> String {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts.contains(""), let last = parts.last else { throw Malformed() }
        return String(last)
    }

    private mutating func element(depth: Int) throws(Malformed) -> Element {
        try take("<")
        let tag = try name()
        var element = Element(name: try Self.local(tag), attributes: [:], children: [])
        var names: Set<String> = []
        while true {
            let isApart = blanks()
            if begins("/>") {
                try take("/>")
                return element
            }
            if begins(">") { break }
            guard isApart, depth < 100 else { throw Malformed() }
            let (key, value) = try attribute()
            guard names.insert(key).inserted else { throw Malformed() }
            if !key.contains(":") { element.attributes[key] = value }
        }
        try take(">")
        element.children = try content(depth: depth)
        try take("</" + tag)
        _ = blanks()
        try take(">")
        return element
    }

    private mutating func attribute() throws(Malformed) -> (name: String, value: String) {
        let name = try self.name()
        _ = blanks()
        try take("=")
        _ = blanks()
        guard let quote = next, quote == "\"" || quote == "'" else { throw Malformed() }
        at += 1
        var value = String.UnicodeScalarView()
        while let next, next != quote {
            guard next != "<", Self.isAllowed(next) else { throw Malformed() }
            if next == "&" {
                value.append(try entity())
            } else {
                value.append(next == "\n" || next == "\t" ? " " : next)
                at += 1
            }
        }
        try take(String(quote))
        return (name, String(value))
    }

    private mutating func content(depth: Int) throws(Malformed) -> [Node] {
        var nodes: [Node] = []
        var text = String.UnicodeScalarView()
        while let next, !begins("</") {
            if begins("<![CDATA[") {
                try take("<![CDATA[")
                text.append(contentsOf: try self.text(upTo: "]]>").unicodeScalars)
            } else if begins("<!--") {
                try comment()
            } else if begins("<?") {
                try instruction(isFirst: false)
            } else if next == "<" {
                if !text.isEmpty { nodes.append(.text(String(text))) }
                text = String.UnicodeScalarView()
                nodes.append(.element(try element(depth: depth + 1)))
            } else if next == "&" {
                text.append(try entity())
            } else {
                guard Self.isAllowed(next), !begins("]]>") else { throw Malformed() }
                text.append(next)
                at += 1
            }
        }
        if !text.isEmpty { nodes.append(.text(String(text))) }
        return nodes
    }

    private mutating func entity() throws(Malformed) -> Unicode.Scalar {
        try take("&")
        let name = try text(upTo: ";")
        let known: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let found = known[name] { return found }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard name.hasPrefix("#"), !digits.isEmpty, digits.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number),
            Self.isAllowed(scalar)
        else { throw Malformed() }
        return scalar
    }
}
