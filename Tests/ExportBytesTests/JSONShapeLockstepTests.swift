import ExportBytes
import TestSupport
import Testing

/// The streams that make lines of JSON of any arrangement beside a plain rearrangement of its tree: the same records, in whatever pieces
/// the text comes. What is no JSON ends in an error or in a record that is none.
@Suite struct JSONShapeLockstepTests {
    private static func read(
        _ bytes: [UInt8], _ shape: JSONShape, path: String?, most: Int?, taken: Int
    ) -> (outcome: ReadOutcome, trailingCommas: Int) {
        let remarks = JSONRemarks()
        let outcome = ReadOutcome {
            if case .columns(let keys) = shape, let path {
                return try JSONColumnLines(ExportFile(path: path), path: keys, textOffset: 0).all(most: taken)
            }
            return try JSONLines(
                ChunkedStream(bytes, most: most), shape: shape, maximumRecordBytes: 1 << 20, remarks: remarks, file: "a"
            ).all(most: taken)
        }
        return (outcome, remarks.trailingCommas)
    }

    /// The lines in one spelling each; nil: one of them is no JSON.
    private static func records(_ lines: [UInt8]) -> [String]? {
        var records: [String] = []
        for line in lines.split(separator: 0x0A) where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
            let line = Array(line)
            guard let value = ReferenceJSON.parse(line) else { return nil }
            records.append(PlainJSONRecords.canonical(value, line))
        }
        return records
    }

    private static func run(_ name: String, rounds: Int, seed: UInt64, damaged: Bool) throws {
        var maker = JSONShapeMaker(seed: FuzzPlan.seed(seed))
        var count = FuzzCount(name)
        try TemporaryFolder.with(inMemory: true) { folder in
            for round in 0..<rounds {
                let shape = JSONShapeMaker.shapes[round % JSONShapeMaker.shapes.count]
                maker.hasOthers = !damaged || round / 10 % 3 == 0
                var bytes = Array(maker.document(shape).utf8)
                if damaged { bytes = maker.generator.damage(bytes) }
                var path: String?
                if case .columns = shape { path = try folder.write(bytes, to: "a.json") }
                let whole = Self.read(bytes, shape, path: path, most: nil, taken: 1 << 16)
                let cut = Self.read(
                    bytes, shape, path: path, most: Int.random(in: 1...30, using: &maker.generator.random),
                    taken: Int.random(in: 1...90, using: &maker.generator.random))
                let shown = "round \(round), \(shape): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
                guard cut.outcome == whole.outcome, cut.trailingCommas == whole.trailingCommas else {
                    Issue.record("\(shown) in pieces is \(cut.outcome), not \(whole.outcome)")
                    return
                }
                let found = whole.outcome.bytes.flatMap(Self.records)
                let expected = Self.expected(bytes, shape)
                switch (found, expected) {
                case (nil, nil): count.add("refused by both")
                case (let found?, let expected?) where found == expected: count.add("read as the plain records")
                // The parser of records refuses what is no object.
                case (let found?, nil) where found.contains { !$0.hasPrefix("{") }: count.add("refused by both")
                // Names of columns without a value are of no record.
                case ([], nil) where path != nil || shape == .rows(path: [], names: nil): count.add("without a record")
                default:
                    // Within the values of other members, which are passed over, what is wrong is not searched for.
                    if damaged, maker.hasOthers, expected == nil {
                        count.add("perhaps damaged beside the records")
                        continue
                    }
                    Issue.record(
                        "\(shown) gives \(whole.outcome), \(found ?? ["nothing"]), not \(expected ?? ["nothing"])")
                    return
                }
            }
        }
        count.report()
    }

    private static func expected(_ bytes: [UInt8], _ shape: JSONShape) -> [String]? {
        switch shape {
        case .sequence: sequence(bytes) { [PlainJSONRecords.canonical($0, bytes)] }
        case .documents(let path): sequence(bytes) { PlainJSONRecords.of($0, .array(path: path), bytes) }
        default: ReferenceJSON.parse(bytes).flatMap { PlainJSONRecords.of($0, shape, bytes) }
        }
    }

    /// The records of objects one after another, between which are blanks, record separators and at most one comma.
    private static func sequence(_ bytes: [UInt8], _ records: (ReferenceJSON.Value) -> [String]?) -> [String]? {
        var reader = ReferenceJSON(bytes: bytes, maximumDepth: 128, isStrict: false)
        var found: [String] = [], isFirst = true
        while true {
            reader.separators(afterValue: !isFirst)
            guard reader.at < bytes.count else { return found }
            guard let value = reader.nextValue(), case .object = value, let more = records(value) else { return nil }
            found += more
            isFirst = false
        }
    }

    /// It would be a blank line, which counts as no record.
    @Test(arguments: [
        (#"[{"n":1},,{"n":2}]"#, JSONShape.nested(JSONNesting(path: [], inner: [["units"]]))),
        (#"[,]"#, .nested(JSONNesting(path: [], inner: [["units"]]))), (#"{"a":,"b":{"n":1}}"#, .members(path: [])),
        (#"[["n","m"],,[1,2]]"#, .rows(path: [], names: nil)),
    ])
    func aCommaWithoutARecordIsAnError(text: String, shape: JSONShape) {
        #expect(Self.read(Array(text.utf8), shape, path: nil, most: nil, taken: 99).outcome.bytes == nil)
    }

    /// The parser of records refuses the record as it is.
    @Test(arguments: [#"{"a":1},,{"a":2}"#, #"{"a":1}{"a":2}"#, #",{"a":1}"#])
    func aListWithWrongCommasIsNotSpread(list: String) {
        let text = #"[{"n":1,"units":["# + list + "]}]"
        let read = Self.read(
            Array(text.utf8), .nested(JSONNesting(path: [], inner: [["units"]])), path: nil, most: nil, taken: 99)
        #expect(read.outcome == .read(Array(text.utf8.dropFirst().dropLast()) + [0x0A]))
    }

    @Test func documentsOfEachShapeGiveThePlainRecords() throws {
        try Self.run("JSON shapes as written", rounds: FuzzPlan.iterations(1000), seed: 0x15A, damaged: false)
    }

    @Test func damagedDocumentsOfEachShapeGiveThePlainRecordsOrNone() throws {
        try Self.run("JSON shapes, damaged", rounds: FuzzPlan.iterations(1500), seed: 0x15B, damaged: true)
    }
}
