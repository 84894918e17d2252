import Foundation
import GRDB
import TestSupport
import Testing

/// Which clock is believed before anything is removed by its age, in a new store.
@Suite struct RetentionClockTests {
    private let site: RemovalFixture
    private static let settings =
        "regions: [North]\ntrip_types: [Routine]\naudiences: [staff]\nretention: {trips: 2 years, runs: 30 days}\n"

    init() throws { site = try RemovalFixture() }

    /// Ten years ahead, whatever was done before: loaded, run, run again, failed.
    @Test(arguments: [
        [["load", "x/a.csv"]], [["run"], ["run"]], [["run", "--rules", "missing"], ["run"]], [["publish"]],
    ])
    func aNewStoreBelievesNoClockThatItsTripsContradict(commands: [[String]]) throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.settings, to: "tripkpi.yaml")
            try folder.write(site.export(["2023-10", "2025-10"]), to: "x/a.csv")
            try folder.write(site.export(["2023-10", "2025-10"]), to: "inbox/a.csv")
            for arguments in commands { _ = try site.run(arguments: arguments, day: 3650, in: folder) }
            for day in [3650, 3651, 3680] {
                let night = try site.run("run", day: day, in: folder)
                #expect(night.status == 0 && !night.stderrText.contains("for good"), "\(night.stderrText)")
                #expect(try site.trips("staff", "2023-10", in: folder) == "60")
            }
            let planned = try site.run("run", "--dry-run", day: 3681, in: folder)
            #expect(planned.stdoutText.contains("nothing is removed by the setting"), "\(planned.stdoutText)")
            // A person says which clock is right.
            #expect(try site.run("publish", "--clock-is-right", day: 1, in: folder).status == 0)
            let right = try site.run("run", day: 1, in: folder)
            #expect(right.stderrText.contains("60 trips are removed for good"), "\(right.stderrText)")
            #expect(try site.trips("staff", "2025-10", in: folder) == "60")
        }
    }

    private func prepareEmpty(_ folder: TemporaryFolder) throws {
        try folder.write(Self.settings, to: "tripkpi.yaml")
        try FileManager.default.createDirectory(atPath: folder.path(of: "inbox"), withIntermediateDirectories: false)
    }

    @Test func aStoreWithoutTripsTakesAllTripsLater() throws {
        try TemporaryFolder.with { folder in
            try prepareEmpty(folder)
            for day in [3650, 3651, 3680] {
                let night = try site.run("run", day: day, in: folder)
                #expect(night.status == 0 && !night.stderrText.contains("retention"), "\(night.stderrText)")
            }
            try folder.write(site.export(["2025-12"]), to: "inbox/a.csv")
            let night = try site.run("run", day: 2, in: folder)
            #expect(night.status == 0 && night.stderrText.contains("60 added"), "\(night.stderrText)")
        }
    }

    /// As an earlier version has left it.
    @Test(arguments: [0, 1])
    func aFirstMonthThatIsToComeIsFoundAndTakenBack(removals: Int) throws {
        try TemporaryFolder.with { folder in
            try prepareEmpty(folder)
            #expect(try site.run("run", in: folder).status == 0)
            let queue = try DatabaseQueue(path: folder.path(of: "store/tripkpi.sqlite"))
            try queue.write { db in
                try db.execute(
                    sql: "UPDATE retention SET first_month = ?, month_removals = ?", arguments: [2034 * 12, removals])
                try db.execute(sql: "DELETE FROM ledger_digest")
            }
            try queue.close()
            let found = try site.run("doctor", day: 1, in: folder)
            #expect(
                found.status == 78 && found.stdoutText.contains("before 2034-01, which is to come"),
                "\(found.stdoutText)")
            try folder.write(site.export(["2025-12"]), to: "inbox/a.csv")
            #expect(try site.run("run", day: 1, in: folder).stderrText.contains("60 skipped"))
            let refused = try site.run("publish", "--clock-is-right", day: 1, in: folder)
            #expect(refused.status == 0, "\(refused.stderrText)")
            let doctor = try site.run("doctor", day: 1, in: folder)
            #expect(doctor.stdoutText.contains("2034-01") == (removals > 0), "\(doctor.stdoutText)")
            try folder.write(site.export(["2026-01"]), to: "inbox/b.csv")
            let night = try site.run("run", day: 2, in: folder)
            #expect(night.stderrText.contains(removals > 0 ? "60 skipped" : "60 added"), "\(night.stderrText)")
        }
    }

    @Test func aNewStoreRemovesNoSetsThatAWrongClockTakesForOld() throws {
        try TemporaryFolder.with { folder in
            try site.prepare(folder, ["2025-10"], settings: Self.settings)
            for day in [1, 2, 3] {
                try folder.write(site.export(["2025-11"], count: 60 + day), to: "inbox/\(day).csv")
                #expect(try site.run("run", day: day, in: folder).status == 0)
            }
            let runs = folder.path(of: "reports/published/staff/runs")
            for run in try FileManager.default.contentsOfDirectory(atPath: runs) {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -9_000_000)], ofItemAtPath: "\(runs)/\(run)")
            }
            #expect(try site.sets("staff", in: folder) == 4)
            try FileManager.default.removeItem(atPath: folder.path(of: "store/tripkpi.sqlite"))
            let night = try site.run("run", "--new-store", day: 390, in: folder)
            #expect(night.status == 0, "\(night.stderrText)")
            #expect(try site.sets("staff", in: folder) == 4)
        }
    }
}
