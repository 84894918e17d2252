import Cluster
import ExportBytes
import Keys
import Profiles
import Reporting
import Synchronization
import TestSupport
import Testing
import Trips
import UseCases

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

    /// - Parameter workers: rows of several workers come in any order, and are sorted here.
    private func facts(
        _ path: String, blockBytes: Int, workers: Int = 1, part: ExportPart? = nil
    ) throws -> (reading: Reading, part: FactsSummary.PartOfExport?) {
        let key = try #require(PseudonymKey(bytes: Array(repeating: 9, count: PseudonymKey.byteCount)))
        var plan = ScanRequest(
            inputs: [path], rules: try ShippedRules.sample(), workers: workers, blockBytes: blockBytes,
            maximumRejectPerMillion: 1_000_000)
        plan.limits = ValueLimits(maximumUnreadablePerMillion: 1_000_000)
        let written = Mutex<[UInt8]>([])
        let summary = try FactsRun(plan, key: key, tool: "test", part: part).run {
        } write: { lines in
            written.withLock { $0 += lines }
        }.summary
        let lines = String(decoding: written.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        #expect(lines.last?.first == "#" && lines.count == summary.facts + 1)
        let rows = Array(lines.dropLast())
        let reading = Reading(
            rows: workers == 1 ? rows : rows.sorted(), read: summary.read, facts: summary.facts,
            rejected: summary.rejected,
            skipped: summary.skipped, swallowedLines: summary.swallowedLines)
        return (reading, summary.part)
    }

    /// As a driver reads them: all by guess, then those again whose guess was wrong.
    ///
    /// - Returns: how many guesses were wrong.
    private func readParts(
        _ path: String, _ parts: [Range<Int>], blockBytes: Int, workers: Int, into whole: inout Reading
    ) throws -> Int {
        var end: RecordStart?
        var wrong = 0
        for bytes in parts {
            var (reading, part) = try facts(
                path, blockBytes: blockBytes, workers: workers, part: ExportPart(bytes: bytes))
            var bounds = try #require(part)
            if let end, end != RecordStart(offset: bounds.start, isResuming: bounds.startIsResuming) {
                wrong += 1
                (reading, part) = try facts(
                    path, blockBytes: blockBytes, workers: workers, part: ExportPart(bytes: bytes, start: end)
                )
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
        let lines = isCSV ? ["trip_id,unit_notified_at,status,notes"] + rows : rows
        let lineEnd = isCSV ? ["\n", "\r\n", "\r"].randomElement(using: &random) ?? "\n" : "\n"
        let mark = isCSV && Bool.random(using: &random) ? "\u{FEFF}" : ""
        return mark + lines.map { $0 + lineEnd }.joined()
    }

    @Test func partsHaveTheRecordsOfTheWhole() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            var wrong = 0, rows = 0
            for seed in 0..<FuzzPlan.iterations(150) {
                var random = SplitMix64(seed: UInt64(seed) &+ 0xFAC75)
                let isCSV = seed % 4 != 0
                let text = Self.export(&random, isCSV: isCSV)
                let size = text.utf8.count
                let path = try folder.write(text, to: isCSV ? "export.csv" : "export.ndjson")
                let blockBytes = [64, 256, 1 << 12].randomElement(using: &random) ?? 64
                let workers = Int.random(in: 1...3, using: &random)
                let whole = try facts(path, blockBytes: blockBytes, workers: workers).reading
                let cuts = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                    Int.random(in: 1..<size, using: &random)
                }
                let edges = Array(Set([0, size] + cuts)).sorted()
                var parts = Reading()
                wrong += try readParts(
                    path, zip(edges, edges.dropFirst()).map { $0..<$1 }, blockBytes: blockBytes, workers: workers,
                    into: &parts)
                if workers > 1 { parts.rows.sort() }
                #expect(parts == whole, "seed \(seed)")
                rows += whole.facts
            }
            #expect(wrong > 20 && rows > 1000)
        }
    }

    @Test func anArrayIsReadWhole() throws {
        try TemporaryFolder.with { folder in
            let text = "[{\"trip_id\":\"T1\",\"unit_notified_at\":\"2026-03-01 10:00:00\"}]"
            let path = try folder.write(text, to: "export.json")
            try expectRefusal(of: #require(ExportPart(bytes: 0..<10)), path, .notRepeatable)
        }
    }

    private func expectRefusal(of part: ExportPart, _ path: String, _ kind: ExportError.Kind) throws {
        let error = #expect(throws: ExportError.self) { try facts(path, blockBytes: 64, part: part) }
        #expect(error?.kind == kind)
    }

    /// Parts without a record, in a file without one, within a long record, or within the header.
    @Test func partsOfAFileWithFewRecordsMeet() throws {
        let header = "trip_id,unit_notified_at,status,notes\n"
        let long = "T1,2026-03-01 10:00:00,completed,\"" + String(repeating: "a line\n", count: 3000) + "\"\n"
        let last = "T2,2026-03-01 10:00:00,completed,x\n"
        try TemporaryFolder.with { folder in
            for (text, records) in [
                (header, 0), (header + long, 1), (header + long + last, 2), (header + last, 1),
            ] {
                let path = try folder.write(
                    text, to: "export.csv")
                let size = text.utf8.count
                for bytes in [7, 40, 4000] {
                    let edges = Array(stride(from: 0, to: size, by: max(bytes, size / 20))) + [size]
                    var parts = Reading()
                    _ = try readParts(
                        path, zip(edges, edges.dropFirst()).map { $0..<$1 }, blockBytes: 256, workers: 1, into: &parts)
                    #expect(parts.read == records, "\(records) of \(size) bytes by \(bytes)")
                    #expect(try parts == facts(path, blockBytes: 256).reading)
                }
            }
        }
    }

    /// A start that no part can have must not become a place in memory.
    @Test func aStartIsInTheFileAndNotBeforeItsPart() throws {
        #expect(ExportPart(bytes: 10..<20, start: RecordStart(offset: 9)) == nil)
        #expect(ExportPart(bytes: 10..<10) == nil && ExportPart(bytes: -1..<10) == nil)
        try TemporaryFolder.with { folder in
            let path = try folder.write("trip_id,unit_notified_at\nT1,2026-03-01 10:00:00\n", to: "export.csv")
            for start in [1 << 20, Int.max / 2, Int.max] {
                try expectRefusal(
                    of: #require(ExportPart(bytes: 30..<40, start: RecordStart(offset: start))), path, .malformed)
            }
            for bytes in [1000..<2000, Int.max - 1..<Int.max] {
                try expectRefusal(of: #require(ExportPart(bytes: bytes)), path, .malformed)
            }
            // A record may be longer than the part.
            let after = try facts(
                path, blockBytes: 64, part: ExportPart(bytes: 30..<32, start: RecordStart(offset: 48)))
            #expect(after.reading.read == 0 && after.part?.end == 48)
        }
    }
}
