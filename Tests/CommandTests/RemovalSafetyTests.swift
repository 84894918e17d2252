import Foundation
import TestSupport
import Testing

/// What is removed is not removed by mistake, does not come back, and is stated by no difference of two sets.
@Suite struct RemovalSafetyTests {
    private let site: RemovalFixture
    private static let plain = "regions: [North]\ntrip_types: [Routine]\n"

    init() throws { site = try RemovalFixture() }

    private func summary(_ audience: String = "staff", in folder: TemporaryFolder) throws -> String {
        String(decoding: try folder.read("reports/published/\(audience)/current/kpi-summary.json"), as: UTF8.self)
    }

    private func entries(of event: String, in folder: TemporaryFolder) throws -> Int {
        let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
        return log.components(separatedBy: "\"event\":\"\(event)\"").count - 1
    }

    /// Nights with such a clock may follow each other, and load exports.
    @Test func aClockThatIsAheadRemovesNothingByAge() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2024-10", "2025-10"])
            try folder.write(
                RemovalFixture.settings + "retention: {trips: 2 years, runs: 30 days}\n", to: "tripkpi.yaml")
            let planned = try site.run("run", "--dry-run", day: 395, in: folder)
            #expect(planned.stdoutText.contains("nothing is removed by the setting"), "\(planned.stderrText)")
            for day in [395, 396] {
                try folder.write(site.export(["2025-11"], count: 60 + day), to: "inbox/\(day).csv")
                let ahead = try site.run("run", day: day, in: folder)
                #expect(ahead.stderrText.contains("nothing is removed by the setting"), "\(ahead.stderrText)")
                #expect(try site.trips("staff", "2024-10", in: folder) == "60")
            }
            // The clock is set right, and a person says so.
            #expect(try site.run("run", day: 1, in: folder).status == 78)
            #expect(try site.run("publish", "--clock-is-right", day: 1, in: folder).status == 0)
            let right = try site.run("run", day: 2, in: folder)
            #expect(right.status == 0 && !right.stderrText.contains("nothing is removed"), "\(right.stderrText)")
            #expect(try site.trips("staff", "2024-10", in: folder) == "60")
            // After a pause too a person says that it was one.
            #expect(
                try site.run("run", day: 390, in: folder).stderrText.contains("nothing is removed by the setting"))
            #expect(try site.run("publish", "--clock-is-right", day: 390, in: folder).status == 0)
            let night = try site.run("run", day: 391, in: folder)
            #expect(night.stderrText.contains("60 trips are removed for good"), "\(night.stderrText)")
        }
    }

    /// The staff set without rows was held, or was rolled back to one from before the removal.
    @Test(arguments: [true, false])
    func noStaffSetStatesTheFiguresBeforeARemoval(isHeld: Bool) throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11"], settings: Self.plain)
            try folder.write(site.export(["2025-12"]), to: "inbox/b.csv")
            #expect(try site.run("run", day: 1, in: folder).status == 0)
            if isHeld {
                #expect(try site.run("publish", "--rollback", "--hold", "--audience", "staff", in: folder).status == 0)
            }
            let purged = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 2, in: folder)
            #expect(purged.status == 0, "\(purged.stderrText)")
            #expect(try site.run("run", day: 3, in: folder).status == 0)
            let end = isHeld ? ["publish", "--resume"] : ["publish", "--rollback", "--audience", "staff"]
            #expect(try site.run(arguments: end, day: 4, in: folder).status == 0)
            let next = try site.run("run", day: 5, in: folder)
            #expect(next.status == 0, "\(next.stderrText)")
            #expect(try site.trips("staff", "2025-10", in: folder) == "57")
            #expect(try !summary(in: folder).contains("restatedAt"))
        }
    }

    @Test func aForgottenCrosswalkHasNoRemovedPatientEither() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"])
            #expect(try site.run("crosswalk", "forget", in: folder).status == 0)
            let purged = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 1, in: folder)
            #expect(purged.status == 0, "\(purged.stderrText)")
            try folder.write(site.export(["2025-11"]), to: "inbox/b.csv")
            #expect(try site.run("run", day: 2, in: folder).status == 0)
            // 57 of each month.
            let check = try site.run("crosswalk", "check", day: 2, in: folder)
            #expect(
                check.stdoutText == "the crosswalk is whole: 114 entries\n", "\(check.stdoutText)\(check.stderrText)")
        }
    }

    @Test func whereNothingIsTooOldNothingIsRecorded() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2026-02"])
            let crosswalk = try folder.read("walk/c")
            try folder.write(RemovalFixture.settings + "retention: {trips: 2 years}\n", to: "tripkpi.yaml")
            #expect(try site.run("backup", "b.tar", in: folder).status == 0)
            for day in [1, 32] {
                let night = try site.run("run", day: day, in: folder)
                #expect(night.status == 0 && !night.stderrText.contains("removed"), "\(night.stderrText)")
            }
            #expect(try entries(of: "purge", in: folder) == 0)
            #expect(try folder.read("walk/c") == crosswalk)
            let restored = try site.run("restore", "b.tar", "--replace", day: 32, in: folder)
            #expect(restored.status == 0 && !restored.stderrText.contains("purge:"), "\(restored.stderrText)")
            #expect(try site.run("run", day: 33, in: folder).status == 0)
            // Late trips of a removed month are skipped all the same.
            try folder.write(site.export(["2024-02"]), to: "inbox/late.csv")
            #expect(try site.run("run", day: 34, in: folder).stderrText.contains("60 skipped"))
        }
    }

    @Test func aPatientOfTwoSourcesIsOneID() throws {
        try TemporaryFolder.with { folder in
            for (source, month) in [("east", "2025-10"), ("west", "2025-11")] {
                try folder.write(
                    "source: \(source)\ncolumns: {trip_id: trip_id, service_date: service_date, patient_id: patient_id}\n",
                    to: "profiles/\(source).yaml")
                try folder.write(site.export([month]), to: "inbox/\(source)/a.csv")
            }
            try folder.write(Self.plain, to: "tripkpi.yaml")
            #expect(try site.run("run", in: folder).status == 0)
            let asked = try site.run("purge", "--patients", "-", stdin: "PAT-3\nPAT-x\nPAT-3\n", in: folder)
            #expect(
                asked.stdoutText.contains("removed: 6 trips (6 records)\npatients: 1 found of 2 ids\n"),
                "\(asked.stdoutText)\(asked.stderrText)")
        }
    }

    /// Runs a command while nothing can be published for staff.
    private func failing(_ arguments: [String], stdin: String = "", in folder: TemporaryFolder) throws -> CommandResult
    {
        let runs = folder.path(of: "reports/published/staff/runs")
        try FileManager.default.moveItem(atPath: runs, toPath: runs + ".away")
        try folder.write("", to: "reports/published/staff/runs")
        let failed = try site.run(arguments: arguments, stdin: stdin, day: 1, in: folder)
        try FileManager.default.removeItem(atPath: runs)
        try FileManager.default.moveItem(atPath: runs + ".away", toPath: runs)
        #expect(failed.status != 0)
        return failed
    }

    @Test func whatWasRemovedIsPrintedThoughThePublicationFails() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"], settings: Self.plain)
            let purge = ["purge", "--patients", "-", "--yes"]
            let failed = try failing(purge, stdin: "PAT-3\n", in: folder)
            #expect(failed.stdoutText.contains("removed: 3 trips (3 records)"))
            let again = try site.run(arguments: purge, stdin: "PAT-3\n", day: 1, in: folder)
            #expect(again.status == 0, "\(again.stderrText)")
            #expect(again.stdoutText.contains("patients: 0 found of 1 ids; 1 of them was named or removed before"))
            #expect(try site.trips("staff", "2025-10", in: folder) == "57")
            #expect(try !summary(in: folder).contains("restatedAt"))
            let id = String(repeating: "0", count: 32)
            let unknown = try site.run("purge", "--public-id", id, in: folder)
            #expect(unknown.status == 66 && unknown.stderrText.contains("no trip has one of these public ids"))
        }
    }

    /// The trip has no public id any more when the command is repeated.
    @Test func aRemovalByPublicIDIsRepeatedAfterAFailedPublication() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"])
            let rows = try site.rows(in: folder)
            let line = try #require(rows.split(separator: "\n").dropFirst().first)
            let id = try #require(line.firstMatch(of: /[0-9a-f]{32}/)).output
            let purge = ["purge", "--public-id", String(id), "--yes"]
            let failed = try failing(purge, in: folder)
            #expect(failed.stdoutText.contains("removed: 1 trips (1 records)"), "\(failed.stdoutText)")
            #expect(try site.trips("staff", "2025-10", in: folder) == "60")
            let again = try site.run(arguments: purge, day: 1, in: folder)
            #expect(again.status == 0, "\(again.stderrText)")
            #expect(again.stdoutText.contains("public ids: 0 found of 1"), "\(again.stdoutText)")
            #expect(try site.trips("staff", "2025-10", in: folder) == "59" && site.sets("staff", in: folder) == 1)
            #expect(try !site.rows(in: folder).contains(id))
            #expect(try site.run(arguments: purge, day: 1, in: folder).status == 66, "all is published")
        }
    }

    /// A night by age takes whole months, and says of the others what was corrected.
    @Test func aRetentionNightRestatesMonthsThatStay() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2023-10", "2025-10", "2026-02"])
            try folder.write(RemovalFixture.settings + "retention: {trips: 2 years}\n", to: "tripkpi.yaml")
            try folder.write(
                site.export(["2023-10", "2025-10", "2026-02"]).replacingOccurrences(of: ",159.00", with: ",999.00"),
                to: "inbox/b.csv")
            let night = try site.run("run", day: 1, in: folder)
            #expect(
                night.status == 0 && night.stderrText.contains("60 trips are removed for good"), "\(night.stderrText)")
            let restated = try summary(in: folder).components(separatedBy: "\"restatements\":").dropFirst().first ?? ""
            #expect(restated.contains("restatedAt") && restated.contains("2025-10"))
            #expect(try !summary(in: folder).contains("2023-10"))
        }
    }

    @Test func aStoreThatTakesOverReleasesSaysWhatItDoesNotKeepOut() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"], settings: Self.plain)
            let purged = try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 1, in: folder)
            #expect(purged.status == 0, "\(purged.stderrText)")
            let store = folder.path(of: "store/tripkpi.sqlite")
            try FileManager.default.moveItem(atPath: store, toPath: folder.path(of: "earlier.sqlite"))
            try FileManager.default.removeItem(atPath: store + ".key")
            let night = try site.run("run", "--releases-of", "earlier.sqlite", day: 2, in: folder)
            #expect(night.status == 0, "\(night.stderrText)")
            #expect(night.stderrText.contains("the earlier store keeps 1 patient and 3 trips out"))
        }
    }

    /// Readers have the set from before the removal again, and only its store tells so.
    @Test func aRestoreNamesASetFromBeforeTheRemoval() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10", "2025-11"])
            #expect(try site.run("publish", "--rollback", "--hold", "--audience", "staff", in: folder).status != 0)
            try folder.write(site.export(["2025-12"]), to: "inbox/b.csv")
            #expect(try site.run("run", day: 1, in: folder).status == 0)
            #expect(
                try site.run("publish", "--rollback", "--hold", "--audience", "staff", day: 1, in: folder).status == 0)
            #expect(
                try site.run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 2, in: folder).status == 0)
            #expect(try site.run("backup", "b.tar", day: 2, in: folder).status == 0)
            let restored = try site.run("restore", "b.tar", "--replace", day: 3, in: folder)
            #expect(restored.stderrText.contains("staff: the current set may have removed trips as rows"))
            #expect(try site.run("publish", "--resume", day: 4, in: folder).status == 0)
            #expect(try site.sets("staff", in: folder) == 1 && site.trips("staff", "2025-10", in: folder) == "57")
        }
    }

    /// What was removed is told in the middle of it, and the reader may be gone.
    @Test func aReaderThatGoesAwayDoesNotStopARemoval() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"])
            let purged = try site.shell(
                "{ \"$0\" purge --patients - --yes; echo $? >status; } | true", stdin: "PAT-3\n", day: 1, in: folder)
            #expect(try String(decoding: folder.read("status"), as: UTF8.self) == "74\n", "\(purged.stderrText)")
            // What the command could not print, and that it is done.
            #expect(purged.stderrText.contains("removed: 3 trips (3 records)\npatients: 1 found of 1 ids\n"))
            #expect(purged.stderrText.contains("all is done") && !purged.stderrText.contains("check the folder"))
            #expect(try site.trips("staff", "2025-10", in: folder) == "57")
            #expect(try site.sets("staff", in: folder) == 1)
            #expect(try site.run("crosswalk", "check", day: 1, in: folder).stdoutText.contains("57 entries"))
        }
    }

    /// A store without trips cannot know whether its clock is right. A trip of the last days shows it.
    @Test func aFirstRunRemovesNothingByAge() throws {
        try TemporaryFolder.with { folder in
            let settings = RemovalFixture.settings + "retention: {trips: 2 years}\n"
            try site.prepare(folder, ["2023-10", "2026-02"], settings: settings)
            #expect(try site.trips("staff", "2023-10", in: folder) == "60")
            let next = try site.run("run", day: 1, in: folder)
            #expect(next.stderrText.contains("60 trips are removed for good"), "\(next.stderrText)")
        }
    }
}
