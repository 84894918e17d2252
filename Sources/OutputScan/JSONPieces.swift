/// The strings, names and numbers of JSON, one value after another, with the place of each as a JSON pointer.
///
/// It is a check of what we write, and no parser for all the world: what it cannot follow, its caller looks at as plain
/// text.
struct JSONPieces {
    private let bytes: [UInt8]
    private var at: Int
    private var path: [Step] = []
    private let visit: (_ bytes: [UInt8], _ range: Range<Int>, _ isFigure: Bool, _ place: () -> String) -> Void
    /// The pointer is within one line of NDJSON.
    private var line = 0

    private enum Step {
        case index(Int)
        case name(String)
    }

    private struct Malformed: Error {}

    /// - Returns: whether all of it is JSON, or JSON line by line.
    static func walk(
        _ bytes: [UInt8], firstLine: Int = 1,
        visit: @escaping (_ bytes: [UInt8], _ range: Range<Int>, _ isFigure: Bool, _ place: () -> String) -> Void
    ) -> Bool {
        var walker = JSONPieces(bytes: bytes, at: 0, visit: visit)
        do {
            var documents = firstLine - 1
            walker.skipBlanks()
            while walker.at < bytes.count {
                documents += 1
                walker.line = documents
                try walker.value(depth: 0)
                walker.skipBlanks()
            }
            return documents >= firstLine
        } catch {
            return false
        }
    }

    private init(
        bytes: [UInt8], at: Int,
        visit: @escaping (_ bytes: [UInt8], _ range: Range<Int>, _ isFigure: Bool, _ place: () -> String) -> Void
    ) {
        self.bytes = bytes
        self.at = at
        self.visit = visit
    }

    private var byte: UInt8 { at < bytes.count ? bytes[at] : 0 }

    private mutating func skipBlanks() {
        while at < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) { at += 1 }
    }

    /// Names are ours where nothing was found in them; one that is not plain is not repeated.
    private var pointer: String {
        let steps = path.map { step in
            switch step {
            case .index(let index): "/\(index)"
            case .name(let name): name.utf8.allSatisfy(Self.isPlain) && name.utf8.count <= 40 ? "/\(name)" : "/…"
            }
        }
        return (line > 1 ? "document \(line), " : "") + (steps.isEmpty ? "/" : steps.joined())
    }

    private static func isPlain(_ byte: UInt8) -> Bool { SpanFacts.isLetter(byte) && byte < 0x80 }

    private mutating func value(depth: Int) throws {
        guard depth < 200 else { throw Malformed() }
        skipBlanks()
        switch byte {
        case UInt8(ascii: "{"): try object(depth)
        case UInt8(ascii: "["): try list(depth)
        case UInt8(ascii: "\""): _ = try string()
        default:
            let start = at
            while at < bytes.count, SpanFacts.isWordByte(bytes[at]) || [0x2B, 0x2D, 0x2E].contains(bytes[at]) {
                at += 1
            }
            guard at > start else { throw Malformed() }
            visit(bytes, start..<at, true) { pointer }
        }
    }

    private mutating func object(_ depth: Int) throws {
        at += 1
        skipBlanks()
        if byte == UInt8(ascii: "}") { return at += 1 }
        while true {
            skipBlanks()
            path.append(.name("(name)"))
            let name = try string()
            path[path.count - 1] = .name(name)
            skipBlanks()
            guard byte == UInt8(ascii: ":") else { throw Malformed() }
            at += 1
            try value(depth: depth + 1)
            path.removeLast()
            skipBlanks()
            let mark = byte
            at += 1
            if mark == UInt8(ascii: "}") { return }
            guard mark == UInt8(ascii: ",") else { throw Malformed() }
        }
    }

    private mutating func list(_ depth: Int) throws {
        at += 1
        skipBlanks()
        if byte == UInt8(ascii: "]") { return at += 1 }
        var index = 0
        while true {
            path.append(.index(index))
            try value(depth: depth + 1)
            path.removeLast()
            skipBlanks()
            let mark = byte
            at += 1
            index += 1
            if mark == UInt8(ascii: "]") { return }
            guard mark == UInt8(ascii: ",") else { throw Malformed() }
        }
    }

    /// Takes a string, shows it to the visitor as it is meant, and gives it back if it could be a name.
    private mutating func string() throws -> String {
        guard byte == UInt8(ascii: "\"") else { throw Malformed() }
        let start = at + 1
        at = start
        var isEscaped = false
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            if bytes[at] == UInt8(ascii: "\\") {
                isEscaped = true
                at += 1
            }
            at += 1
        }
        guard at < bytes.count else { throw Malformed() }
        let range = start..<at
        at += 1
        if isEscaped {
            let meant = try Self.unescaped(bytes[range])
            visit(meant, meant.indices, false) { pointer }
            return "…"
        }
        visit(bytes, range, false) { pointer }
        return range.count <= 40 ? String(decoding: bytes[range], as: UTF8.self) : "…"
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        var units: [UInt16] = []
        var rest = String(decoding: bytes, as: UTF8.self).utf16.makeIterator()
        while let unit = rest.next() {
            guard unit == 0x5C else {
                units.append(unit)
                continue
            }
            guard let mark = rest.next() else { throw Malformed() }
            switch mark {
            case 0x75:
                let digits = (0..<4).compactMap { _ in rest.next() }.map { UInt8(truncatingIfNeeded: $0) }
                guard let code = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else { throw Malformed() }
                units.append(code)
            case 0x6E, 0x72, 0x74, 0x62, 0x66: units.append(0x20)
            default: units.append(mark)
            }
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
