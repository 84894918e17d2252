import ExportBytes
import TestSupport
import Testing

@Suite struct JSONBlockIndexTests {
    /// Every line of a block through one index.
    private func parseLines(_ bytes: [UInt8], level: ScanLevel, paths: [[String]]) -> [ParsedRecord] {
        let buffer = bytes + [UInt8](repeating: UInt8(ascii: "\""), count: 64)
        var index = JSONBlockIndex(level: level)
        var parser = JSONRecordParser(paths: paths, level: level)
        var spans = [UInt64](repeating: 0, count: paths.count)
        var records: [ParsedRecord] = []
        buffer.withUnsafeBufferPointer { unsafe in
            guard let base = unsafe.baseAddress else { return }
            index.build(base, from: 0, to: bytes.count)
            var from = 0
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                let to = from + line.count
                let fault = spans.withUnsafeMutableBufferPointer { spans -> JSONFault? in
                    guard let spans = spans.baseAddress else { return nil }
                    return parser.parse(
                        base, from: from, to: to, entry: index.entry(atOrAfter: from), index: index, spans: spans,
                        stride: 1)
                }
                let values = spans.map { ParsedRecord.text(FieldSpan(packed: $0), buffer) }
                records.append(ParsedRecord(kind: fault?.kind, values: values))
                from = to + 1
            }
        }
        return records
    }

    @Test(arguments: ScanLevel.available)
    func aLineReadsTheSameWhateverTheLinesAroundItAre(level: ScanLevel) {
        let paths = JSONRecordParserTests.paths
        var generator = JSONGenerator(seed: 23)
        for _ in 0..<150 {
            var lines: [[UInt8]] = []
            for round in 0..<40 {
                let text = round % 2 == 0 ? generator.record() : generator.object()
                var bytes = Array(text.utf8).map { $0 == 0x0A ? 0x20 : $0 }
                if generator.chance(3) { bytes = generator.damage(bytes) }
                lines += bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
            }
            let records = parseLines(Array(lines.joined(separator: [0x0A])), level: level, paths: paths)
            #expect(records.count == lines.count)
            for (line, record) in zip(lines, records) {
                let reference = ParsedRecord.reference(line, paths: paths)
                let shown = "\(String(decoding: line, as: UTF8.self)) \(record) \(reference)"
                #expect(record.agrees(with: reference), "\(shown)")
            }
        }
    }

    @Test func aBrokenLineCostsOnlyItself() {
        let text = #"{"id":"1"}"# + "\n" + #"{"id":"2\"# + "\n" + #"{"id":"3"}"# + "\r\n\n" + #"{"id":"4"}"#
        let records = parseLines(Array(text.utf8), level: .best, paths: [["id"]])
        #expect(records.map(\.values) == [["'1"], [nil], ["'3"], [nil], ["'4"]])
        #expect(records.map { $0.kind == nil } == [true, false, true, false, true])
    }

    @Test func countsStringsTheSameOnEveryLevelFromAnyStart() {
        var generator = JSONGenerator(seed: 3)
        for _ in 0..<300 {
            let bytes = generator.damage(Array((generator.record() + generator.object()).utf8))
            let shift = Int.random(in: 0..<9, using: &generator.random)
            let buffer = [UInt8](repeating: UInt8(ascii: "\\"), count: shift) + bytes
            let counts = ScanLevel.available.map { level in
                var index = JSONBlockIndex(level: level)
                buffer.withUnsafeBufferPointer { buffer in
                    guard let base = buffer.baseAddress else { return }
                    index.build(base, from: shift, to: buffer.count)
                }
                return index.count
            }
            #expect(Set(counts).count == 1)
        }
    }
}
