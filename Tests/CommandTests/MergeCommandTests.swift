import Foundation
import TestSupport
import Testing

/// `scan --tally`, `tally` and `merge`: machines that share the work come to the bytes of one scan.
@Suite struct MergeCommandTests {
    private let fixture: CommandFixture
    private let machine: TallyingMachine

    init() throws {
        fixture = try CommandFixture()
        machine = TallyingMachine(fixture)
    }

    @Test func mergedTalliesHaveTheBytesOfOneScan() throws {
        try machine.withExports { folder in
            try machine.tally("east.csv", as: "east.tally", in: folder)
            try machine.tally("west.csv", as: "west.tally", ["--jobs", "1"], in: folder)
            for form in [
                ["--format", "json"], ["--format", "csv", "--release"], ["--format", "table"], ["--long", "--release"],
                ["--format", "json", "--release"],
            ] {
                let whole = try machine.run(["scan", "east.csv", "west.csv"] + form, in: folder)
                let merged = try machine.run(["merge", "east.tally", "west.tally", "--unique"] + form, in: folder)
                #expect(whole.status == 0 && merged.status == 0, "\(whole.stderrText) \(merged.stderrText)")
                #expect(whole.stdout == merged.stdout && !whole.stdout.isEmpty, "\(form)")
            }
            let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(log.contains("\"event\":\"tally\""))
        }
    }

    /// The limits of months are those of the merge.
    @Test func limitsOfMonthsHoldOfTheFigures() throws {
        try machine.withExports { folder in
            try folder.write("first_month: 2025-01\n", to: "tripkpi.yaml")
            try machine.tally("east.csv", as: "east.tally", in: folder)
            let whole = try machine.run(["scan", "east.csv", "--format", "json"], in: folder)
            let merged = try machine.run(["merge", "east.tally", "--format", "json"], in: folder)
            #expect(whole.stdout == merged.stdout && !whole.stdout.isEmpty)
            try folder.write("", to: "tripkpi.yaml")
            let all = try machine.run(["scan", "east.csv", "--format", "json"], in: folder)
            #expect(all.stdout != whole.stdout)
            #expect(try machine.run(["merge", "east.tally", "--format", "json"], in: folder).stdout == all.stdout)
        }
    }

    @Test func addedFactsAreTheTalliesOfAScan() throws {
        try machine.withExports { folder in
            let lines = TallyingMachine.export("E", trips: 600, seed: 3).split(separator: "\n")
            try folder.write(lines.filter { !$0.contains("2026-01-02") }.joined(separator: "\n") + "\n", to: "one.csv")
            try machine.tally("one.csv", as: "one.tally", in: folder)
            let file = String(decoding: try folder.read("one.tally"), as: UTF8.self).split(separator: "\n")
            let facts = try machine.run(["facts", "one.csv", "--key-file", "trips.key"], in: folder).stdoutText
                .split(separator: "\n").dropLast()
            let words = try TallyingMachine.words(of: #require(file.last))
            func add(_ lines: some Sequence<Substring>) throws -> [Substring] {
                let result = try machine.run(words, in: folder, stdin: Array(lines.map { $0 + "\n" }.joined().utf8))
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
        try machine.withExports { folder in
            let facts = try machine.run(["facts", "west.csv", "--key-file", "trips.key"], in: folder).stdoutText.split(
                separator: "\n")
            let fact = try #require(facts.first), words = try TallyingMachine.words(of: #require(facts.last))
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
                let result = try machine.run(words, in: folder, stdin: Array(input.utf8))
                #expect(result.status == 65 && result.stdout.isEmpty, "\(what)")
                #expect(result.stderrText.contains(what), "\(result.stderrText)")
            }
        }
    }

    @Test func talliesThatCannotBeAddedAreRefused() throws {
        try machine.withExports { folder in
            try machine.tally("east.csv", as: "east.tally", in: folder)
            try machine.tally("west.csv", as: "west.tally", in: folder)
            func refuse(_ words: [String], _ what: String) throws {
                let result = try machine.run(["merge"] + words, in: folder)
                #expect(result.status == 65 && result.stdout.isEmpty, "\(what)")
                #expect(result.stderrText.contains(what), "\(result.stderrText)")
            }
            try refuse(["east.tally", "west.tally"], "a trip may be in both")
            try refuse(["east.tally", "east.tally", "--unique"], "would count twice")
            let twice = try machine.run(
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
            try machine.tally("west.csv", as: "other.tally", in: folder)
            try refuse(["east.tally", "other.tally", "--unique"], "keys (--key-file) differ")

            var bytes = try folder.read("west.tally")
            try folder.write(bytes.dropLast(3), to: "cut.tally")
            try refuse(["cut.tally"], "not complete")
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            try folder.write(Array(lines.dropFirst().joined(separator: [10])) + [10], to: "lost.tally")
            try refuse(["lost.tally"], "trips than its last line says")
            bytes[40] = bytes[40] == 65 ? 66 : 65
            try folder.write(bytes, to: "damaged.tally")
            try refuse(["damaged.tally"], "damaged")
            try refuse(["east.csv"], "not complete")
            #expect(try machine.run(["merge", "none.tally"], in: folder).status == 66)
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
