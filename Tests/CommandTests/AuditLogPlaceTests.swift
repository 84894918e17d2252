import Foundation
import TestSupport
import Testing

/// Where internal outputs of exports are recorded.
@Suite struct AuditLogPlaceTests {
    /// Runs the program with no audit log configured, in a folder, with a home that is beside it.
    private func run(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
    ) throws -> CommandResult {
        let work = folder.url.appendingPathComponent("work")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        let own = ["TRIPKPI_AUDIT_LOG": "", "HOME": folder.path(of: "home"), "XDG_CONFIG_HOME": ""]
        return try CommandFixture().run(
            arguments, environment: own.merging(environment) { $1 }, in: work)
    }

    private func files(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            .filter { !FileManager.default.isDirectory(folder.path(of: $0)) }
    }

    private static let userLog = "home/.local/state/tripkpi/audit.jsonl"

    @Test(arguments: [
        ["scan", "--output", "out.json"], ["report", "--output", "out.csv"], ["costs", "--output", "out.xlsx"],
        ["trips", "--privacy", "limited-data-set"],
    ])
    func anExportWithoutAStoreIsRecordedInTheUsersLog(arguments: [String]) throws {
        try TemporaryFolder.with { folder in
            let result = try run(arguments + [CommandFixture.sample, "--quiet"], in: folder)
            #expect(result.status == 0, "\(result.stderrText)")
            let output = arguments.contains("--output") ? ["work/\(arguments[2])"] : []
            let found = try files(folder)
            #expect(found == [Self.userLog, Self.userLog + ".head"] + output)
            let log = String(decoding: try folder.read(Self.userLog), as: UTF8.self)
            #expect(log.contains("\"command\":\"tripkpi \(arguments[0])\""))
            #expect(log.contains("\"internal\":true") || log.contains("\"rowProfile\":\"limited-data-set\""))
        }
    }

    @Test func theStateFolderOfTheEnvironmentIsUsed() throws {
        try TemporaryFolder.with { folder in
            let state = ["XDG_STATE_HOME": folder.path(of: "state")]
            let words = ["scan", CommandFixture.sample, "--output", "out.md"]
            #expect(try run(words, in: folder, environment: state).status == 0)
            let found = try files(folder)
            #expect(found == ["state/tripkpi/audit.jsonl", "state/tripkpi/audit.jsonl.head", "work/out.md"])
        }
    }

    @Test func aStoreKeepsTheLogBesideIt() throws {
        try TemporaryFolder.with { folder in
            let export = try folder.write(CommandFixture.trips(40), to: "trips.csv")
            #expect(try run(["load", export, "--quiet"], in: folder).status == 0)
            #expect(try run(["report", export, "--output", "out.csv"], in: folder).status == 0)
            let log = String(decoding: try folder.read("work/store/tripkpi.sqlite.audit.jsonl"), as: UTF8.self)
            #expect(log.contains("\"command\":\"tripkpi report\""))
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "home")))
        }
    }

    @Test func aConfiguredStoreKeepsTheLogBesideItFromTheBeginning() throws {
        try TemporaryFolder.with { folder in
            let store = ["TRIPKPI_STORE": folder.path(of: "site/kpi.sqlite")]
            let words = ["scan", CommandFixture.sample, "--output", "out.html"]
            #expect(try run(words, in: folder, environment: store).status == 0)
            let found = try files(folder)
            #expect(found == ["site/kpi.sqlite.audit.jsonl", "site/kpi.sqlite.audit.jsonl.head", "work/out.html"])
        }
    }

    /// Whoever names an export has it: figures on the terminal need no log.
    @Test(arguments: [
        ["scan"], ["report", "--month", "2023-12"], ["scan", "--release"], ["scan", "--format", "csv"],
    ])
    func textOfAnExportNeedsNoLog(arguments: [String]) throws {
        try TemporaryFolder.with { folder in
            let result = try run(arguments + [CommandFixture.sample], in: folder, environment: ["HOME": ""])
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(result.stdoutText.contains("INTERNAL: contains small counts") == !arguments.contains("--release"))
            let found = try files(folder)
            #expect(found.isEmpty)
        }
    }

    @Test func aTableOfAStoreIsRecorded() throws {
        try TemporaryFolder.with { folder in
            let export = try folder.write(CommandFixture.trips(40), to: "trips.csv")
            #expect(try run(["load", export, "--quiet"], in: folder).status == 0)
            func reports() throws -> Int {
                String(decoding: try folder.read("work/store/tripkpi.sqlite.audit.jsonl"), as: UTF8.self)
                    .split(separator: "\n").count { $0.contains("\"event\":\"report\"") }
            }
            let before = try reports()
            #expect(try run(["scan", export], in: folder).status == 0)
            #expect(try reports() == before)
            #expect(try run(["report"], in: folder).status == 0)
            #expect(try reports() == before + 1)
        }
    }

    @Test func aReleaseOfExportsIsNotRecordedWithoutALog() throws {
        try TemporaryFolder.with { folder in
            let words = ["scan", CommandFixture.sample, "--release", "--quiet", "--output", "kpi.json"]
            #expect(try run(words, in: folder).status == 0)
            let found = try files(folder)
            #expect(found == ["work/kpi.json"])
        }
    }

    @Test func withoutAHomeTheLogMustBeNamed() throws {
        try TemporaryFolder.with { folder in
            let result = try run(
                ["scan", CommandFixture.sample, "--output", "out.csv"], in: folder, environment: ["HOME": ""])
            #expect(result.status == 78 && result.stdout.isEmpty)
            #expect(result.stderrText.contains("TRIPKPI_AUDIT_LOG"))
            let found = try files(folder)
            #expect(found.isEmpty)
        }
    }
}

extension FileManager {
    fileprivate func isDirectory(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
