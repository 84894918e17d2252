import ExportBytes
import Keys
import Scans
import Synchronization
import TestSupport
import Testing
import Trips

/// An export is divided between machines: each record is in one part, wherever the cuts are.
@Suite struct FactPartsTests {
    private struct Reading: Equatable {
        var rows: [Substring] = []
        var read = 0
        var facts = 0
        var rejected = 0
        var skipped = 0
        var swallowedLines = 0

        mutating func add(_ other: Reading) {
            rows += other.rows
            read += other.read
            facts += other.facts
            rejected += other.rejected
            skipped += other.skipped
            swallowedLines += other.swallowedLines
        }
    }

    private func facts(
        _ path: String, blockBytes: Int, part: ExportPart? = nil
    ) throws -> (reading: Reading, part: FactsSummary.ExportRange?) {
        let key = try #require(PseudonymKey(bytes: Array(repeating: 9, count: PseudonymKey.byteCount)))
        let plan = ScanPlan(
            inputs: [path], rules: try ShippedRules.read(), workers: 1, blockBytes: blockBytes,
            maximumRejectPerMillion: 1_000_000)
        let written = Mutex<[UInt8]>([])
        let summary = try FactsRun(plan, key: key, tool: "test", part: part).run { lines in
            written.withLock { $0 += lines }
        }
        let lines = String(decoding: written.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        #expect(lines.last?.first == "#" && lines.count == summary.facts + 1)
        let reading = Reading(
            rows: Array(lines.dropLast()), read: summary.read, facts: summary.facts, rejected: summary.rejected,
            skipped: summary.skipped, swallowedLines: summary.swallowedLines)
        return (reading, summary.part)
    }

    /// As a driver reads them: all by guess, then those again whose guess was wrong.
    ///
    /// - Returns: how many guesses were wrong.
    private func readParts(
        _ path: String, _ parts: [Range<Int>], blockBytes: Int, into whole: inout Reading
    ) throws -> Int {
        var end: RecordStart?
        var wrong = 0
        for bytes in parts {
            var (reading, part) = try facts(path, blockBytes: blockBytes, part: ExportPart(bytes: bytes))
            var bounds = try #require(part)
            if let end, end != RecordStart(offset: bounds.start, isResuming: bounds.startIsResuming) {
                wrong += 1
                (reading, part) = try facts(path, blockBytes: blockBytes, part: ExportPart(bytes: bytes, start: end))
                bounds = try #require(part)
                #expect(RecordStart(offset: bounds.start, isResuming: bounds.startIsResuming) == end)
            }
            whole.add(reading)
            end = RecordStart(offset: bounds.end, isResuming: bounds.endIsResuming)
        }
        return wrong
    }

    private static func note(_ random: inout SplitMix64, isBroken: Bool) -> String {
        let pieces = [
            "plain", "née \u{1F691}", "line\nT9,2026-03-01 10:00:00,completed", "a \"\"quote\"\"", "x,y", "\r\nz",
        ]
        let texts = (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        let text = texts.joined(separator: " ")
        return isBroken ? "\"" + text : "\"" + text + "\""
    }

    private static func export(_ random: inout SplitMix64, isCSV: Bool) -> String {
        let count = Int.random(in: 1...40, using: &random)
        let hasBroken = Int.random(in: 0...3, using: &random) == 0
        let rows = (0..<count).map { number -> String in
            let id = "T\(number)", time = "2026-03-01 10:00:0\(number % 10)"
            guard isCSV else {
                let text = String(repeating: "né\u{1F691}", count: Int.random(in: 0...30, using: &random))
                return #"{"trip_id":"\#(id)","unit_notified_at":"\#(time)","status":"completed","notes":"\#(text)"}"#
            }
            let isBroken = hasBroken && Int.random(in: 0...9, using: &random) == 0
            return "\(id),\(time),completed,\(note(&random, isBroken: isBroken))"
        }
        return (isCSV ? ["trip_id,unit_notified_at,status,notes"] + rows : rows).map { $0 + "\n" }.joined()
    }

    @Test func partsHaveTheRecordsOfTheWhole() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            var wrong = 0, rows = 0
            for seed in 0..<FuzzPlan.iterations(400) {
                var random = SplitMix64(seed: UInt64(seed) &+ 0xFAC75)
                let isCSV = seed % 4 != 0
                let text = Self.export(&random, isCSV: isCSV)
                let size = text.utf8.count
                let path = try folder.write(text, to: isCSV ? "export.csv" : "export.ndjson")
                let blockBytes = [64, 256, 1 << 12].randomElement(using: &random) ?? 64
                let whole = try facts(path, blockBytes: blockBytes).reading
                let cuts = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                    Int.random(in: 1..<size, using: &random)
                }
                let edges = Array(Set([0, size] + cuts)).sorted()
                var parts = Reading()
                wrong += try readParts(
                    path, zip(edges, edges.dropFirst()).map { $0..<$1 }, blockBytes: blockBytes, into: &parts)
                #expect(parts == whole, "seed \(seed)")
                rows += whole.facts
            }
            #expect(wrong > 20 && rows > 1000)
        }
    }

    @Test(arguments: ["[{\"trip_id\":\"T1\",\"unit_notified_at\":\"2026-03-01 10:00:00\"}]"])
    func anArrayIsReadWhole(text: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(text, to: "export.json")
            let error = #expect(throws: ExportError.self) {
                try facts(path, blockBytes: 64, part: ExportPart(bytes: 0..<10))
            }
            #expect(error?.kind == .notRepeatable)
        }
    }
}
