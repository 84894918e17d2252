import Foundation
import TestSupport
import Testing

/// Flags take precedence over environment, project file and user file.
@Suite struct SettingsCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// The zone that a dry run names.
    private func zone(
        _ folder: TemporaryFolder, flags: [String] = [], environment: [String: String] = [:]
    ) throws -> String {
        let result = try fixture.run(
            ["scan", CommandFixture.sample, "--dry-run"] + flags,
            environment: environment.merging(["XDG_CONFIG_HOME": folder.path(of: "user")]) { given, _ in given },
            in: folder.url)
        #expect(result.status == 0, "\(result.stderrText)")
        return result.stdoutText.firstMatch(of: /\n  zone (\S+)/).map { String($0.output.1) } ?? ""
    }

    @Test func eachSourceTakesPrecedenceOverTheNext() throws {
        try TemporaryFolder.with { folder in
            try folder.write("zone: America/Phoenix\n", to: "user/tripkpi/tripkpi.yaml")
            #expect(try zone(folder) == "America/Phoenix")
            try folder.write("zone: America/Chicago\n", to: "tripkpi.yaml")
            #expect(try zone(folder) == "America/Chicago")
            let other = try folder.write("zone: America/Boise\n", to: "other.yaml")
            #expect(try zone(folder, flags: ["--config", other]) == "America/Boise")
            let environment = ["TRIPKPI_ZONE": "America/Denver"]
            #expect(try zone(folder, environment: environment) == "America/Denver")
            let flags = ["--zone", "America/New_York"]
            #expect(try zone(folder, flags: flags, environment: environment) == "America/New_York")
        }
    }

    @Test func listsOfTheProjectFileAreTheRunsLists() throws {
        try TemporaryFolder.with { folder in
            try folder.write("regions: [Harbor, North]\ntrip_types: [Routine]\n", to: "tripkpi.yaml")
            let result = try fixture.run(
                ["report", CommandFixture.sample, "--region", "Harbor", "--quiet"], in: folder.url)
            #expect(result.status == 0)
            #expect(result.stdoutText.contains("only region Harbor"))
        }
    }

    @Test func aProfileBesideTheProjectFileIsFoundFromAnywhere() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Repository.bytes("data/profiles/canonical.yaml"), to: "own/mine.yaml")
            let config = try folder.write("profile: ./mine.yaml\n", to: "own/tripkpi.yaml")
            let result = try fixture.run(["scan", CommandFixture.sample, "--dry-run", "--config", config])
            #expect(result.stdoutText.contains("profile canonical"))
        }
    }

    @Test(arguments: [
        "zome: America/Chicago\n", "zone: Mars/Olympus\n", "jobs: many\n", "jobs: 0\n", "max_reject: lots\n",
        "minimum_cell: 1\n", "missing_counts: hide\n", "cost_dominance_percent: 49\n", "cost_dominance_percent: off\n",
        "regions: []\n", "profile: [a]\n", "- zone\n",
    ])
    func aFileThatIsWrongIs78AndNamed(text: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "tripkpi.yaml")
            let result = try fixture.run(["scan", CommandFixture.sample], in: folder.url)
            #expect(result.status == 78)
            #expect(result.stderrText.contains("tripkpi.yaml"))
            #expect(result.stdout.isEmpty)
        }
    }

    @Test(arguments: ["doctor", "run"])
    func theExampleWorksAsItIsCopied(command: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(Repository.bytes("data/tripkpi.yaml.example"), to: "tripkpi.yaml")
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent("inbox"), withIntermediateDirectories: true)
            let result = try fixture.run([command], in: folder.url)
            #expect(result.status == 0, "\(result.stdoutText)\(result.stderrText)")
        }
    }

    @Test(arguments: ["", "\n", "# zone: America/Chicago\n"])
    func aFileWithoutSettingsSetsNothing(text: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "tripkpi.yaml")
            try folder.write("zone: America/Phoenix\n", to: "user/tripkpi/tripkpi.yaml")
            #expect(try zone(folder) == "America/Phoenix")
        }
    }

    @Test func aFileThatIsNamedMustBeThere() throws {
        #expect(try fixture.run(["scan", CommandFixture.sample, "--config", "/nonexistent.yaml"]).status == 78)
    }

    @Test(arguments: [
        ["TRIPKPI_JOBS": "x"], ["TRIPKPI_MAX_REJECT": "x"], ["TRIPKPI_ZONE": "Mars/Olympus"],
        ["TRIPKPI_MISSING_COUNTS": "omit"],
    ])
    func aVariableThatIsWrongIs78(environment: [String: String]) throws {
        #expect(try fixture.run(["scan", CommandFixture.sample], environment: environment).status == 78)
    }

    @Test func onlyASettingsFileLowersTheThresholdAndANoteStatesIt() throws {
        try TemporaryFolder.with { folder in
            let flag = try fixture.run(["scan", CommandFixture.sample, "--minimum-cell", "5"])
            #expect(flag.status == 78)
            let variable = try fixture.run(["scan", CommandFixture.sample], environment: ["TRIPKPI_MINIMUM_CELL": "5"])
            #expect(variable.status == 78)
            try folder.write("minimum_cell: 5\n", to: "home/tripkpi/tripkpi.yaml")
            let user = try fixture.run(
                ["scan", CommandFixture.sample], environment: ["XDG_CONFIG_HOME": folder.url.path + "/home"])
            #expect(user.status == 78 && user.stderrText.contains("needs an approval on record"))
            try folder.write("minimum_cell: 5  # approved by nobody, this is a test\n", to: "tripkpi.yaml")
            let file = try fixture.run(["scan", CommandFixture.sample, "--release", "--long"], in: folder.url)
            #expect(file.status == 0)
            #expect(file.stderrText.contains("at least 5 trips and patients, not 11"))
            #expect(file.stdoutText.contains("fewer than 5 trips or patients"))
        }
    }
}
