import Foundation
import GRDB
import TestSupport
import Testing

/// `merge --releases`: months are released once and revised, as `publish` does from a store.
@Suite struct MergeRegisterTests {
    private let machine: TallyingMachine

    init() throws { machine = TallyingMachine(try CommandFixture()) }

    /// Corrections of every second trip, of the costs alone.
    private static func corrections(of export: String) -> String {
        let lines = export.split(separator: "\n")
        let corrected = lines.dropFirst().enumerated().filter { $0.offset.isMultiple(of: 2) }.map { _, line in
            var fields = line.split(separator: ",", omittingEmptySubsequences: false)
            fields[5] = "77.77"
            fields[8] = "2026-01-03 00:00:00"
            return fields.joined(separator: ",")
        }
        return ([String(lines[0])] + corrected).joined(separator: "\n") + "\n"
    }

    /// The newest facts of an export by trip, and its last line.
    private func newest(_ export: String, in folder: borrowing TemporaryFolder) throws -> (
        trips: [String: [Substring]], last: Substring
    ) {
        let lines = try machine.run(["facts", export, "--key-file", "trips.key"], in: folder).stdoutText
            .split(separator: "\n")
        let trips = lines.dropLast().reduce(into: [String: [Substring]]()) { newest, line in
            let fact = line.split(separator: "\t", omittingEmptySubsequences: false)
            func version(_ fact: [Substring]) -> [Int] { [2, 4].map { Int(fact[$0]) ?? .min } }
            let trip = "\(fact[0]) \(fact[1])"
            if let known = newest[trip], version(fact).lexicographicallyPrecedes(version(known)) { return }
            newest[trip] = fact
        }
        return (trips, try #require(lines.last))
    }

    /// What the job in spark/ writes: each trip that changed as it was and as it is, and tallies of the others of its month.
    ///
    /// - Parameter isRecorded: whether the register knows already how the trips were.
    private func changes(
        from before: [String: [Substring]], to after: [String: [Substring]], last: Substring, isRecorded: Bool = false,
        in folder: borrowing TemporaryFolder
    ) throws -> String {
        let void = "3", month = 6
        let changed = after.filter { trip, fact in before[trip].map { $0[month...] != fact[month...] } ?? true }
        let trips = changed.flatMap { trip, fact -> [String] in
            let old = before[trip].flatMap { $0[8] == void ? nil : $0 }
            let kind = old != nil ? "0" : fact[8] == void ? nil : "1"
            let line = isRecorded ? nil : kind.map { ([Substring($0)] + (old ?? fact)).joined(separator: "\t") }
            return [line].compactMap(\.self) + [(["2"] + fact).joined(separator: "\t")]
        }
        let months = Set(changed.values.map { $0[month] })
        let others = after.filter { changed[$0.key] == nil && months.contains($0.value[month]) }
        let facts = others.values.map { $0.joined(separator: "\t") + "\n" }.joined()
        let tallied = try machine.run(TallyingMachine.words(of: last), in: folder, stdin: Array(facts.utf8))
        #expect(tallied.status == 0, "\(tallied.stderrText)")
        let lines = trips + tallied.stdoutText.split(separator: "\n").dropLast().map(String.init)
        return (lines + [Self.last(lines.count, months: months.sorted())]).joined(separator: "\n") + "\n"
    }

    private static func last(_ lines: Int, months: [Substring] = []) -> String {
        #"#{"format":"tripkpi-changes","version":1,"lines":\#(lines),"months":[\#(months.joined(separator: ","))]}"#
    }

    /// Of a first night.
    private static let none = last(0) + "\n"

    /// A night on one machine that has all trips: the release's cells.
    private func publish(_ export: String, _ more: [String] = [], in folder: borrowing TemporaryFolder) throws
        -> [UInt8]
    {
        for words in [["load", export, "--key-file", "trips.key"], ["publish", "--key-file", "trips.key"] + more] {
            let done = try machine.run(words, in: folder)
            #expect(done.status == 0, "\(words): \(done.stderrText)")
        }
        return try folder.read("reports/published/release/current/kpi-cells.csv")
    }

    private func merge(_ words: [String], in folder: borrowing TemporaryFolder) throws -> CommandResult {
        try machine.run(
            ["merge"] + words + ["--releases", "register.sqlite", "--audience", "release", "--format", "csv"],
            in: folder)
    }

    @Test func monthsAreReleasedOnceAndRevisedAsAStoreDoes() throws {
        try machine.withExports { folder in
            let export = TallyingMachine.export("E", trips: 900, seed: 1), corrections = Self.corrections(of: export)
            try folder.write(corrections, to: "later.csv")
            try folder.write(
                export + corrections.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n", to: "both.csv")
            try machine.tally("east.csv", as: "first.tally", in: folder)
            try machine.tally("both.csv", as: "second.tally", in: folder)
            try folder.write(Self.none, to: "none.tsv")

            let first = try merge(["first.tally", "--changes", "none.tsv"], in: folder)
            #expect(first.status == 0 && first.stderrText.contains("released: 2024-01, "), "\(first.stderrText)")
            #expect(try first.stdout == publish("east.csv", in: folder))

            let before = try newest("east.csv", in: folder).trips, (after, last) = try newest("both.csv", in: folder)
            try folder.write(changes(from: before, to: after, last: last, in: folder), to: "changes.tsv")
            let second = try merge(["second.tally", "--changes", "changes.tsv"], in: folder)
            let local = try publish("later.csv", in: folder)
            #expect(second.status == 0 && second.stdout == local, "\(second.stderrText)")
            #expect(!second.stderrText.contains("released:"))
            let scan = try machine.run(["scan", "both.csv", "--audience", "release", "--format", "csv"], in: folder)
            #expect(second.stdout != scan.stdout, "the release has the corrections before a revision")

            // The same changes again, in a run that was killed before: nothing else is recorded.
            #expect(try merge(["second.tally", "--changes", "changes.tsv"], in: folder).stdout == local)
            #expect(try merge(["second.tally"], in: folder).stdout == local)

            try folder.write(
                changes(from: before, to: after, last: last, isRecorded: true, in: folder), to: "now.tsv")
            let revised = try merge(["second.tally", "--changes", "now.tsv", "--revise"], in: folder)
            #expect(revised.stderrText.contains("revision of the release: 2024-"), "\(revised.stderrText)")
            let revisedLocally = try publish("later.csv", ["--revise"], in: folder)
            #expect(revised.stdout == revisedLocally && revised.stdout != local)
        }
    }

    /// As from a store: the first release waits, and nothing of it is recorded.
    @Test func theFirstReleaseWaitsForAPerson() throws {
        try machine.withExports { folder in
            try machine.tally("east.csv", as: "east.tally", in: folder)
            try folder.write(Self.none, to: "none.tsv")
            let words = [
                "merge", "east.tally", "--changes", "none.tsv", "--releases", "register.sqlite", "--release",
                "--format", "csv",
            ]
            let first = ["TRIPKPI_RELEASE_APPROVAL": "first"]
            for _ in 1...2 {
                let waiting = try machine.run(words, in: folder, environment: first)
                #expect(waiting.status == 65 && waiting.stdout.isEmpty)
                #expect(
                    waiting.stderrText.contains("the release waits for approval ("), "\(waiting.stderrText)")
            }
            let register = try DatabaseQueue(path: folder.path(of: "register.sqlite"))
            let refusal = "TRIGGER refusal BEFORE INSERT ON releases BEGIN SELECT RAISE(ABORT, 'refused'); END"
            try register.write { try $0.execute(sql: "CREATE \(refusal)") }
            let refused = try machine.run(words + ["--approve", "J. Doe"], in: folder, environment: first)
            #expect(refused.status == 74 && refused.stdout.isEmpty, "\(refused.stderrText)")
            let attempts = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(attempts.contains(#""outcome":"refused","approvedBy":"J. Doe""#), "\(attempts)")
            try register.write { try $0.execute(sql: "DROP TRIGGER refusal") }

            let approved = try machine.run(words + ["--approve", "J. Doe"], in: folder, environment: first)
            #expect(
                approved.status == 0 && approved.stderrText.contains("released: 2024-01, "), "\(approved.stderrText)")
            let entries = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(entries.contains(#""event":"approve""#) && entries.contains(#""approvedBy":"J. Doe""#))
            #expect(try machine.run(words, in: folder, environment: first).stdout == approved.stdout)
        }
    }

    /// A register that was lost: a month that readers have is not released with other figures.
    @Test func whatReadersHaveIsNotReleasedOtherwise() throws {
        try machine.withExports { folder in
            try machine.tally("east.csv", as: "east.tally", in: folder)
            try machine.tally("west.csv", as: "west.tally", in: folder)
            try folder.write(Self.none, to: "none.tsv")
            let words = ["--releases", "register.sqlite", "--changes", "none.tsv", "--audience", "release"]
            let first = try machine.run(["merge", "east.tally", "--output", "kpi.json"] + words, in: folder)
            #expect(first.status == 0, "\(first.stderrText)")
            for (tally, status) in [("east.tally", 0), ("west.tally", 65)] {
                for name in ["register.sqlite", "register.sqlite-wal", "register.sqlite-shm"] {
                    try? FileManager.default.removeItem(atPath: folder.path(of: name))
                }
                let again = try machine.run(["merge", tally, "--published", "kpi.json"] + words, in: folder)
                #expect(again.status == status, "\(again.stderrText)")
                #expect((status == 0) != again.stderrText.contains("readers already have a release of 2024-01"))
            }
        }
    }

    /// Codes of other lists would be shown under wrong names.
    @Test func aRegisterOfOtherTalliesIsRefused() throws {
        try machine.withExports { folder in
            try machine.tally("east.csv", as: "east.tally", in: folder)
            try folder.write(Self.none, to: "none.tsv")
            #expect(try merge(["east.tally", "--changes", "none.tsv"], in: folder).status == 0)
            try folder.write("regions: [North, South]\n", to: "tripkpi.yaml")
            try machine.tally("east.csv", as: "regions.tally", in: folder)
            try folder.write("", to: "tripkpi.yaml")
            let key = try folder.write([UInt8](repeating: 8, count: 32), to: "trips.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try machine.tally("east.csv", as: "keys.tally", in: folder)
            for what in ["regions", "keys"] {
                for more in [[], ["--changes", "none.tsv"]] {
                    let other = try merge(["\(what).tally"] + more, in: folder)
                    #expect(
                        other.status == 78 && other.stderrText.contains("its \(what) differ"), "\(other.stderrText)")
                }
            }
        }
    }

    @Test func aFileOfChangesThatIsCutOffIsRefused() throws {
        try machine.withExports { folder in
            try machine.tally("east.csv", as: "east.tally", in: folder)
            let fact = try #require(newest("east.csv", in: folder).trips.values.first).joined(separator: "\t")
            func last(_ lines: Int) -> String { Self.last(lines) + "\n" }
            let missing = try merge(["east.tally"], in: folder)
            #expect(
                missing.status == 66 && missing.stderrText.contains("there is no register"), "\(missing.stderrText)")
            for (text, what) in [
                ("", "not complete"), ("0\t\(fact)\n", "not complete"),
                ("0\t\(fact)\n" + last(2), "trips than its last line says"),
                ("3\t\(fact)\n" + last(1), "line 1: no changed trip"),
                ("0\(fact)\n" + last(1), "line 1: no tally"),
                ("0\tx\n" + last(1), "line 1: no changed trip"), ("#{}\n", "its last line"),
                (last(0).replacing(":1,", with: ":2,"), "version 2"),
                ("202401\tAAAA\n" + last(1), "line 1: a damaged"),
            ] {
                try folder.write(text, to: "changes.tsv")
                let result = try merge(["east.tally", "--changes", "changes.tsv"], in: folder)
                #expect(result.status == 65 && result.stdout.isEmpty, "\(what): \(result.stderrText)")
                #expect(result.stderrText.contains(what), "\(what): \(result.stderrText)")
            }
            try folder.write("2\t\(fact)\n" + last(1), to: "changes.tsv")
            let lacking = try merge(["east.tally", "--changes", "changes.tsv"], in: folder)
            #expect(lacking.status == 65 && lacking.stderrText.contains("no tally of the other trips"))
            let other = try merge(["east.tally"], in: folder)
            #expect(other.status == 65 && other.stderrText.contains("no month that was asked for is released yet"))
        }
    }
}
