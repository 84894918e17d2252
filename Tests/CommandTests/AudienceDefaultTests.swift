import Foundation
import TestSupport
import Testing

/// Figures are for staff unless the release is asked for.
@Suite struct AudienceDefaultTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private func audience(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let words = arguments + [CommandFixture.sample, "--format", "json", "--quiet"]
        let result = try fixture.run(words, environment: environment)
        #expect(result.status == 0, "\(result.stderrText)")
        let summary = try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any]
        return summary?["audience"] as? String ?? ""
    }

    @Test(arguments: ["scan", "report"])
    func theDefaultIsStaff(command: String) throws {
        #expect(try audience([command]) == "staff")
        #expect(try audience([command, "--internal"]) == "staff")
        #expect(try audience([command, "--release"]) == "release")
        #expect(try audience([command], environment: ["TRIPKPI_AUDIENCE": "release"]) == "release")
        #expect(try audience([command, "--internal"], environment: ["TRIPKPI_AUDIENCE": "release"]) == "staff")
    }

    @Test(arguments: [["scan"], ["scan", "--long"], ["scan", "--brief"], ["scan", "--brief", "--format", "md"]])
    func eachTextIsStamped(command: [String]) throws {
        let staff = try fixture.run(command + [CommandFixture.sample]).stdoutText
        #expect(staff.split(separator: "\n").prefix(2).joined().contains("INTERNAL: contains small counts"))
        let release = try fixture.run(command + ["--release", CommandFixture.sample]).stdoutText
        #expect(!release.contains("INTERNAL"))
    }

    @Test(arguments: ["table", "csv", "ndjson", "json", "md", "html"])
    func releaseIsTheAudienceRelease(form: String) throws {
        let words = ["scan", CommandFixture.sample, "--format", form, "--quiet"]
        let flag = try fixture.run(words + ["--release"])
        let named = try fixture.run(words + ["--audience", "release"])
        #expect(flag.status == 0 && flag.stdout == named.stdout)
        #expect(try fixture.run(words).stdout != flag.stdout)
    }

    @Test(arguments: ["scan", "report", "costs", "merge"], [["--internal"], ["--audience", "staff"]])
    func bothAudiencesAre64(command: String, staff: [String]) throws {
        let result = try fixture.run([command, CommandFixture.sample, "--release"] + staff)
        #expect(result.status == 64 && result.stdout.isEmpty)
        #expect(result.stderrText.contains("--release means --audience release"))
    }

    /// Rows of trips have only what safe-harbor allows, whatever the figures' audience.
    @Test func rowsStaySafeHarbor() throws {
        let rows = try fixture.run(["trips", CommandFixture.sample, "--format", "csv"])
        let named = try fixture.run(["trips", CommandFixture.sample, "--format", "csv", "--privacy", "safe-harbor"])
        #expect(rows.status == named.status)
        #expect(!rows.stdoutText.contains(/20\d\d-\d\d-\d\d/))
    }
}
