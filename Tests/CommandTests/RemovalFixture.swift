import Foundation
import TestSupport
import Testing

/// A site with the real command, whose trips are removed.
struct RemovalFixture {
    private let fixture: CommandFixture
    /// 2026-03-01.
    private static let now = 1_772_323_200

    init() throws { fixture = try CommandFixture() }

    func run(
        _ arguments: String..., stdin: String = "", day: Int = 0, in folder: TemporaryFolder
    ) throws -> CommandResult {
        try run(arguments: arguments, stdin: stdin, day: day, in: folder)
    }

    func run(
        arguments: [String], stdin: String = "", day: Int = 0, in folder: TemporaryFolder
    ) throws -> CommandResult {
        let result = try fixture.run(
            arguments, stdin: Array(stdin.utf8),
            environment: Self.environment(day, folder), in: folder.url)
        #expect(!result.stdoutText.contains("PAT-") && !result.stderrText.contains("PAT-"))
        return result
    }

    /// - Parameter script: of a shell, with the program as `"$0"`.
    func shell(_ script: String, stdin: String = "", day: Int, in folder: TemporaryFolder) throws -> CommandResult {
        let shell = try CommandRunner(executable: URL(fileURLWithPath: "/bin/sh"))
        let program = try CommandRunner().executable.path
        return try shell.run(
            ["-c", script, program], stdin: Array(stdin.utf8),
            environment: CommandFixture.environment.merging(Self.environment(day, folder)) { _, own in own },
            in: folder.url)
    }

    private static func environment(_ day: Int, _ folder: TemporaryFolder) -> [String: String] {
        ["SOURCE_DATE_EPOCH": "\(now + day * 86_400)", "TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl")]
    }

    /// `count` completed trips of each month; every patient has ten of them.
    func export(_ months: [String], count: Int = 60) -> String {
        let rows = months.flatMap { month in
            (0..<count).map { number in
                let day = String(format: "%02d", number % 27 + 1)
                return
                    "\(Self.id(number, month)),\(month)-\(day),QN,North,Routine,PAT-\(number % 20),\(100 + number).00"
            }
        }
        return "trip_id,service_date,hcpcs_modifiers,region,trip_type,patient_id,cost\n" + rows.joined(separator: "\n")
            + "\n"
    }

    static func id(_ number: Int, _ month: String) -> String {
        "SYN\(month.suffix(2))X\(month.prefix(4))Y\(number)"
    }

    static let settings = """
        trips_feed: limited-data-set
        regions: [North]
        trip_types: [Routine]
        crosswalk: {file: walk/c, key_file: keys/k}

        """

    /// A site after its first night.
    func prepare(
        _ folder: TemporaryFolder, _ months: [String], settings: String = RemovalFixture.settings
    ) throws {
        try FileManager.default.createDirectory(atPath: folder.path(of: "keys"), withIntermediateDirectories: false)
        try folder.write(settings, to: "tripkpi.yaml")
        try folder.write(export(months), to: "inbox/a.csv")
        let first = try run("run", in: folder)
        #expect(first.status == 0, "\(first.stderrText)")
    }

    func cells(_ audience: String, in folder: TemporaryFolder) throws -> [[String: String]] {
        let text = String(
            decoding: try folder.read("reports/published/\(audience)/current/kpi-cells.csv"), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        return lines.dropFirst().map { line in
            Dictionary(zip(lines[0].map(String.init), line.map(String.init))) { first, _ in first }
        }
    }

    func trips(_ audience: String, _ month: String, in folder: TemporaryFolder) throws -> String? {
        try cells(audience, in: folder).first {
            $0["month"] == month && $0["region"] == "All" && $0["trip_type"] == "All"
        }?["trips"]
    }

    /// The published rows, as text.
    func rows(in folder: TemporaryFolder) throws -> String {
        try shell("gzip -dc reports/published/staff/current/trips.ndjson.gz", day: 0, in: folder).stdoutText
    }

    func sets(_ audience: String, in folder: TemporaryFolder) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "reports/published/\(audience)/runs")).count
    }
}
