import ExportBytes
import Testing

/// Which keys of records are noted though nothing is read from them.
@Suite struct JSONUnneededKeysTests {
    private func keys(_ records: [String], needed: [[String]] = [["id"], ["a", "x"]]) -> [String] {
        var parser = JSONRecordParser(paths: needed)
        var spans = [UInt64](repeating: 0, count: needed.count)
        for record in records {
            let bytes = Array(record.utf8) + Array(repeating: 0, count: 64)
            bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                _ = parser.parse(base, from: 0, to: record.utf8.count, spans: &spans, stride: 1)
            }
        }
        return parser.unneededKeys
    }

    @Test func eachIsNotedOnce() {
        let record = #"{"id": 1, "b": "x", "c": [{"d": 1}]}"#
        #expect(keys([record, record, #"{"b": 2, "e": null, "id": 3}"#]) == ["b", "c", "e"])
        let long = String(repeating: "k", count: 60)
        #expect(keys([#"{"\#(long)": 1, "id": 1}"#, #"{"\#(long)": 1, "id": 1}"#]) == [long])
    }

    @Test func nestedOnesAreDotted() {
        #expect(keys([#"{"a": {"x": 1, "y": 2}, "b": {"c": {"d": 1}, "e": 2}}"#]) == ["a.y", "b", "b.c.d", "b.e"])
        #expect(keys([#"{"i\u0064": 1, "\u0062": 2}"#]) == ["b"])
    }

    @Test func manyKeysOfOneRecordAreNotedInTheNextOnes() {
        let names = (0..<1500).map { "k\($0)" }
        let record = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(Set(keys([record, record, record])).isSuperset(of: names.prefix(1024)))
        let other = "{" + names.reversed().map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(Set(keys([record, other])) == Set(names))
        // Keys that are values have no end; what is noted has one.
        #expect(keys((0..<9000).map { #"{"id":1,"v\#($0)":2}"# }).count == 4096)
    }
}
