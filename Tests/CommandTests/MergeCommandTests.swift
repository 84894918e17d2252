import Foundation
import TestSupport
import Testing

/// `scan --tally`, `tally` and `merge`: machines that share the work come to the bytes of one scan.
@Suite struct MergeCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static let environment = ["SOURCE_DATE_EPOCH": "1760000000"]

    /// Trips of two years; some have two versions, some are void.
    private static func export(_ prefix: String, trips: Int, seed: UInt64) -> String {
        var random = SplitMix64(seed: seed)
        var lines = ["trip_id,status,unit_notified_at,on_scene_at,completed_at,cost,region,patient_id,updated_at"]
        for trip in 1...trips {
            let month = Int.random(in: 1...12, using: &random), hour = Int.random(in: 0...20, using: &random)
            let day = "202\(Int.random(in: 4...5, using: &random))-\(month < 10 ? "0" : "")\(month)-11"
            func time(_ minutes: Int) -> String {
                let minutes = hour * 60 + minutes
                return
                    "\(day) \(minutes / 60 < 10 ? "0" : "")\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):00"
            }
            let status =
                ["completed", "completed", "completed", "cancelled", "void"].randomElement(using: &random) ?? ""
            for version in 1...(trip.isMultiple(of: 7) ? 2 : 1) {
                lines.append(
                    "\(prefix)\(trip),\(status),\(time(3)),\(time(3 + Int.random(in: 0...40, using: &random))),\(time(70)),"
                        + "\(Int.random(in: 1...900, using: &random)).25,,P\(Int.random(in: 1...30, using: &random)),"
                        + "2026-01-0\(version) 00:00:00")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func withExports(_ body: (borrowing TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let key = try folder.write([UInt8](repeating: 7, count: 32), to: "trips.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try folder.write(Self.export("E", trips: 900, seed: 1), to: "east.csv")
            try folder.write(Self.export("W", trips: 700, seed: 2), to: "west.csv")
            try body(folder)
        }
    }

    private func run(_ words: [String], in folder: borrowing TemporaryFolder, stdin: [UInt8] = []) throws
        -> CommandResult
    {
        var environment = Self.environment
        environment["TRIPKPI_AUDIT_LOG"] = folder.path(of: "audit.jsonl")
        return try fixture.run(words, stdin: stdin, environment: environment, in: folder.url)
    }

    private func tally(_ export: String, as file: String, _ more: [String] = [], in folder: borrowing TemporaryFolder)
        throws
    {
        let result = try run(["scan", export, "--tally", file, "--key-file", "trips.key"] + more, in: folder)
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(result.stdout.isEmpty)
    }

    /// `tally` with what a last line says.
    private static func words(of last: Substring) throws -> [String] {
        struct Lists: Decodable {
            var regions: [String]
            var tripTypes: [String]
        }
        let lists = try JSONDecoder().decode(Lists.self, from: Data(last.dropFirst().utf8))
        return [
            "tally", "--regions", "\(lists.regions.count)", "--trip-types", "\(lists.tripTypes.count)",
            "--longest-interval", "86400",
        ]
    }

    @Test func mergedTalliesHaveTheBytesOfOneScan() throws {
        try withExports { folder in
            try tally("east.csv", as: "east.tally", in: folder)
            try tally("west.csv", as: "west.tally", ["--jobs", "1"], in: folder)
            for form in [
                ["--format", "json"], ["--format", "csv"], ["--format", "table"], ["--format", "json", "--internal"],
            ] {
                let whole = try run(["scan", "east.csv", "west.csv"] + form, in: folder)
                let merged = try run(["merge", "east.tally", "west.tally", "--unique"] + form, in: folder)
                #expect(whole.status == 0 && merged.status == 0, "\(whole.stderrText) \(merged.stderrText)")
                #expect(whole.stdout == merged.stdout && !whole.stdout.isEmpty, "\(form)")
            }
            let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(log.contains("\"event\":\"tally\""))
        }
    }

    /// The limits of months are those of the merge.
    @Test func limitsOfMonthsHoldOfTheFigures() throws {
        try withExports { folder in
            try folder.write("first_month: 2025-01\n", to: "tripkpi.yaml")
            try tally("east.csv", as: "east.tally", in: folder)
            let whole = try run(["scan", "east.csv", "--format", "json"], in: folder)
            let merged = try run(["merge", "east.tally", "--format", "json"], in: folder)
            #expect(whole.stdout == merged.stdout && !whole.stdout.isEmpty)
            try folder.write("", to: "tripkpi.yaml")
            let all = try run(["scan", "east.csv", "--format", "json"], in: folder)
            #expect(all.stdout != whole.stdout)
            #expect(try run(["merge", "east.tally", "--format", "json"], in: folder).stdout == all.stdout)
        }
    }

    @Test func addedFactsAreTheTalliesOfAScan() throws {
        try withExports { folder in
            let lines = Self.export("E", trips: 600, seed: 3).split(separator: "\n")
            try folder.write(lines.filter { !$0.contains("2026-01-02") }.joined(separator: "\n") + "\n", to: "one.csv")
            try tally("one.csv", as: "one.tally", in: folder)
            let file = String(decoding: try folder.read("one.tally"), as: UTF8.self).split(separator: "\n")
            let facts = try run(["facts", "one.csv", "--key-file", "trips.key"], in: folder).stdoutText
                .split(separator: "\n").dropLast()
            let words = try Self.words(of: #require(file.last))
            func add(_ lines: some Sequence<Substring>) throws -> [Substring] {
                let result = try run(words, in: folder, stdin: Array(lines.map { $0 + "\n" }.joined().utf8))
                #expect(result.status == 0, "\(result.stderrText)")
                return result.stdoutText.split(separator: "\n")
            }
            let whole = try add(facts)
            #expect(whole.dropLast() == file.dropLast())
            #expect(whole.last?.contains("\"void\":") == true)
            // In parts, and the parts again.
            let parts = try [facts.prefix(100), facts.dropFirst(100).prefix(250), facts.dropFirst(350)].map(add)
            #expect(try add(parts.flatMap { $0.dropLast() }).dropLast() == file.dropLast())
        }
    }

    @Test func whatIsNotAFactIsRefused() throws {
        try withExports { folder in
            let facts = try run(["facts", "west.csv", "--key-file", "trips.key"], in: folder).stdoutText.split(
                separator: "\n")
            let fact = try #require(facts.first), words = try Self.words(of: #require(facts.last))
            var impossible = fact.split(separator: "\t", omittingEmptySubsequences: false)
            impossible[9] = "200"
            for (input, what) in [
                ("x\n", "line 1: neither a fact"), ("\(fact)\n\(fact)", "line 2: it has no last line"),
                (fact.dropLast(fact.split(separator: "\t").last.map { $0.count + 1 } ?? 0) + "\n", "neither a fact"),
                ("202401\tAAAA\n", "damaged"),
                ("202413\tAAAA\n", "no tally"),
                ("\(fact)\n#{}\n", "line 2: neither"),
                (impossible.joined(separator: "\t") + "\n", "cannot have these values"),
            ] {
                let result = try run(words, in: folder, stdin: Array(input.utf8))
                #expect(result.status == 65 && result.stdout.isEmpty, "\(what)")
                #expect(result.stderrText.contains(what), "\(result.stderrText)")
            }
        }
    }

    @Test func talliesThatCannotBeAddedAreRefused() throws {
        try withExports { folder in
            try tally("east.csv", as: "east.tally", in: folder)
            try tally("west.csv", as: "west.tally", in: folder)
            func refuse(_ words: [String], _ what: String) throws {
                let result = try run(["merge"] + words, in: folder)
                #expect(result.status == 65 && result.stdout.isEmpty, "\(what)")
                #expect(result.stderrText.contains(what), "\(result.stderrText)")
            }
            try refuse(["east.tally", "west.tally"], "a trip may be in both")
            try refuse(["east.tally", "east.tally", "--unique"], "would count twice")
            let twice = try run(
                ["scan", "east.csv", "east.csv", "--tally", "twice.tally", "--key-file", "trips.key"], in: folder)
            #expect(twice.status == 65 && twice.stderrText.contains("an export is in it twice"), "\(twice.stderrText)")
            let text = String(decoding: try folder.read("west.tally"), as: UTF8.self)
            let longer = text.replacing("IntervalSeconds\":86400", with: "IntervalSeconds\":1000000000")
            #expect(longer != text)
            try folder.write(longer, to: "longer.tally")
            try refuse(["longer.tally"], "numbers that no exports have")
            try folder.write("\n\nx\n" + text, to: "third.tally")
            try refuse(["third.tally"], "line 1: no tally")
            let key = try folder.write([UInt8](repeating: 8, count: 32), to: "trips.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try tally("west.csv", as: "other.tally", in: folder)
            try refuse(["east.tally", "other.tally", "--unique"], "keys (--key-file) differ")

            var bytes = try folder.read("west.tally")
            try folder.write(bytes.dropLast(3), to: "cut.tally")
            try refuse(["cut.tally"], "not complete")
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            try folder.write(Array(lines.dropFirst().joined(separator: [10])) + [10], to: "lost.tally")
            try refuse(["lost.tally"], "other trips than its last line says")
            bytes[40] = bytes[40] == 65 ? 66 : 65
            try folder.write(bytes, to: "damaged.tally")
            try refuse(["damaged.tally"], "damaged")
            try refuse(["east.csv"], "not complete")
            #expect(try run(["merge", "none.tally"], in: folder).status == 66)
        }
    }

    @Test(arguments: [
        ["scan", "-", "--tally", "t"], ["scan", "t.csv", "--key-file", "k"], ["merge"], ["tally"],
        ["scan", "t.csv", "--tally", "t", "--format", "json"], ["scan", "t.csv", "--tally", "t", "--dry-run"],
        ["tally", "--regions", "0", "--trip-types", "1", "--longest-interval", "1"],
    ])
    func whatMakesNoSenseIs64(arguments: [String]) throws {
        #expect(try fixture.run(arguments).status == 64)
    }
}
