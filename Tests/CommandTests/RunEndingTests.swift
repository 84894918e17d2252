import Foundation
import TestSupport
import Testing

/// Whatever ends a run, its log says so in its form, and its metrics file has the exit code.
@Suite struct RunEndingTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test(arguments: [
        ("no_such_setting: 1", Int32(78)), ("zone: Mars/Olympus", 78), ("keep_runs: many", 78),
        ("rules: ./no-rules.yaml", 78), ("inbox: no-inbox", 66),
    ])
    func wrongSettingsAreReportedToo(line: String, status: Int32) throws {
        try TemporaryFolder.with { folder in
            try folder.write("log_format: json\nmetrics_file: run.prom\n\(line)\n", to: "tripkpi.yaml")
            let result = try fixture.run(["run"], in: folder.url)
            #expect(result.status == status)
            let lines = result.stderrText.split(separator: "\n")
            let events = try lines.map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(events.first?["event"] as? String == "run.started")
            #expect(events.last?["event"] as? String == "run.failed")
            #expect(events.last?["exit_code"] as? Int == Int(status))
            let metrics = String(decoding: try folder.read("run.prom"), as: UTF8.self)
            #expect(metrics.contains("tripkpi_last_exit_code \(status)\n"))
        }
    }

    @Test func withheldMonthsAndMonthsThatAreLeftOutAreInTheLog() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            try folder.write("last_month: 2020-01\nfreshness_warn_days: 30\n", to: "tripkpi.yaml")
            let result = try fixture.run(["run"], in: folder.url)
            #expect(result.status == 0)
            #expect(result.stderrText.contains("left out of all figures by first_month or last_month"))
            // How old the data are is told from all trips.
            #expect(result.stderrText.contains("the newest trip is of "))
            try folder.write("", to: "tripkpi.yaml")
            let now = try fixture.run(
                ["run"], environment: ["SOURCE_DATE_EPOCH": "\(Int(Date().timeIntervalSince1970))"], in: folder.url)
            #expect(now.status == 0)
            #expect(!now.stderrText.contains("left out of all figures"))
        }
    }

    @Test func eachExportIsRecordedBeforeTheStoreHasIt() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "a.csv")
            try folder.write("not an export", to: "b.csv")
            let result = try fixture.run(
                ["load", "a.csv", "b.csv"], environment: ["TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl")],
                in: folder.url)
            #expect(result.status != 0)
            let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(log.split(separator: "\n").count { $0.contains(#""event":"load""#) } == 1)
            #expect(log.contains(#""added":40"#))
        }
    }

    /// What cannot be recorded is not done, and leaves nothing.
    @Test func withoutAnAuditLogNothingIsMade() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "a.csv")
            try folder.write("x", to: "log/audit.jsonl/file")
            let result = try fixture.run(
                ["load", "a.csv", "--store", "s/trips.sqlite"],
                environment: ["TRIPKPI_AUDIT_LOG": "\(folder.path)/log/audit.jsonl"], in: folder.url)
            #expect(result.status != 0)
            let made = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/s")
            #expect(made.allSatisfy { $0.hasSuffix(".lock") })
        }
    }

    @Test(arguments: [
        ["query", "kpi_cells", "--internal"], ["classify", "--diff", "default", "--internal"],
        ["publish", "--rollback"],
    ])
    func withoutAStoreNoFolderIsMade(arguments: [String]) throws {
        try TemporaryFolder.with { folder in
            #expect(try fixture.run(arguments, in: folder.url).status == 66)
            let made = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(made == [])
        }
    }

    @Test func anAuditLogCanBeVerifiedByItself() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "a.csv")
            let log = folder.path(of: "audit.jsonl")
            let load = try fixture.run(["load", "a.csv"], environment: ["TRIPKPI_AUDIT_LOG": log], in: folder.url)
            #expect(load.status == 0)
            let result = try fixture.run(["verify", "--audit-log", log], in: folder.url)
            #expect(result.status == 0)
            #expect(result.stdoutText.contains("ok    audit log: "))
        }
    }

    /// `audit begin` once a year, as docs/operations.md says.
    @Test func theLogOfAnEarlierYearIsVerifiedBesideTheStore() throws {
        try TemporaryFolder.with { folder in
            let environment = ["TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl")]
            func run(_ words: String...) throws -> CommandResult {
                try fixture.run(words, environment: environment, in: folder.url)
            }
            try folder.write(CommandFixture.trips(40), to: "a.csv")
            #expect(try run("load", "a.csv").status == 0)
            let begun = try run("audit", "begin", "--reason", "The log of 2026 is complete.")
            #expect(begun.status == 0, "\(begun.stderrText)")
            let old = try #require(
                FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix("Z") })
            #expect(begun.stderrText.contains(old))
            for (name, end) in [(old, ""), (old + ".head", ".head")] {
                try FileManager.default.moveItem(
                    atPath: folder.path(of: name), toPath: folder.path(of: "audit-2026.jsonl\(end)"))
            }
            let result = try run("verify", "--audit-log", folder.path(of: "audit-2026.jsonl"))
            #expect(result.status == 0 && result.stdoutText.contains("ok    audit log: "), "\(result.stdoutText)")
            // The site's own log must have what the store remembers.
            for name in ["audit.jsonl", "audit.jsonl.head"] {
                try FileManager.default.removeItem(atPath: folder.path(of: name))
                try FileManager.default.moveItem(
                    atPath: folder.path(of: name.replacing("audit", with: "audit-2026")),
                    toPath: folder.path(of: name))
            }
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(of: "linked"), withDestinationPath: folder.path)
            let path = folder.path(of: "audit.jsonl")
            for name in [
                path, "/" + path, "audit.jsonl", "./audit.jsonl", "linked/./audit.jsonl", "linked/audit.jsonl",
            ] {
                #expect(try run("verify", "--audit-log", name).status == 65, "\(name)")
            }
        }
    }
}
