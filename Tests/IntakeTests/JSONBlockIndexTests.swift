import Intake
import TestSupport
import Testing

@Suite struct JSONBlockIndexTests {
    /// Every line of a block through one index.
    private func parseLines(_ bytes: [UInt8], level: JSONScanLevel, paths: [[String]]) -> [ParsedRecord] {
        let buffer = bytes + [UInt8](repeating: UInt8(ascii: "\""), count: 64)
        var index = JSONBlockIndex(level: level)
        var parser = JSONRecordParser(paths: paths, level: level)
        var spans = [UInt64](repeating: 0, count: paths.count)
        var records: [ParsedRecord] = []
        buffer.withUnsafeBufferPointer { unsafe in
            guard let base = unsafe.baseAddress else { return }
            index.build(base, from: 0, to: bytes.count, lines: true)
            for number in 0...index.lineCount {
                let line = index.line(number, blockEnd: bytes.count)
                #expect(index.entry(atOrAfter: line.from) == line.entry)
                let fault = spans.withUnsafeMutableBufferPointer { spans -> JSONFault? in
                    guard let spans = spans.baseAddress else { return nil }
                    return parser.parse(
                        base, from: line.from, to: line.to, entry: line.entry, index: index, spans: spans, stride: 1)
                }
                let values = spans.map { ParsedRecord.text(JSONSpan(bits: $0), buffer) }
                records.append(ParsedRecord(kind: fault?.kind, values: values))
            }
        }
        return records
    }

    @Test(arguments: JSONScanLevel.available)
    func aLineReadsTheSameWhateverTheLinesAroundItAre(level: JSONScanLevel) {
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

    @Test func manyLinesAtOnceFillRowsAndPassOverBlankOnes() {
        let text = #"{"id":"1"}"# + "\n \r\n" + #"{"id":}"# + "\n" + #"{"id":3}"# + "\n\n" + #"{"id":"4"}"# + "\n"
        let count = text.utf8.count
        let buffer = Array(text.utf8) + [UInt8](repeating: 0, count: 64)
        var (index, parser) = (JSONBlockIndex(), JSONRecordParser(paths: [["id"], ["x"]]))
        var spans = [UInt64](repeating: 9, count: 4)
        var told: [String] = []
        var values: [String?] = []
        buffer.withUnsafeBufferPointer { unsafe in
            spans.withUnsafeMutableBufferPointer { spans in
                guard let base = unsafe.baseAddress, let out = spans.baseAddress else { return }
                index.build(base, from: 0, to: count, lines: true)
                var line = 0
                while line < index.lineCount {
                    let done = parser.parseLines(
                        base, blockEnd: count, lines: line..<index.lineCount, index: index, spans: out, stride: 2
                    ) { line, fault in told.append("\(line.from) \(fault == nil)") }
                    line = done.nextLine
                    for row in 0..<done.rows {
                        values.append(ParsedRecord.text(JSONSpan(bits: out[row]), buffer))
                        #expect(out[2 + row] == 0)
                    }
                }
            }
        }
        #expect(values == ["'1", "=3", "'4"])
        #expect(told == ["0 true", "14 false", "22 true", "32 true"])
    }

    @Test func countsStringsTheSameOnEveryLevelFromAnyStart() {
        var generator = JSONGenerator(seed: 3)
        for _ in 0..<300 {
            let bytes = generator.damage(Array((generator.record() + generator.object()).utf8))
            let shift = Int.random(in: 0..<9, using: &generator.random)
            let buffer = [UInt8](repeating: UInt8(ascii: "\\"), count: shift) + bytes
            let counts = JSONScanLevel.available.map { level in
                var index = JSONBlockIndex(level: level)
                buffer.withUnsafeBufferPointer { buffer in
                    guard let base = buffer.baseAddress else { return }
                    index.build(base, from: shift, to: buffer.count, lines: true)
                }
                return [index.count, index.lineCount]
            }
            #expect(Set(counts).count == 1)
        }
    }
}
