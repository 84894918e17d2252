import Foundation
import TestSupport
import Testing

/// What would be given out is looked through first and written down; what cannot be is not given out.
@Suite("Guarded outputs")
struct GuardedOutputTests {
    private let fixture = try? CommandFixture()

    /// A site with sixty trips in its inbox, whose second region has a name of the caller's.
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
            #expect(result.stderrText.contains("kpi-cells.csv, row "))
            #expect(!result.stderrText.contains("010-1234"))
            let left = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path(of: "reports"))) ?? []
            #expect(!left.contains { $0.contains("kpi-") || $0.contains("manifest") || $0.contains("current") })
        }
    }

    @Test("a file of a report that holds one is not written", arguments: ["json", "csv", "ndjson", "xlsx"])
    func refusedFile(form: String) throws {
        try withSite(region: "South 555-010-1234") { folder, run in
            try folder.write("old", to: "out.\(form)")
            let result = try run(["scan", "inbox/trips.csv", "--output", "out.\(form)"])
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
            let result = try run(["scan", "inbox/trips.csv", "--output", "out.\(form)"])
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(FileManager.default.fileExists(atPath: folder.path(of: "out.\(form)")))
        }
    }

    @Test("a run is written down, verify and doctor find the log whole; then changed, cut and gone")
    func auditLog() throws {
        try withSite { folder, run in
            #expect(try run(["run"]).status == 0)
            #expect(try run(["report", "--internal"]).status == 0)
            #expect(try run(["query", "kpi_cells", "--internal"]).status == 0)
            let name = "store/tripkpi.sqlite.audit.jsonl"
            let log = String(decoding: try folder.read(name), as: UTF8.self)
            let lines = log.split(separator: "\n")
            #expect(lines.count == 5)
            #expect(lines[1].contains("\"event\":\"load\"") && lines[1].contains("\"read\":60"))
            #expect(lines[2].contains("\"event\":\"publish\"") && lines[2].contains("\"name\":\"manifest.json\""))
            #expect(lines[3].contains("\"internal\":true") && lines[4].contains("\"command\":\"tripkpi query\""))
            #expect(!log.contains("SYN-T"))
            let verified = try run(["verify"])
            #expect(verified.status == 0 && verified.stdoutText.contains("audit log: 4 entries"))
            #expect(try run(["doctor", "--quick"]).stdoutText.contains("audit log"))
            try folder.write(log.replacingOccurrences(of: "\"internal\":true", with: "\"internal\":false"), to: name)
            #expect(try run(["verify"]).status == 65)
            #expect(try run(["doctor", "--quick"]).status == 65)
            try folder.write(lines[..<4].joined(separator: "\n") + "\n", to: name)
            #expect(try run(["verify"]).stdoutText.contains("its end is missing"))
            let refused = try run(["report", "--internal"])
            #expect(refused.status == 65 && refused.stdout.isEmpty)
            #expect(try run(["run"]).status == 65)
        }
    }

    @Test("an internal use that cannot be written down does not happen")
    func unwritable() throws {
        let fixture = try #require(fixture)
        try withSite { folder, _ in
            try FileManager.default.createDirectory(atPath: folder.path(of: "audit"), withIntermediateDirectories: true)
            for arguments in [["scan", "inbox/trips.csv", "--internal"], ["query", "kpi_cells", "--internal"]] {
                let result = try fixture.run(
                    arguments, environment: ["TRIPKPI_AUDIT_LOG": folder.path(of: "audit")], in: folder.url)
                #expect([66, 73, 77].contains(result.status))
                #expect(result.stdout.isEmpty)
            }
        }
    }
}
