import Foundation
import TestSupport
import Testing

/// Retention and removal with the real command.
@Suite struct PurgeCommandTests {
    private let site: RemovalFixture

    init() throws { site = try RemovalFixture() }

    @Test func aPatientLeavesEveryFileForGood() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11", "2025-12"])
            let released = try folder.read("reports/published/release/current/kpi-cells.csv")
            #expect(try site.trips("staff", "2025-10", in: folder) == "60")

            let asked = try site.run("purge", "--patients", "-", stdin: "PAT-3\n", in: folder)
            #expect(
                asked.status == 0 && asked.stdoutText.contains("would be removed: 9 trips (9 records)"),
                "\(asked.stderrText)")
            #expect(
                asked.stdoutText.contains("keep their figures and are not revised any more: 2025-10, 2025-11, 2025-12"))
            #expect(try site.trips("staff", "2025-10", in: folder) == "60")

            let done = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 1, in: folder)
            #expect(done.status == 0 && done.stdoutText.contains("removed: 9 trips (9 records)"), "\(done.stderrText)")
            #expect(done.stdoutText.contains("delete these files yourself: x.csv ("))
            #expect(done.stderrText.contains("1 earlier sets for staff had removed trips as rows"))
            #expect(try site.trips("staff", "2025-10", in: folder) == "57")
            #expect(try folder.read("reports/published/release/current/kpi-cells.csv") == released)
            let check = try site.run("crosswalk", "check", in: folder)
            #expect(check.stdoutText == "the crosswalk is whole: 171 entries\n", "\(check.stderrText)")
            let verified = try site.run("verify", "--full", day: 1, in: folder)
            #expect(verified.status == 0, "\(verified.stdoutText)\(verified.stderrText)")
            let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(log.components(separatedBy: #""event":"purge""#).count - 1 == 1 && !log.contains("PAT-"))
            let runs = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(of: "reports/published/staff/runs"))
            #expect(runs.count == 1)

            // An export that has all of them again, and one more month.
            try folder.write(site.export(["2025-10", "2025-11", "2025-12", "2026-01"]), to: "inbox/b.csv")
            let again = try site.run("run", day: 2, in: folder)
            #expect(
                again.status == 0 && again.stderrText.contains("12 of its records are of trips"), "\(again.stderrText)")
            #expect(try site.trips("staff", "2025-10", in: folder) == "57")
            #expect(try site.trips("staff", "2026-01", in: folder) == "57")
            #expect(try site.run("verify", "--full", day: 2, in: folder).status == 0)
            // A new key keeps them out too, and the figures are the same.
            #expect(try site.run("key", "rotate", day: 2, in: folder).status == 0)
            try folder.write(site.export(["2025-10", "2026-02"]), to: "inbox/c.csv")
            #expect(try site.run("run", day: 3, in: folder).status == 0)
            #expect(try site.trips("staff", "2025-10", in: folder) == "57")
            #expect(try site.trips("staff", "2026-02", in: folder) == "57")
            // No correction of a frozen month reaches the release.
            try folder.write(
                site.export(["2025-10"]).replacingOccurrences(of: "North", with: "Elsewhere"), to: "inbox/d.csv")
            #expect(try site.run("run", day: 120, in: folder).status == 0)
            #expect(try site.run("publish", "--revise", day: 121, in: folder).status == 0)
            #expect(try site.trips("release", "2025-10", in: folder) == "60")
            #expect(try site.run("verify", "--full", day: 121, in: folder).status == 0)
        }
    }

    @Test func aTripIsRemovedByItsIDs() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"])
            try folder.write("\(RemovalFixture.id(5, "2025-10"))\nunknown\tleg\n\n", to: "ids.txt")
            let done = try site.run("purge", "--trips", "ids.txt", "--yes", in: folder)
            #expect(done.status == 0 && done.stdoutText.contains("removed: 1 trips (1 records)"), "\(done.stderrText)")
            #expect(done.stdoutText.contains("trips: 1 found of 2 ids"))
            #expect(try site.trips("staff", "2025-10", in: folder) == "59")
            #expect(
                try site.run("purge", "--public-id", String(repeating: "0", count: 32), "--yes", in: folder).status
                    == 66)
            #expect(try site.run("purge", in: folder).status == 64)
            #expect(try site.run("purge", "--before", "2025", in: folder).status == 64)
            #expect(try site.run("purge", "--before", "2027-01", "--yes", in: folder).status == 64)
        }
    }

    /// Nothing is wrong with the ids: no export has them yet, or all were withdrawn.
    @Test func aStoreWithoutAnExportHasNoTripOfTheseIDs() throws {
        try TemporaryFolder.with { folder in
            try folder.write("regions: [North]\ntrip_types: [Routine]\n", to: "tripkpi.yaml")
            try FileManager.default.createDirectory(
                atPath: folder.path(of: "inbox"), withIntermediateDirectories: false)
            #expect(try site.run("run", in: folder).status == 0)
            for (option, what) in [("--patients", "patients"), ("--trips", "trips")] {
                for more in [[], ["--yes"]] {
                    let purged = try site.run(arguments: ["purge", option, "-"] + more, stdin: "A\nB\nA\n", in: folder)
                    #expect(purged.status == 0, "\(purged.stderrText)")
                    #expect(purged.stdoutText.contains("\(what): 0 found of 2 ids"), "\(purged.stdoutText)")
                }
            }
            let id = String(repeating: "0", count: 32)
            #expect(try site.run("purge", "--public-id", id, "--yes", in: folder).status == 66)
        }
    }

    /// Old months leave the store, and the release keeps them as they were.
    @Test func oldMonthsLeaveByTheSetting() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2023-10", "2023-11", "2025-10", "2025-11", "2026-02"])
            func released() throws -> [[String: String]] {
                try site.cells("release", in: folder).filter { $0["month"] ?? "" < "2026" }
            }
            let before = try released()
            #expect(try site.trips("release", "2023-10", in: folder) == "60")
            try folder.write(
                RemovalFixture.settings + "retention: {trips: 2 years, runs: 30 days}\n", to: "tripkpi.yaml")
            let planned = try site.run("run", "--dry-run", day: 1, in: folder)
            #expect(planned.stdoutText.contains("remove 120 trips of months before 2024-03 for good"))
            let night = try site.run("run", day: 1, in: folder)
            #expect(
                night.status == 0 && night.stderrText.contains("120 trips are removed for good"), "\(night.stderrText)")
            #expect(
                night.stderrText.contains("1 earlier sets for staff had removed trips as rows"), "\(night.stderrText)")
            #expect(try site.sets("staff", in: folder) == 1)
            #expect(try site.trips("staff", "2023-10", in: folder) == nil)
            #expect(try site.trips("staff", "2025-10", in: folder) == "60")
            #expect(try released() == before)
            #expect(try site.run("verify", "--full", day: 1, in: folder).status == 0)
            let second = try site.run("run", day: 2, in: folder)
            #expect(second.status == 0 && !second.stderrText.contains("removed"), "\(second.stderrText)")
            // Late trips of an old month are skipped; an old set leaves after 30 days.
            try folder.write(site.export(["2023-10", "2025-12"], count: 61), to: "inbox/late.csv")
            let late = try site.run("run", day: 40, in: folder)
            #expect(late.status == 0 && late.stderrText.contains("61 skipped"), "\(late.stderrText)")
            #expect(
                try site.trips("staff", "2023-10", in: folder) == nil
                    && site.trips("staff", "2025-12", in: folder) == "61")
            #expect(try site.trips("release", "2023-10", in: folder) == "60")
            #expect(try site.run("verify", "--full", day: 40, in: folder).status == 0)
            let purged = try site.run("purge", "--before", "2025-11", "--yes", day: 41, in: folder)
            #expect(purged.status == 0 && purged.stdoutText.contains("removed: 60 trips"), "\(purged.stderrText)")
            #expect(
                try site.trips("release", "2025-10", in: folder) == "60"
                    && site.trips("staff", "2025-10", in: folder) == nil)
        }
    }

    /// A trip that was removed comes back by no month, patient or version, and no second month of the release counts it.
    @Test func aRemovedTripStaysAway() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-09", "2025-10", "2025-11"])
            #expect(try site.run("purge", "--before", "2025-10", "--yes", day: 1, in: folder).status == 0)
            let named = try site.run(
                "purge", "--patients", "-", "--yes", stdin: "\u{FEFF}PAT-3 \nPAT-x\n", day: 2, in: folder)
            #expect(named.stdoutText.contains("patients: 1 found of 2 ids"), "\(named.stderrText)")
            // One left by its age, one with its patient.
            let gone = "\(RemovalFixture.id(5, "2025-09"))\n\(RemovalFixture.id(3, "2025-10"))\n"
            let asked = try site.run("purge", "--trips", "-", stdin: gone, day: 2, in: folder)
            #expect(
                asked.stdoutText.contains("trips: 0 found of 2 ids; 2 of them were named or removed before"),
                "\(asked.stdoutText)")
            let summary = try folder.read("reports/published/staff/current/kpi-summary.json")
            #expect(!String(decoding: summary, as: UTF8.self).contains("restatedAt"))
            // The same trips in a later month, and as another patient's.
            try folder.write(
                site.export(["2025-09"]).replacingOccurrences(of: ",2025-09-", with: ",2025-12-"), to: "inbox/moved.csv"
            )
            try folder.write(
                site.export(["2025-10", "2025-12"]).replacingOccurrences(of: "PAT-3,", with: "PAT-77,"),
                to: "inbox/new.csv")
            let night = try site.run("run", day: 3, in: folder)
            #expect(night.status == 0 && night.stderrText.contains("63 skipped"), "\(night.stderrText)")
            #expect(
                try site.trips("staff", "2025-10", in: folder) == "57"
                    && site.trips("staff", "2025-12", in: folder) == "60")
            #expect(try site.trips("release", "2025-09", in: folder) == "60")
            #expect(try site.run("verify", "--full", day: 3, in: folder).status == 0)
            // 57 of 2025-10 twice, 57 of 2025-11, 60 of 2025-12.
            let walk = try site.run("crosswalk", "check", day: 3, in: folder)
            #expect(walk.stdoutText == "the crosswalk is whole: 231 entries\n", "\(walk.stdoutText)")
        }
    }

    /// The mark that sets have removed trips stays until they are gone: also after a kill of the command.
    @Test func aHeldSetIsReplacedWhenItIsResumed() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11"])
            try folder.write(site.export(["2025-12"]), to: "inbox/b.csv")
            #expect(try site.run("run", day: 1, in: folder).status == 0)
            #expect(
                try site.run("publish", "--rollback", "--hold", "--audience", "staff", day: 1, in: folder).status == 0)
            let purged = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 2, in: folder)
            #expect(
                purged.status == 0 && purged.stderrText.contains("the current set for staff may have removed trips"))
            #expect(!purged.stderrText.contains("the current set for release"))
            let held = try site.run("run", day: 3, in: folder)
            #expect(held.stderrText.contains("the current set for staff may have removed trips"), "\(held.stderrText)")
            let resumed = try site.run("publish", "--resume", day: 4, in: folder)
            #expect(resumed.status == 0, "\(resumed.stderrText)")
            #expect(try site.sets("staff", in: folder) == 1 && site.trips("staff", "2025-10", in: folder) == "57")
            let next = try site.run("run", day: 5, in: folder)
            #expect(!next.stderrText.contains("removed trips"), "\(next.stderrText)")
            // An audience that is no longer published keeps its set, and that is said.
            try folder.write(RemovalFixture.settings + "audiences: [release]\n", to: "tripkpi.yaml")
            let left = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-4\n", day: 6, in: folder)
            #expect(left.stderrText.contains("the current set for staff may have removed trips"), "\(left.stderrText)")
        }
    }

    /// Dispatch has no patient, its bills have: the trip stays away too.
    @Test func aPatientKnownFromBillsStaysAway() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder.path(of: "keys"), withIntermediateDirectories: false)
            try folder.write(RemovalFixture.settings, to: "tripkpi.yaml")
            try folder.write(
                "source: dispatch\ncolumns: {trip_id: Run, service_date: Day, region: Region, trip_type: Type}\n",
                to: "profiles/dispatch.yaml")
            try folder.write(
                "source: billing\nsupplement: dispatch\ncolumns: {trip_id: Run, service_date: Day, patient_id: Patient, cost: Paid}\n",
                to: "profiles/bills.yaml")
            let numbers = 0..<60
            func dispatch(_ note: String) -> String {
                "Run,Day,Region,Type\(note)\n"
                    + numbers.map { "SYN\($0)X,2025-10-\($0 % 20 + 10),North,Routine\(note.isEmpty ? "" : ",x")\n" }
                    .joined()
            }
            func bills(_ note: String) -> String {
                "Run,Day,Patient,Paid\(note)\n"
                    + numbers.map {
                        "SYN\($0)X,2025-10-\($0 % 20 + 10),PAT-\($0 % 20),100.00\(note.isEmpty ? "" : ",x")\n"
                    }.joined()
            }
            try folder.write(dispatch(""), to: "inbox/dispatch/a.csv")
            try folder.write(bills(""), to: "inbox/bills/a.csv")
            let first = try site.run("run", in: folder)
            #expect(first.status == 0 && first.stderrText.contains("60 added"), "\(first.stderrText)")
            let purged = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 1, in: folder)
            #expect(purged.stdoutText.contains("removed: 3 trips (6 records)"), "\(purged.stderrText)")
            try folder.write(dispatch(",Note"), to: "inbox/dispatch/b.csv")
            try folder.write(bills(",Note"), to: "inbox/bills/b.csv")
            let again = try site.run("run", day: 2, in: folder)
            #expect(again.status == 0 && again.stderrText.contains("6 skipped"), "\(again.stderrText)")
            #expect(try site.trips("staff", "2025-10", in: folder) == "57")
            #expect(try site.run("verify", "--full", day: 2, in: folder).status == 0)
        }
    }

    @Test(arguments: ["{trips: 1 years}", "{trips: 7}", "{runs: 90 weeks}", "{rows: 3 years}", "7 years"])
    func aRetentionThatIsNotUnderstoodIsRefused(value: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write("retention: \(value)\n", to: "tripkpi.yaml")
            #expect(try site.run("run", in: folder).status == 78)
        }
    }
}
