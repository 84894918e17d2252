import Foundation
import TestSupport
import Testing

/// `publish --rollback --hold` and `--resume`.
@Suite struct HeldSetTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private func run(_ arguments: String..., day: Int, in folder: TemporaryFolder) throws -> CommandResult {
        try fixture.run(
            arguments,
            environment: [
                "SOURCE_DATE_EPOCH": "\(1_767_225_600 + day * 86_400)",
                "TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl"),
            ], in: folder.url)
    }

    private func current(_ audience: String, in folder: TemporaryFolder) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(
            atPath: "\(folder.path)/reports/published/\(audience)/current")
    }

    /// Two nights; the second has another export.
    private func nights(in folder: TemporaryFolder) throws {
        try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
        #expect(try run("run", day: 0, in: folder).status == 0)
        try folder.write(CommandFixture.trips(400, beginningAt: 400), to: "inbox/b.csv")
        #expect(try run("run", day: 1, in: folder).status == 0)
    }

    @Test func aHeldSetStaysUntilItIsResumed() throws {
        try TemporaryFolder.with { folder in
            try nights(in: folder)
            let second = try current("staff", in: folder)
            let plan = try run("publish", "--rollback", "--hold", "--audience", "staff", "-n", day: 1, in: folder)
            #expect(plan.stdoutText.contains("staff: make ") && plan.stdoutText.contains("current and hold it"))
            #expect(!plan.stdoutText.contains("release"))
            #expect(try run("publish", "--rollback", "--hold", "--audience", "staff", day: 1, in: folder).status == 0)
            let first = try current("staff", in: folder)
            #expect(first != second)

            try folder.write(CommandFixture.trips(400, beginningAt: 800), to: "inbox/c.csv")
            let forecast = try run("run", "-n", day: 2, in: folder)
            #expect(forecast.stdoutText.contains("nothing for staff: held since 2026-01-02T00:00:00Z"))
            let night = try run("run", "--metrics", "run.prom", day: 2, in: folder)
            #expect(night.status == 0)
            let metrics = String(decoding: try folder.read("run.prom"), as: UTF8.self)
            #expect(metrics.contains(/tripkpi_published_months [1-9]/))
            #expect(night.stderrText.contains("nothing is published for staff: its set is held since 2026-01-02"))
            #expect(night.stderrText.contains("400 added"))
            #expect(try current("staff", in: folder) == first)
            #expect(try run("publish", "--list", day: 2, in: folder).stdoutText.contains("current, held since 2026"))
            #expect(try run("doctor", day: 2, in: folder).stdoutText.contains("the staff set is held since"))
            #expect(try run("verify", day: 2, in: folder).status == 0)

            let ending = try run("publish", "--resume", "-n", day: 3, in: folder).stdoutText
            #expect(ending.contains("end the hold of staff, since 2026-01-02") && !ending.contains("nothing for"))
            let resumed = try run("publish", "--resume", day: 3, in: folder)
            #expect(resumed.status == 0)
            #expect(resumed.stderrText.contains("the set for staff is no longer held"))
            #expect(try current("staff", in: folder) > second)
            #expect(try run("publish", "--resume", day: 3, in: folder).stderrText.contains("note: no set is held"))
            let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(log.contains(#""event":"hold""#) && log.contains(#""event":"resume""#))
        }
    }

    /// A rollback to hold that was stopped, or is repeated, goes on to its own set.
    @Test func aRollbackToHoldCanBeRepeated() throws {
        try TemporaryFolder.with { folder in
            try nights(in: folder)
            let second = try ["staff", "release"].map { try current($0, in: folder) }
            #expect(try run("publish", "--rollback", "--hold", "--audience", "release", day: 1, in: folder).status == 0)
            let release = try current("release", in: folder)
            for _ in 1...2 {
                #expect(try run("publish", "--rollback", "--hold", day: 1, in: folder).status == 0)
                #expect(try current("release", in: folder) == release)
                let staff = try current("staff", in: folder)
                #expect(!second.contains(staff) && !second.contains(release))
            }
            // Stopped before the set became current.
            let link = "\(folder.path)/reports/published/release/current"
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: second[1])
            #expect(try run("publish", "--rollback", "--hold", day: 1, in: folder).status == 0)
            #expect(try current("release", in: folder) == release)
            // Wrong settings end nothing.
            #expect(try run("publish", "--resume", "--rules", "nothing", day: 1, in: folder).status == 78)
            #expect(try run("publish", "--list", day: 1, in: folder).stdoutText.contains("current, held since"))
        }
    }

    /// A night may publish for one audience only: the other's set is not taken back for it.
    @Test func onlyWhatTheLastPublicationChangedIsTakenBack() throws {
        try TemporaryFolder.with { folder in
            try nights(in: folder)
            let staff = try current("staff", in: folder)
            try folder.write("audiences: [release]\nmissing_counts: omit\n", to: "tripkpi.yaml")
            #expect(try run("publish", day: 2, in: folder).status == 0)
            try folder.write("", to: "tripkpi.yaml")
            let plan = try run("publish", "--rollback", "-n", day: 2, in: folder).stdoutText
            #expect(plan.contains("release: make ") && !plan.contains("staff"))
            #expect(try run("publish", "--rollback", day: 2, in: folder).status == 0)
            #expect(try current("staff", in: folder) == staff)
        }
    }

    /// A night that only counts one more failed export publishes what was there before.
    @Test func aRollbackGoesBackToOtherFigures() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try run("run", day: 0, in: folder).status == 0)
            let first = try ["staff", "release"].map { try current($0, in: folder) }
            try folder.write(CommandFixture.trips(400, beginningAt: 400), to: "inbox/wrong.csv")
            #expect(try run("run", day: 1, in: folder).status == 0)
            try folder.write("{", to: "inbox/junk.csv")
            #expect(try run("run", day: 2, in: folder).status == 65)
            let lines = try run("publish", "--list", day: 2, in: folder).stdoutText
            #expect(lines.contains("1 month to 2024-01, 800 trips, the same figures as the set before  current"))
            #expect(lines.contains("400 trips  previous"))
            #expect(try run("publish", "--rollback", day: 2, in: folder).status == 0)
            #expect(try ["staff", "release"].map { try current($0, in: folder) } == first)
        }
    }

    @Test func nothingIsRolledBackIfOneSetIsDamaged() throws {
        try TemporaryFolder.with { folder in
            try nights(in: folder)
            let before = try ["staff", "release"].map { try current($0, in: folder) }
            let previous = try FileManager.default.destinationOfSymbolicLink(
                atPath: "\(folder.path)/reports/published/staff/previous")
            try folder.write("tampered", to: "reports/published/staff/\(previous)/kpi-cells.csv")
            #expect(try run("publish", "--rollback", day: 1, in: folder).status == 65)
            let after = try ["staff", "release"].map { try current($0, in: folder) }
            #expect(after == before)
        }
    }
}
