import Foundation
import TestSupport
import Testing

/// An output is scanned and recorded before it is written; if either fails, it is not written.
@Suite("Guarded outputs")
struct GuardedOutputTests {
    private let fixture = try? CommandFixture()

    /// A site with sixty trips in its inbox and the caller's name for its second region.
    private func withSite(
        region: String = "South", _ body: (TemporaryFolder, ([String]) throws -> CommandResult) throws -> Void
    ) throws {
        let fixture = try #require(fixture)
        try TemporaryFolder.with { folder in
            let rows = (0..<60).map {
                "SYN-T\(1000 + $0),2024-01-\($0 % 20 + 10),\($0 % 2 == 0 ? "North" : region),100.00"
            }
            try folder.write(
                "trip_id,service_date,region,cost\n" + rows.joined(separator: "\n") + "\n", to: "inbox/trips.csv")
            try folder.write("regions: [North, \"\(region)\"]\n", to: "tripkpi.yaml")
            try body(folder) { arguments in
                try fixture.run(arguments, environment: ["TRIPKPI_AUDIT_LOG": ""], in: folder.url)
            }
        }
    }

    @Test("a run whose set holds a phone number ends with 65; nothing is published, nothing of it is left")
    func refusedRun() throws {
        try withSite(region: "South 555-010-1234") { folder, run in
            let result = try run(["run"])
            #expect(result.status == 65)
            #expect(result.stderrText.contains("a phone number"))
            #expect(result.stderrText.contains("kpi-cells.csv, line "))
            #expect(!result.stderrText.contains("010-1234"))
            let left = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(of: "reports"))) ?? []
            #expect(!left.contains { $0.contains("kpi-") || $0.contains("manifest") || $0.contains("current") })
        }
    }

    @Test("a file of a report that holds one is not written", arguments: ["json", "csv", "ndjson", "xlsx"])
    func refusedFile(form: String) throws {
        try withSite(region: "South 555-010-1234") { folder, run in
            try folder.write("old", to: "out.\(form)")
            let result = try run(["scan", "inbox/trips.csv", "--release", "--output", "out.\(form)"])
            #expect(result.status == 65)
            #expect(result.stderrText.contains("out.\(form), "))
            #expect(!result.stderrText.contains("010-1234"))
            #expect(try folder.read("out.\(form)") == Array("old".utf8))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                    "inbox", "out.\(form)", "tripkpi.yaml",
                ])
        }
    }

    @Test("files of ordinary reports pass", arguments: ["json", "csv", "ndjson", "xlsx"])
    func passes(form: String) throws {
        try withSite { folder, run in
            let result = try run(["scan", "inbox/trips.csv", "--release", "--output", "out.\(form)"])
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(FileManager.default.fileExists(atPath: folder.path(of: "out.\(form)")))
        }
    }

    @Test("a run is written down, verify and doctor find the log whole; then changed, cut and gone")
    func auditLog() throws {
        try withSite { folder, run in
            #expect(try run(["run"]).status == 0)
            #expect(try run(["report"]).status == 0)
            #expect(try run(["query", "kpi_cells", "--internal"]).status == 0)
            let name = "store/tripkpi.sqlite.audit.jsonl"
            let log = String(decoding: try folder.read(name), as: UTF8.self)
            let lines = log.split(separator: "\n")
            #expect(lines.count == 6)
            #expect(lines[1].contains("\"event\":\"load\"") && lines[1].contains("\"read\":60"))
            #expect(lines[2].contains("\"event\":\"publish\"") && lines[2].contains("\"name\":\"manifest.json\""))
            #expect(lines[3].contains("\"event\":\"publish\"") && lines[3].contains("\"internal\":true"))
            #expect(lines[4].contains("\"internal\":true") && lines[5].contains("\"command\":\"tripkpi query\""))
            #expect(!log.contains("SYN-T"))
            let verified = try run(["verify"])
            #expect(verified.status == 0 && verified.stdoutText.contains("audit log: 5 entries"))
            #expect(try run(["doctor", "--quick"]).stdoutText.contains("audit log"))
            try folder.write(log.replacingOccurrences(of: "\"internal\":true", with: "\"internal\":false"), to: name)
            #expect(try run(["verify"]).status == 65)
            #expect(try run(["doctor", "--quick"]).status == 65)
            try folder.write(lines[..<5].joined(separator: "\n") + "\n", to: name)
            #expect(try run(["verify"]).stdoutText.contains("its end is missing"))
            let refused = try run(["report"])
            #expect(refused.status == 65 && refused.stdout.isEmpty)
            #expect(try run(["run"]).status == 65)
        }
    }

    /// A site that publishes rows with their days, and shows one provider.
    private func withRows(
        provider: String, _ body: (TemporaryFolder, ([String]) throws -> CommandResult) throws -> Void
    ) throws {
        let fixture = try #require(fixture)
        try TemporaryFolder.with { folder in
            let rows = (0..<60).map { "SYN-T\(1000 + $0),2024-01-\($0 % 20 + 10),North,\(provider),SYN-P\($0 % 30)0" }
            try folder.write(
                "trip_id,service_date,region,provider_name,patient_id\n" + rows.joined(separator: "\n") + "\n",
                to: "inbox/trips.csv")
            try folder.write("provider\n\(provider)\n", to: "shown.csv")
            try folder.write("trips_feed: limited-data-set\nshown_providers: shown.csv\n", to: "tripkpi.yaml")
            try body(folder) { arguments in
                try fixture.run(arguments, environment: ["TRIPKPI_AUDIT_LOG": ""], in: folder.url)
            }
        }
    }

    private static let asRows = ["trips", "--privacy", "limited-data-set"]

    @Test("rows may hold days where their profile says so, and are written down")
    func rowsWithDays() throws {
        try withRows(provider: "Good Ambulance") { folder, run in
            let published = try run(["run"])
            #expect(published.status == 0, "\(published.stderrText)")
            for words in [
                ["--output", "a.csv"], ["--output", "a.ndjson.gz"], ["inbox/trips.csv", "--output", "b.csv"], [],
            ] {
                let result = try run(Self.asRows + words)
                #expect(result.status == 0, "\(words): \(result.stderrText)")
            }
            #expect(String(decoding: try folder.read("a.csv"), as: UTF8.self).contains("2024-01-"))
            let log = String(decoding: try folder.read("store/tripkpi.sqlite.audit.jsonl"), as: UTF8.self)
            let lines = log.split(separator: "\n").filter { $0.contains("\"rowProfile\":\"limited-data-set\"") }
            #expect(lines.filter { $0.contains("\"event\":\"trips\"") }.count == 4)
            #expect(lines.contains { $0.contains("\"event\":\"publish\"") && $0.contains("trips.ndjson.gz") })
            #expect(lines.contains { $0.contains("\"outputScan\":\"passed: shapes\"") })
            #expect(lines.contains { $0.contains("passed: shapes, 80 identifiers") })
            #expect(!log.contains("SYN-") && log.contains("\"auditResult\":\"passed\""))
        }
    }

    @Test("rows that contain a phone number are not published")
    func refusedRows() throws {
        try withRows(provider: "Ride 555-010-1234") { folder, run in
            let published = try run(["run"])
            #expect(published.status == 65 && published.stderrText.contains("trips.ndjson.gz, line 2, byte "))
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!left.contains { $0.contains("trips.") && $0.hasPrefix("reports") })
            for words in [["--output", "a.csv"], ["inbox/trips.csv", "--output", "b.ndjson.gz"]] {
                let result = try run(Self.asRows + words)
                #expect(result.status == 65 && !result.stderrText.contains("010-1234"))
            }
        }
        // A provider that the settings list is public.
        try withRows(provider: "SYN-P150") { _, run in
            let shown = try run(Self.asRows + ["inbox/trips.csv", "--output", "b.csv"])
            #expect(shown.status == 0)
        }
    }

    @Test("a file or a subfolder of the inbox may have a person's name: no message repeats it")
    func names() throws {
        let fixture = try #require(fixture)
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.canaryExport, to: "CANARYNOTE.csv")
            try folder.write("no,header\n", to: "CANARYLEG.csv")
            try folder.write(CommandFixture.canaryExport, to: "inbox/CANARYTRIP/trips.csv")
            for words in [
                ["scan", "CANARYNOTE.csv"], ["report", "CANARYLEG.csv"], ["trips", "CANARYNOTE.csv", "CANARYLEG.csv"],
                ["load", "CANARYNOTE.csv"], ["load", "CANARYLEG.csv"], ["classify", "explain", "1", "CANARYLEG.csv"],
                ["scan", "CANARYSTATUS/missing.csv"], ["load", "CANARYSTATUS.csv"], ["run"], ["run", "--dry-run"],
                ["doctor", "--quick"],
            ] {
                let result = try fixture.run(words, in: folder.url)
                #expect(result.leaks.isEmpty, "\(words): \(result.stderrText)")
            }
        }
    }

    @Test("other rules, a new key and a forgotten crosswalk are written down")
    func otherUses() throws {
        try withSite { folder, run in
            #expect(try run(["load", "inbox/trips.csv"]).status == 0)
            let rules =
                "name: other\nrules:\n  - id: paid\n    reason: Paid.\n    when: {present: contract_number}\n"
                + "    then: contracted\n"
            try folder.write(rules, to: "rules.yaml")
            let applied = try run(["classify", "apply", "--rules", "rules.yaml"])
            #expect(try run(["key", "rotate"]).status == 0)
            let log = String(decoding: try folder.read("store/tripkpi.sqlite.audit.jsonl"), as: UTF8.self)
            #expect(applied.status == 0 && log.contains("\"event\":\"classify\""), "\(applied.stderrText)")
            #expect(log.contains("\"event\":\"rotate-key\""))
            try folder.write("trip_id,service_date\n1,soon\n2,2024-01-03\n", to: "inbox/failing.csv")
            _ = try run(["run"])
            let listed = try run(["quarantine", "list", "--format", "csv"]).stdoutText
            let hash = try #require(listed.firstMatch(of: /[0-9a-f]{64}/)).output
            #expect(try run(["quarantine", "waive", String(hash), "--reason", "A test file."]).status == 0)
            #expect(try run(["quarantine", "waive", String(hash), "--withdraw-waiver"]).status == 0)
            #expect(try run(["quarantine", "forget", String(hash)]).status == 0)
            #expect(try run(["crosswalk", "forget"]).status == 0)
            let after = String(decoding: try folder.read("store/tripkpi.sqlite.audit.jsonl"), as: UTF8.self)
            for event in ["waive", "unwaive", "forget", "forget-crosswalk"] {
                #expect(after.contains("\"event\":\"\(event)\""), "\(event)")
            }
        }
    }

    @Test("an internal use that cannot be written down does not happen")
    func unwritable() throws {
        let fixture = try #require(fixture)
        try withSite { folder, _ in
            try FileManager.default.createDirectory(atPath: folder.path(of: "audit"), withIntermediateDirectories: true)
            for arguments in [["scan", "inbox/trips.csv", "--output", "x.csv"], ["query", "kpi_cells", "--internal"]] {
                let result = try fixture.run(
                    arguments, environment: ["TRIPKPI_AUDIT_LOG": folder.path(of: "audit")], in: folder.url)
                #expect([66, 73, 77].contains(result.status))
                #expect(result.stdout.isEmpty)
            }
        }
    }
}
