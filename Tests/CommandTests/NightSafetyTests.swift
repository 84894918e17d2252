import Foundation
import GRDB
import TestSupport
import Testing

/// What a night refuses before it can do harm for good: a wrong clock, a log that was cut, a release that no person has seen.
@Suite struct NightSafetyTests {
    private let fixture: CommandFixture
    private static let day0 = 1_767_225_600

    init() throws {
        fixture = try CommandFixture()
    }

    private func run(
        _ arguments: String..., day: Int, approval: String = "never", in folder: TemporaryFolder
    ) throws -> CommandResult {
        try fixture.run(
            arguments,
            environment: [
                "SOURCE_DATE_EPOCH": "\(Self.day0 + day * 86_400)", "TRIPKPI_RELEASE_APPROVAL": approval,
                "TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl"),
            ], in: folder.url)
    }

    private func sets(_ audience: String, in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "reports/published/\(audience)/runs"))
            .sorted()
    }

    /// The trips of all months together that readers of the release see.
    private func releasedTrips(in folder: TemporaryFolder) throws -> Substring? {
        let cells = try folder.read("reports/published/release/current/kpi-cells.csv")
        let lines = String(decoding: cells, as: UTF8.self).split(whereSeparator: \.isNewline)
        let header = lines[0].split(separator: ",")
        let column = try #require(header.firstIndex(of: "trips"))
        return lines[1].split(separator: ",", omittingEmptySubsequences: false)[column]
    }

    private func isThere(_ path: String, in folder: TemporaryFolder) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: folder.path(of: path))) != nil
    }

    // MARK: - Clock

    /// In 2099 every month is closed, and a revision is due: nothing of that may be kept.
    @Test func aClockThatIsAheadIsNotBelieved() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try run("run", day: 0, in: folder).status == 0)
            let before = try sets("staff", in: folder)
            try folder.write(CommandFixture.trips(400, beginningAt: 400), to: "inbox/b.csv")
            let ahead = try run("run", day: 26_663, in: folder)
            #expect(ahead.status == 78)
            #expect(
                ahead.stderrText.contains("the clock says 2099-01-01T00:00:00Z, but the last run was at 2026-01-01"))
            #expect(try run("load", "inbox/b.csv", day: 26_663, in: folder).status == 78)
            #expect(try run("doctor", day: 26_663, in: folder).stdoutText.contains("the clock says 2099-01-01"))
            #expect(try sets("staff", in: folder) == before)
            let right = try run("run", day: 1, in: folder)
            #expect(right.status == 0 && right.stderrText.contains("400 added"))
            #expect(try run("verify", day: 1, in: folder).status == 0)
        }
    }

    /// The way back from a night that was believed.
    @Test func aNightOfAWrongClockIsTakenBack() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try run("run", day: 300, in: folder).status == 0)
            #expect(try run("run", day: 600, in: folder).status == 0)
            let late = try run("run", day: 10, in: folder)
            #expect(late.status == 78 && late.stderrText.contains("tripkpi publish --clock-is-right"))
            #expect(try run("publish", day: 10, in: folder).status == 78)

            let right = try run("publish", "--clock-is-right", day: 10, in: folder)
            #expect(right.status == 0, "\(right.stderrText)")
            for audience in ["staff", "release"] {
                let current = try FileManager.default.destinationOfSymbolicLink(
                    atPath: folder.path(of: "reports/published/\(audience)/current"))
                #expect(current.hasPrefix("runs/20260111"))
                #expect(!isThere("reports/published/\(audience)/previous", in: folder))
            }
            try folder.write(CommandFixture.trips(400, beginningAt: 400), to: "inbox/b.csv")
            let next = try run("run", day: 11, in: folder)
            #expect(next.status == 0 && next.stderrText.contains("400 added"))
            #expect(try run("verify", day: 11, in: folder).status == 0)
            // The schedule of revisions goes on from now: the next quarter has one.
            #expect(try run("run", day: 100, in: folder).stderrText.contains("revis"))
        }
    }

    // MARK: - Audit log

    @Test(arguments: ["both deleted", "cut to one entry"])
    func aLogThatLostEntriesIsNoticed(how: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try run("run", day: 0, in: folder).status == 0)
            let log = folder.path(of: "audit.jsonl")
            try FileManager.default.removeItem(atPath: log + ".head")
            let lines = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self).split(separator: "\n")
            try FileManager.default.removeItem(atPath: log)
            if how != "both deleted" {
                try folder.write(lines.prefix(2).joined(separator: "\n") + "\n", to: "audit.jsonl")
            }

            let remembered = "which the store remembers, is not in it"
            let night = try run("run", day: 1, in: folder)
            #expect(night.status == 65 && night.stderrText.contains(remembered), "\(night.stderrText)")
            let check = try run("verify", day: 1, in: folder)
            #expect(check.status == 65 && check.stdoutText.contains(remembered))
            #expect(try run("doctor", day: 1, in: folder).stdoutText.contains(remembered))

            let begun = try run("audit", "begin", "--reason", "The disk lost it.", day: 1, in: folder)
            #expect(begun.status == 0, "\(begun.stderrText)")
            #expect(String(decoding: try folder.read("audit.jsonl"), as: UTF8.self).contains("The disk lost it."))
            #expect(try run("run", day: 2, in: folder).status == 0)
            #expect(try run("verify", day: 2, in: folder).status == 0)
        }
    }

    /// Also where there is no store that remembers it.
    @Test func aLeftoverOfALogIsPutAsideWithoutAStore() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "inbox/a.csv")
            try folder.write(#"{"sequence":4,"line":5,"sha256":"00","start":10,"end":20}"#, to: "audit.jsonl.head")
            try FileManager.default.createDirectory(
                atPath: folder.path(of: "store"), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            #expect(try run("run", day: 0, in: folder).status == 65)
            #expect(try run("audit", "begin", "--reason", "The disk is new.", day: 0, in: folder).status == 0)
            #expect(try run("run", day: 0, in: folder).status == 0)
        }
    }

    // MARK: - Lost key

    /// The release stays as readers know it, and goes on.
    @Test(arguments: ["of this version", "of an earlier version"])
    func aStoreWhoseKeyIsLostHandsItsReleasesOn(which: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try run("run", day: 100, in: folder).status == 0)
            let files = FileManager.default
            try files.removeItem(atPath: folder.path(of: "store/tripkpi.sqlite.key"))
            let lost = try run("run", day: 101, in: folder)
            #expect(lost.status == 78 && lost.stderrText.contains("--releases-of"), "\(lost.stderrText)")
            try files.moveItem(
                atPath: folder.path(of: "store/tripkpi.sqlite"), toPath: folder.path(of: "earlier.sqlite"))

            if which == "of an earlier version" {
                try DatabaseQueue(path: folder.path(of: "earlier.sqlite")).write { db in
                    try db.execute(
                        sql: """
                            ALTER TABLE public_ids DROP COLUMN is_shown; DROP TABLE accepted_clock; DROP TABLE audit_entry;
                            DELETE FROM grdb_migrations WHERE identifier LIKE '18 %' OR identifier LIKE '19 %'
                            """)
                }
            }

            let next = try run("run", "--releases-of", "earlier.sqlite", day: 101, in: folder)
            #expect(next.status == 0, "\(next.stderrText)")
            #expect(next.stderrText.contains("the releases of 1 month are taken over"))
            #expect(try releasedTrips(in: folder) == "400")
            #expect(try run("verify", day: 101, in: folder).status == 0)
            #expect(try files.contentsOfDirectory(atPath: folder.path(of: "store")).allSatisfy { !$0.hasPrefix(".") })
            #expect(try run("run", "--releases-of", "earlier.sqlite", day: 102, in: folder).status == 65)
            let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(log.contains(#""event":"adopt-releases""#))

            // What comes later is revised as before.
            try folder.write(CommandFixture.trips(400, beginningAt: 400), to: "inbox/b.csv")
            #expect(try run("run", day: 103, in: folder).status == 0)
            #expect(try releasedTrips(in: folder) == "400")
            #expect(try run("publish", "--revise", day: 104, in: folder).status == 0)
            #expect(try releasedTrips(in: folder) == "800")
            #expect(try run("verify", day: 104, in: folder).status == 0)
        }
    }

    // MARK: - Approval

    @Test func theFirstReleaseWaitsForAPerson() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            let night = try run("run", day: 100, approval: "first", in: folder)
            #expect(night.status == 0 && night.stderrText.contains("the release waits for approval"))
            #expect(isThere("reports/published/staff/current", in: folder))
            #expect(!isThere("reports/published/release/current", in: folder))
            #expect(try run("doctor", day: 100, approval: "first", in: folder).stdoutText.contains("publish --approve"))

            let preview = try run("publish", "--preview", day: 100, approval: "first", in: folder)
            #expect(preview.status == 0, "\(preview.stderrText)")
            #expect(preview.stdoutText.contains("1 month would be released for the first time:"))
            #expect(
                preview.stdoutText.contains(
                    /2024-01: \d+ groups? \(.*the smallest of \d+ trips; one provider has up to/))
            #expect(!isThere("reports/published/release/current", in: folder))

            let words = ["publish", "--approve", "J. Doe"]
            #expect(try run(words[0], words[1], words[2], day: 100, approval: "first", in: folder).status == 0)
            #expect(isThere("reports/published/release/current", in: folder))
            #expect(String(decoding: try folder.read("audit.jsonl"), as: UTF8.self).contains(#""approvedBy":"J. Doe""#))
            // What approves nothing says so.
            let unused = try run("publish", "--approve", "J. Doe", day: 101, approval: "first", in: folder)
            #expect(unused.stderrText.contains("no month waits for approval"), "\(unused.stderrText)")
            #expect(try run("publish", "--preview", "--approve", "x", day: 101, in: folder).status == 64)
            let again = try run("publish", "--preview", day: 101, approval: "first", in: folder)
            #expect(again.stdoutText.hasPrefix("nothing of the release would change"))
        }
    }

    /// With `each`, also what comes later waits; the staff set does not.
    @Test func eachChangeOfTheReleaseMayWait() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(400), to: "inbox/a.csv")
            #expect(try run("run", day: 100, approval: "each", in: folder).status == 0)
            #expect(try run("publish", "--approve", "J. Doe", day: 100, approval: "each", in: folder).status == 0)
            #expect(try releasedTrips(in: folder) == "400")
            try folder.write(CommandFixture.trips(400, beginningAt: 400), to: "inbox/b.csv")
            let revision = try run("run", day: 200, approval: "each", in: folder)
            #expect(revision.status == 0 && revision.stderrText.contains("the release waits for approval"))
            #expect(try releasedTrips(in: folder) == "400")
            #expect(
                try run("publish", "--revise", "--approve", "J. Doe", day: 201, approval: "each", in: folder).status
                    == 0)
            #expect(try releasedTrips(in: folder) == "800")
        }
    }
}
