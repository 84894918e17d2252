import ExportBytes
import TestSupport
import Testing
import Trips

/// What the parser said of one element: a fault, or the text of each path's value.
struct ParsedRecord: Equatable, CustomStringConvertible {
    var kind: JSONFault.Kind?
    var values: [String?]
    var description: String { "\(kind.map { "\($0)" } ?? "fine") \(values)" }

    /// Parses `bytes` between other bytes, so that a look beyond the end would be seen.
    static func by(_ parser: inout JSONRecordParser, _ bytes: [UInt8], paths: Int) -> ParsedRecord {
        let before = Array(#""x":"\"#.utf8)
        let buffer = before + bytes + Array(String(repeating: #"9","]}"#, count: 12).utf8)
        var spans = [UInt64](repeating: 77, count: paths * 3)
        let fault = buffer.withUnsafeBufferPointer { buffer in
            spans.withUnsafeMutableBufferPointer { spans -> JSONFault? in
                guard let buffer = buffer.baseAddress, let spans = spans.baseAddress else { return nil }
                return parser.parse(
                    buffer, from: before.count, to: before.count + bytes.count, spans: spans, stride: 3)
            }
        }
        if let fault {
            #expect((before.count...before.count + bytes.count).contains(fault.position))
            #expect((0..<paths).allSatisfy { spans[$0 * 3] == 0 })
        }
        let values = (0..<paths).map { text(FieldSpan(packed: spans[$0 * 3]), buffer) }
        return ParsedRecord(kind: fault?.kind, values: values)
    }

    static func text(_ span: FieldSpan, _ buffer: [UInt8]) -> String? {
        guard span.packed != 0 else { return nil }
        var text = Array(buffer[span.start..<span.end])
        if span.isEscaped {
            text = buffer.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { JSONString.unescape($0, from: span.start, to: span.end) } ?? []
            }
        }
        return (span.isLiteral ? "=" : "'") + String(decoding: text, as: UTF8.self)
    }

    /// What the reference reader makes of it; `values` is empty where there is a fault.
    static func reference(_ bytes: [UInt8], paths: [[String]]) -> ParsedRecord {
        // `depth` stands for any fault of a text that is not JSON, or is too deep.
        guard let value = ReferenceJSON.parse(bytes) else { return ParsedRecord(kind: .depth, values: []) }
        guard case .object(_, let members) = value else { return ParsedRecord(kind: .notAnObject, values: []) }
        var found: [String?] = Array(repeating: nil, count: paths.count)
        var seen: Set<[String]> = []
        var isTwice = false
        func visit(_ members: [(key: [UInt8], value: ReferenceJSON.Value)], _ prefix: [String]) {
            for member in members {
                var path = prefix + [String(decoding: member.key, as: UTF8.self)]
                if prefix.isEmpty, let dotted = paths.first(where: { $0.joined(separator: ".") == path[0] }) {
                    path = dotted
                }
                guard paths.contains(where: { $0.starts(with: path) }) else { continue }
                if !seen.insert(path).inserted { isTwice = true }
                switch member.value {
                case .string(_, let text): set(path, "'" + String(decoding: text, as: UTF8.self))
                case .literal(let range): set(path, "=" + String(decoding: bytes[range], as: UTF8.self))
                case .object(_, let inner)
                where paths.contains(where: { $0.count > path.count && $0.starts(with: path) }):
                    visit(inner, path)
                case .object(let range, let inner) where !inner.isEmpty:
                    set(path, "=" + String(decoding: bytes[range], as: UTF8.self))
                case .array(let range, let elements) where !elements.isEmpty:
                    set(path, "=" + String(decoding: bytes[range], as: UTF8.self))
                case .object, .array, .null: break
                }
            }
        }
        func set(_ path: [String], _ text: String) {
            for (number, candidate) in paths.enumerated() where candidate == path { found[number] = text }
        }
        visit(members, [])
        return isTwice ? ParsedRecord(kind: .duplicateKey, values: []) : ParsedRecord(kind: nil, values: found)
    }

    /// Whether the parser agrees with the reference: which fault it names matters only where the text is JSON.
    func agrees(with reference: ParsedRecord) -> Bool {
        switch (reference.kind, kind) {
        case (nil, nil): values == reference.values
        case (.depth?, _?): true
        case (let wanted?, let kind?): wanted == kind
        default: false
        }
    }
}

@Suite struct JSONRecordParserTests {
    static let paths = [["id"], ["patient", "dob"], ["cost"], ["é"], ["a\"b"], ["x"], ["id"], ["unit_id"]]

    @Test(arguments: ScanLevel.available)
    func agreesWithTheReferenceOnAnyDocumentAndAnyDamage(level: ScanLevel) {
        var generator = JSONGenerator(seed: 11)
        var parser = JSONRecordParser(paths: Self.paths, level: level)
        var refused = 0
        for round in 0..<12_000 {
            let text = round % 3 == 0 ? generator.value() : round % 3 == 1 ? generator.object() : generator.record()
            var bytes = Array(text.utf8)
            if round % 2 == 0 { bytes = generator.damage(bytes) }
            let parsed = ParsedRecord.by(&parser, bytes, paths: Self.paths.count)
            let reference = ParsedRecord.reference(bytes, paths: Self.paths)
            if parsed.kind != nil { refused += 1 }
            #expect(parsed.agrees(with: reference), "\(String(decoding: bytes, as: UTF8.self)) \(parsed) \(reference)")
            if !parsed.agrees(with: reference) { return }
        }
        #expect((3000...10_000).contains(refused))
    }

    private func parse(_ text: String, _ paths: [[String]] = [["id"], ["patient", "dob"]]) -> ParsedRecord {
        var parser = JSONRecordParser(paths: paths)
        return ParsedRecord.by(&parser, Array(text.utf8), paths: paths.count)
    }

    @Test func notesStringsLiteralsAndAbsence() {
        #expect(parse(#"{"id":"T-1","patient":{"dob":"fake"}}"#).values == ["'T-1", "'fake"])
        #expect(parse(#" {"patient.dob":"fake","id":-1.5e3} "#).values == ["=-1.5e3", "'fake"])
        #expect(parse(#"{"id":null,"patient":{}}"#).values == [nil, nil])
        #expect(parse(#"{"id":"","patient":null}"#).values == ["'", nil])
        #expect(parse(#"{"id":{"id":1},"patient":[{"dob":"x"}]}"#).values == [#"={"id":1}"#, nil])
        #expect(parse(#"{"id":[ ],"patient":{"dob":[7]}}"#).values == [nil, "=[7]"])
        #expect(parse(#"{"\u0069d":"a\u0301\n"}"#).values == ["'a\u{301}\n", nil])
        #expect(parse(#"{}"#) == ParsedRecord(kind: nil, values: [nil, nil]))
    }

    @Test func refusesNeededKeysNamedTwice() {
        #expect(parse(#"{"id":1,"id":2}"#).kind == .duplicateKey)
        #expect(parse(#"{"id":1,"i\u0064":null}"#).kind == .duplicateKey)
        #expect(parse(#"{"patient":{},"patient":{}}"#).kind == .duplicateKey)
        #expect(parse(#"{"patient":{"dob":1},"patient.dob":1}"#).kind == .duplicateKey)
        #expect(parse(#"{"other":1,"other":2,"z":{"id":1},"id":3}"#).values == ["=3", nil])
    }

    @Test func saysWhatIsWrong() {
        #expect(parse(#"[{"id":1}]"#).kind == .notAnObject)
        #expect(parse(#""#).kind == .notAnObject)
        #expect(parse(#"{"id":1}TRAILER"#).kind == .trailingText)
        #expect(parse(#"{"id":1,}"#).kind == nil)
        #expect(parse(#"{"id":1 "x":2}"#).kind == .commaOrBraceExpected)
        #expect(parse(#"{"id" 1}"#).kind == .colonExpected)
        #expect(parse(#"{"id":"open}"#).kind == .unterminatedString)
        #expect(parse("{\"id\":\"a\tb\"}").kind == .controlCharacter)
        #expect(parse("{\"id\":\"a\nb\"}").kind == .controlCharacter)
        #expect(parse("{\"id\":\"a\n\", \"x\":\"\"}").kind == .controlCharacter)
        #expect(parse(#"{"id":"\x"}"#).kind == .badEscape)
        #expect(parse(#"{"id":01}"#).kind == .badNumber)
        #expect(parse(#"{"id":truE}"#).kind == .badLiteral)
        #expect(parse(#"{"id":1"#).kind == .unexpectedEnd)
        #expect(JSONFault(0, .badEscape).rejectReason == .malformedJSON)
        #expect(JSONFault(0, .duplicateKey).rejectReason == .duplicateKey)
    }

    @Test func aPredictedKeyStillNeedsItsComma() {
        var parser = JSONRecordParser(paths: [["id"]])
        for _ in 0..<3 {
            #expect(ParsedRecord.by(&parser, Array(#"{"a":1,"id":2}"#.utf8), paths: 1).values == ["=2"])
        }
        #expect(ParsedRecord.by(&parser, Array(#"{"a":1"id":2}"#.utf8), paths: 1).kind != nil)
        #expect(ParsedRecord.by(&parser, Array(#"{,"id":2}"#.utf8), paths: 1).kind != nil)
        #expect(ParsedRecord.by(&parser, Array(#"{"id":2"a":1}"#.utf8), paths: 1).kind != nil)
    }

    @Test func survivesBombsAndLongStrings() {
        let opened = String(repeating: #"{"a":["#, count: 50_000)
        #expect(parse(opened).kind == .depth)
        let long = String(repeating: "é漢ab", count: 131_072)
        #expect(parse(#"{"id":""# + long + #""}"#).values == ["'" + long, nil])
        let deep = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
        #expect(parse(#"{"a":"# + deep + #","id":1}"#).values == ["=1", nil])
        #expect(parse(#"{"a":["# + deep + #"],"id":1}"#).kind == .depth)
    }

    @Test func keepsReadingWhenKeysHaveNoOrder() {
        var random = SplitMix64(seed: 5)
        var parser = JSONRecordParser(paths: [["k3"], ["k700"]])
        for _ in 0..<60 {
            let keys = (0..<900).shuffled(using: &random)
            let text = "{" + keys.map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"
            #expect(ParsedRecord.by(&parser, Array(text.utf8), paths: 2).values == ["=3", "=700"])
        }
    }
}
