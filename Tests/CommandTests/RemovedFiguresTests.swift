import Foundation
import GRDB
import TestSupport
import Testing

/// Which sets are compared with each other once something was removed, whatever the clocks said.
@Suite struct RemovedFiguresTests {
    private let site: RemovalFixture
    private static let plain = "regions: [North]\ntrip_types: [Routine]\n"

    init() throws { site = try RemovalFixture() }

    private func summary(in folder: TemporaryFolder) throws -> String {
        String(decoding: try folder.read("reports/published/staff/current/kpi-summary.json"), as: UTF8.self)
    }

    private func purge(day: Int, in folder: TemporaryFolder) throws {
        let purged = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: day, in: folder)
        #expect(purged.status == 0, "\(purged.stderrText)")
    }

    private func correct(_ months: [String], day: Int, in folder: TemporaryFolder) throws {
        try folder.write(
            site.export(months).replacingOccurrences(of: ",159.00", with: ",999.00"), to: "inbox/corrected.csv")
        #expect(try site.run("run", day: day, in: folder).status == 0)
    }

    /// A clock that was ahead has dated a set later than the removal, and that time comes.
    @Test(arguments: [RemovalFixture.settings, Self.plain])
    func aHeldSetFromBeforeARemovalIsOneWhateverItsDate(settings: String) throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11"], settings: settings)
            try folder.write(site.export(["2025-12"]), to: "inbox/b.csv")
            #expect(try site.run("run", day: 10, in: folder).status == 0)
            let runs = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(of: "reports/published/staff/runs"))
            let held = try site.run(
                "publish", "--rollback", "--hold", "--audience", "staff", "--to", runs.sorted().last ?? "", day: 1,
                in: folder)
            #expect(held.status == 0, "\(held.stderrText)")
            #expect(try site.run("publish", "--clock-is-right", day: 1, in: folder).status == 0)
            try purge(day: 2, in: folder)
            #expect(try site.run("run", day: 3, in: folder).status == 0)
            #expect(try site.run("publish", "--resume", day: 11, in: folder).status == 0)
            #expect(try site.trips("staff", "2025-10", in: folder) == "57")
            #expect(try !summary(in: folder).contains("restatedAt"))
            if settings != Self.plain { #expect(try site.sets("staff", in: folder) == 1) }
        }
    }

    /// The store has no trip of the export any more, and published rows have.
    @Test func aWithdrawnTripLosesItsPublicID() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"])
            try folder.write(site.export(["2025-11"]), to: "inbox/b.csv")
            #expect(try site.run("run", in: folder).status == 0)
            func publicIDs() throws -> Int? {
                let queue = try DatabaseQueue(path: folder.path(of: "store/tripkpi.sqlite"))
                return try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM public_ids") }
            }
            #expect(try publicIDs() == 120)
            let hash = try site.shell("sha256sum inbox/b.csv", day: 0, in: folder).stdoutText.prefix(12)
            #expect(try site.run("load", "--withdraw", String(hash), day: 1, in: folder).status == 0)
            let trip = RemovalFixture.id(7, "2025-11") + "\n"
            let purged = try site.run("purge", "--trips", "-", "--yes", stdin: trip, day: 2, in: folder)
            #expect(purged.status == 0, "\(purged.stderrText)")
            #expect(
                purged.stdoutText.contains(
                    "trips: 0 found of 1 ids\npublic ids of trips whose exports were withdrawn: 1\n"),
                "\(purged.stdoutText)")
            #expect(try publicIDs() == 119)
            #expect(try site.sets("staff", in: folder) == 1, "the sets with its row are removed")
        }
    }

    /// The store has no trip of the patient any more, and earlier sets have.
    @Test func aPatientWhoseExportWasWithdrawnIsInNoEarlierSet() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"])
            try folder.write(
                site.export(["2025-11"]).replacingOccurrences(of: "PAT-", with: "PAT-9"), to: "inbox/b.csv")
            #expect(try site.run("run", in: folder).status == 0)
            let hash = try site.shell("sha256sum inbox/b.csv", day: 0, in: folder).stdoutText.prefix(12)
            #expect(try site.run("load", "--withdraw", String(hash), day: 1, in: folder).status == 0)
            let purged = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-93\n", day: 2, in: folder)
            #expect(purged.stdoutText.contains("patients: 0 found of 1 ids"), "\(purged.stdoutText)")
            #expect(try site.sets("staff", in: folder) == 1, "the sets with the patient's rows are removed")
            #expect(try !summary(in: folder).contains("restatedAt"))
        }
    }

    /// A report repeats what the current set says of restated months, but not of a held set from before a removal.
    @Test func aReportStatesNoRestatementOfAHeldSetFromBeforeARemoval() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11"], settings: Self.plain)
            try correct(["2025-10", "2025-11"], day: 1, in: folder)
            func report() throws -> String {
                let result = try site.run("report", "--format", "json", day: 3, in: folder)
                #expect(result.status == 0, "\(result.stderrText)")
                return result.stdoutText
            }
            #expect(try report().contains("restatedAt"))
            let runs = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(of: "reports/published/staff/runs"))
            let held = try site.run(
                "publish", "--rollback", "--hold", "--audience", "staff", "--to", runs.sorted().last ?? "", day: 1,
                in: folder)
            #expect(held.status == 0, "\(held.stderrText)")
            #expect(try report().contains("restatedAt"))
            try purge(day: 2, in: folder)
            #expect(try summary(in: folder).contains("restatedAt"), "the set is held")
            #expect(try !report().contains("restatedAt"))
        }
    }

    /// Both in one second.
    @Test func aSetThatAPurgePublishesIsComparedWithTheNextOne() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11"], settings: Self.plain)
            #expect(try site.run("publish", "--clock-is-right", day: 1, in: folder).status == 0)
            try purge(day: 1, in: folder)
            #expect(try !summary(in: folder).contains("restatedAt"))
            try correct(["2025-10", "2025-11"], day: 2, in: folder)
            #expect(try summary(in: folder).contains("restatedAt"))
        }
    }

    /// Long after a removal a clock is ahead, and set right: what was restated since the removal is restated still.
    @Test func aClockThatIsSetRightHidesNoRestatement() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11"], settings: Self.plain)
            try purge(day: 1, in: folder)
            try correct(["2025-10", "2025-11"], day: 3, in: folder)
            #expect(try summary(in: folder).contains("restatedAt"))
            try folder.write(site.export(["2025-12"]), to: "inbox/c.csv")
            #expect(try site.run("run", day: 20, in: folder).status == 0)
            #expect(try site.run("publish", "--clock-is-right", day: 4, in: folder).status == 0)
            #expect(try summary(in: folder).contains("restatedAt"))
        }
    }

    /// Later nights are restated as ever.
    @Test func aRemovalOfAClockThatWasAheadHidesNoLaterRestatement() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11"], settings: Self.plain)
            let purged = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 300, in: folder)
            #expect(purged.status == 0, "\(purged.stderrText)")
            #expect(try site.run("publish", "--clock-is-right", day: 1, in: folder).status == 0)
            #expect(try !summary(in: folder).contains("restatedAt"))
            #expect(try site.run("run", day: 2, in: folder).stderrText.contains("stays current"))
            try folder.write(
                site.export(["2025-10", "2025-11"]).replacingOccurrences(of: ",159.00", with: ",999.00"),
                to: "inbox/b.csv")
            #expect(try site.run("run", day: 3, in: folder).status == 0)
            #expect(try summary(in: folder).contains("restatedAt"))
        }
    }
}
