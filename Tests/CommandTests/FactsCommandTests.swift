import Foundation
import TestSupport
import Testing

/// `facts`: its rows, its last line, its refusals. `check_facts.py` computes every cell of a scan from the rows.
@Suite struct FactsCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private struct LastLine: Decodable {
        var format: String
        var read: Int
        var facts: Int
        var rejected: Int
        var rejectedByReason: [String: Int]
        var regions: [String]
        var keyFingerprint: String
    }

    private func withKey<Value>(_ body: (TemporaryFolder) throws -> Value) throws -> Value {
        try TemporaryFolder.with { folder in
            let path = try folder.write([UInt8](repeating: 7, count: 32), to: "trips.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            try folder.write(CommandFixture.canaryExport, to: "trips.csv")
            return try body(folder)
        }
    }

    private func facts(_ more: [String], in folder: borrowing TemporaryFolder) throws -> CommandResult {
        try fixture.run(
            ["facts", "trips.csv", "--key-file", "trips.key"] + more,
            environment: ["TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl")], in: folder.url)
    }

    @Test func aRowIsTheNumbersOfARecord() throws {
        try withKey { folder in
            let result = try facts(["--max-reject", "60%", "--jobs", "1"], in: folder)
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(result.leaks.isEmpty)
            let lines = result.stdoutText.split(separator: "\n").map(String.init)
            let rows = lines.dropLast().map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
            try #require(rows.count == 2 && rows.allSatisfy { $0.count == 23 })
            // One trip, two versions: a day later, and contracted instead of in-house.
            #expect(rows[0][..<2] == rows[1][..<2])
            #expect(rows.map { $0[2] } == ["1704182400000000", "1704268800000000"])
            #expect(rows.map { $0[3] } == ["", ""])
            #expect(rows.map { $0[6] } == ["202401", "202401"] && rows.map { $0[7] } == ["19724", "19724"])
            #expect(rows.map { $0[8] } == ["0", "0"] && rows.map { $0[11] } == ["0", "1"])
            #expect(rows.allSatisfy { $0[12..<22].allSatisfy(\.isEmpty) })
            let last = try #require(lines.last)
            #expect(last.hasPrefix("#"))
            let summary = try JSONDecoder().decode(LastLine.self, from: Data(last.dropFirst().utf8))
            #expect(summary.format == "tripkpi-facts" && summary.read == 4 && summary.facts == 2)
            #expect(summary.rejected == 2 && summary.rejectedByReason.values.reduce(0, +) == 2)
            #expect(summary.regions.first == "Unassigned" && summary.keyFingerprint.count == 16)
        }
    }

    /// Two ranges, of which the second begins within a quoted field.
    @Test func rangesHaveTheRowsOfTheWhole() throws {
        struct Range: Decodable {
            struct Part: Decodable {
                var start: Int
                var end: Int
                var endIsResuming: Bool
                var fileBytes: Int
            }
            var part: Part?
        }
        try withKey { folder in
            let rows = (1...40).map { "T\($0),2024-01-02 07:00:00,\"a\nT0,2024-01-02 07:00:00,b\"\n" }
            try folder.write("trip_id,unit_notified_at,notes\n" + rows.joined(), to: "trips.csv")
            func read(_ words: [String]) throws -> (rows: [Substring], part: Range.Part?) {
                // The quoted lines look like records.
                let result = try facts(words + ["--jobs", "1", "--max-reject", "100%"], in: folder)
                #expect(result.status == 0, "\(result.stderrText)")
                let lines = result.stdoutText.split(separator: "\n")
                let last = try JSONDecoder().decode(Range.self, from: Data((lines.last ?? "#").dropFirst().utf8))
                return (Array(lines.dropLast()), last.part)
            }
            let whole = try read([])
            #expect(whole.rows.count == 40 && whole.part == nil)
            // Byte 40 is in a record whose quoted line end comes next, so the guess is wrong.
            let (first, bounds) = try read(["--range", "0:40"])
            let end = try #require(bounds).end
            let guessed = try read(["--range", "40:100000"])
            #expect(guessed.part?.start != end && guessed.part?.fileBytes == bounds?.fileBytes)
            let second = try read(["--range", "40:100000", "--start", "\(end)"])
            #expect(second.part?.start == end && first + second.rows == whole.rows)
            // After a broken quote the next record begins at the next line that reads as one.
            let resumed = try read(["--range", "40:100000", "--start", "\(end)+"])
            #expect(!resumed.rows.isEmpty)
        }
    }

    /// The same trip has the same pseudonym in every export, under one key.
    @Test func pseudonymsDependOnTheKeyAlone() throws {
        try withKey { folder in
            func keys() throws -> [Substring] {
                try facts(["--max-reject", "60%"], in: folder).stdoutText.split(separator: "\n").dropLast().map {
                    $0.split(separator: "\t")[0]
                }
            }
            let first = try keys()
            #expect(try first.count == 2 && first == keys())
            try folder.write([UInt8](repeating: 8, count: 32), to: "trips.key")
            #expect(try Set(keys()).isDisjoint(with: first))
        }
    }

    @Test func aFileIsThereOnlyWhenItIsWhole() throws {
        try withKey { folder in
            let refused = try facts(["--output", "facts.tsv"], in: folder)
            #expect(refused.status == 65)
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "facts.tsv")))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.contains(".part") })
            let stream = try facts([], in: folder)
            #expect(stream.status == 65 && !stream.stdoutText.contains("#"))
            let written = try facts(["--output", "facts.tsv", "--max-reject", "60%"], in: folder)
            #expect(written.status == 0 && written.stdout.isEmpty)
            let status = try FileManager.default.attributesOfItem(atPath: folder.path(of: "facts.tsv"))
            #expect((status[.posixPermissions] as? Int) == 0o600)
            let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(log.contains("\"event\":\"facts\"") && !log.contains("CANARY"))
        }
    }

    @Test(arguments: [
        ["facts"], ["facts", "--schema", "trips.csv"], ["facts", "trips.csv", "--start", "10"],
        ["facts", "trips.csv", "--range", "10:10"], ["facts", "trips.csv", "--range", "10:20", "--start", "9"],
        ["facts", "trips.csv", "--range", "10:20", "--start", "x+"], ["facts", "-", "--range", "0:10"],
    ])
    func whatMakesNoSenseIsRefused(arguments: [String]) throws {
        #expect(try fixture.run(arguments).status == 64)
    }

    @Test func withoutAKeyThereAreNoFacts() throws {
        try withKey { folder in
            let result = try fixture.run(
                ["facts", "trips.csv", "--key-file", "none.key"],
                environment: ["TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl")], in: folder.url)
            #expect(result.status != 0 && result.stdout.isEmpty)
        }
    }

    @Test func theSchemaNamesEachColumn() throws {
        struct Schema: Decodable {
            struct Column: Decodable {
                var name: String
                var type: String
                var isOptional: Bool
                var meaning: String
            }

            var version: Int
            var columns: [Column]
        }
        let result = try fixture.run(["facts", "--schema"])
        let schema = try JSONDecoder().decode(Schema.self, from: Data(result.stdout))
        #expect(schema.version == 1 && schema.columns.count == 23)
        #expect(schema.columns.allSatisfy { ["BIGINT", "INT"].contains($0.type) && $0.meaning.hasSuffix(".") })
        #expect(Set(schema.columns.map(\.name)).count == 23)
    }
}
