import Foundation
import TestSupport
import Testing

/// Retention and removal with the real command.
@Suite struct PurgeCommandTests {
    private let fixture: CommandFixture
    /// 2026-03-01.
    private static let now = 1_772_323_200

    init() throws { fixture = try CommandFixture() }

    private func run(
        _ arguments: String..., stdin: String = "", day: Int = 0, in folder: TemporaryFolder
    ) throws -> CommandResult {
        let result = try fixture.run(
            arguments, stdin: Array(stdin.utf8),
            environment: [
                "SOURCE_DATE_EPOCH": "\(Self.now + day * 86_400)", "TRIPKPI_AUDIT_LOG": folder.path(of: "audit.jsonl"),
            ], in: folder.url)
        #expect(!result.stdoutText.contains("PAT-") && !result.stderrText.contains("PAT-"))
        return result
    }

    /// `count` completed trips of each month; every patient has ten of them.
    private func export(_ months: [String], count: Int = 60) -> String {
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

    private static func id(_ number: Int, _ month: String) -> String {
        "SYN\(month.suffix(2))X\(month.prefix(4))Y\(number)"
    }

    private static let settings = """
        trips_feed: limited-data-set
        regions: [North]
        trip_types: [Routine]
        crosswalk: {file: walk/c, key_file: keys/k}

        """

    private func prepare(_ folder: TemporaryFolder, _ months: [String], more: String = "") throws {
        try FileManager.default.createDirectory(atPath: folder.path(of: "keys"), withIntermediateDirectories: false)
        try folder.write(Self.settings + more, to: "tripkpi.yaml")
        try folder.write(export(months), to: "inbox/a.csv")
        let first = try run("run", in: folder)
        #expect(first.status == 0, "\(first.stderrText)")
    }

    private func cells(_ audience: String, in folder: TemporaryFolder) throws -> [[String: String]] {
        let text = String(
            decoding: try folder.read("reports/published/\(audience)/current/kpi-cells.csv"), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        return lines.dropFirst().map { line in
            Dictionary(zip(lines[0].map(String.init), line.map(String.init))) { first, _ in first }
        }
    }

    private func trips(_ audience: String, _ month: String, in folder: TemporaryFolder) throws -> String? {
        try cells(audience, in: folder).first {
            $0["month"] == month && $0["region"] == "All" && $0["trip_type"] == "All"
        }?["trips"]
    }

    @Test func aPatientLeavesEveryFileForGood() throws {
        try TemporaryFolder.with { folder in
            try prepare(folder, ["2025-10", "2025-11", "2025-12"])
            let released = try folder.read("reports/published/release/current/kpi-cells.csv")
            #expect(try trips("staff", "2025-10", in: folder) == "60")

            let asked = try run("purge", "--patients", "-", stdin: "PAT-3\n", in: folder)
            #expect(
                asked.status == 0 && asked.stdoutText.contains("would be removed: 9 trips (9 records)"),
                "\(asked.stderrText)")
            #expect(
                asked.stdoutText.contains("keep their figures and are not revised any more: 2025-10, 2025-11, 2025-12"))
            #expect(try trips("staff", "2025-10", in: folder) == "60")

            let done = try run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 1, in: folder)
            #expect(done.status == 0 && done.stdoutText.contains("removed: 9 trips (9 records)"), "\(done.stderrText)")
            #expect(done.stdoutText.contains("delete these files yourself: x.csv ("))
            #expect(done.stderrText.contains("1 earlier sets for staff had removed trips as rows"))
            #expect(try trips("staff", "2025-10", in: folder) == "57")
            #expect(try folder.read("reports/published/release/current/kpi-cells.csv") == released)
            let check = try run("crosswalk", "check", in: folder)
            #expect(check.stdoutText == "the crosswalk is whole: 171 entries\n", "\(check.stderrText)")
            let verified = try run("verify", "--full", day: 1, in: folder)
            #expect(verified.status == 0, "\(verified.stdoutText)\(verified.stderrText)")
            let log = String(decoding: try folder.read("audit.jsonl"), as: UTF8.self)
            #expect(log.components(separatedBy: #""event":"purge""#).count - 1 == 1 && !log.contains("PAT-"))
            let runs = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(of: "reports/published/staff/runs"))
            #expect(runs.count == 1)

            // An export that has all of them again, and one more month.
            try folder.write(export(["2025-10", "2025-11", "2025-12", "2026-01"]), to: "inbox/b.csv")
            let again = try run("run", day: 2, in: folder)
            #expect(
                again.status == 0 && again.stderrText.contains("12 of its records are of trips"), "\(again.stderrText)")
            #expect(try trips("staff", "2025-10", in: folder) == "57")
            #expect(try trips("staff", "2026-01", in: folder) == "57")
            #expect(try run("verify", "--full", day: 2, in: folder).status == 0)
            // A new key keeps them out too, and the figures are the same.
            #expect(try run("key", "rotate", day: 2, in: folder).status == 0)
            try folder.write(export(["2025-10", "2026-02"]), to: "inbox/c.csv")
            #expect(try run("run", day: 3, in: folder).status == 0)
            #expect(try trips("staff", "2025-10", in: folder) == "57")
            #expect(try trips("staff", "2026-02", in: folder) == "57")
            // No correction of a frozen month reaches the release.
            try folder.write(
                export(["2025-10"]).replacingOccurrences(of: "North", with: "Elsewhere"), to: "inbox/d.csv")
            #expect(try run("run", day: 120, in: folder).status == 0)
            #expect(try run("publish", "--revise", day: 121, in: folder).status == 0)
            #expect(try trips("release", "2025-10", in: folder) == "60")
            #expect(try run("verify", "--full", day: 121, in: folder).status == 0)
        }
    }

    @Test func aTripIsRemovedByItsIDs() throws {
        try TemporaryFolder.with { folder in
            try prepare(folder, ["2025-10"])
            try folder.write("\(Self.id(5, "2025-10"))\nunknown\tleg\n\n", to: "ids.txt")
            let done = try run("purge", "--trips", "ids.txt", "--yes", in: folder)
            #expect(done.status == 0 && done.stdoutText.contains("removed: 1 trips (1 records)"), "\(done.stderrText)")
            #expect(try trips("staff", "2025-10", in: folder) == "59")
            #expect(
                try run("purge", "--public-id", String(repeating: "0", count: 32), "--yes", in: folder).status == 66)
            #expect(try run("purge", in: folder).status == 64)
            #expect(try run("purge", "--before", "2025", in: folder).status == 64)
            #expect(try run("purge", "--before", "2027-01", "--yes", in: folder).status == 64)
        }
    }

    /// Old months leave the store, and the release keeps them as they were.
    @Test func oldMonthsLeaveByTheSetting() throws {
        try TemporaryFolder.with { folder in
            try prepare(folder, ["2023-10", "2023-11", "2025-10", "2025-11"])
            let released = try cells("release", in: folder).filter { $0["month"] != "All" }
            #expect(try trips("release", "2023-10", in: folder) == "60")
            try folder.write(Self.settings + "retention: {trips: 2 years, runs: 30 days}\n", to: "tripkpi.yaml")
            let planned = try run("run", "--dry-run", day: 1, in: folder)
            #expect(planned.stdoutText.contains("remove 120 trips of months before 2024-03 for good"))
            let night = try run("run", day: 1, in: folder)
            #expect(
                night.status == 0 && night.stderrText.contains("120 trips are removed for good"), "\(night.stderrText)")
            #expect(
                night.stderrText.contains("1 earlier sets for staff had removed trips as rows"), "\(night.stderrText)")
            #expect(try sets("staff", in: folder) == 1)
            #expect(try trips("staff", "2023-10", in: folder) == nil)
            #expect(try trips("staff", "2025-10", in: folder) == "60")
            #expect(try cells("release", in: folder).filter { $0["month"] != "All" } == released)
            #expect(try run("verify", "--full", day: 1, in: folder).status == 0)
            let second = try run("run", day: 2, in: folder)
            #expect(second.status == 0 && !second.stderrText.contains("removed"), "\(second.stderrText)")
            // Late trips of an old month are skipped; an old set leaves after 30 days.
            try folder.write(export(["2023-10", "2025-12"], count: 61), to: "inbox/late.csv")
            let late = try run("run", day: 40, in: folder)
            #expect(late.status == 0 && late.stderrText.contains("61 skipped"), "\(late.stderrText)")
            #expect(try trips("staff", "2023-10", in: folder) == nil && trips("staff", "2025-12", in: folder) == "61")
            #expect(try trips("release", "2023-10", in: folder) == "60")
            #expect(try run("verify", "--full", day: 40, in: folder).status == 0)
            let purged = try run("purge", "--before", "2025-11", "--yes", day: 41, in: folder)
            #expect(purged.status == 0 && purged.stdoutText.contains("removed: 60 trips"), "\(purged.stderrText)")
            #expect(try trips("release", "2025-10", in: folder) == "60" && trips("staff", "2025-10", in: folder) == nil)
        }
    }

    /// A trip that was removed comes back by no month, patient or version, and no second month of the release counts it.
    @Test func aRemovedTripStaysAway() throws {
        try TemporaryFolder.with { folder in
            try prepare(folder, ["2025-09", "2025-10", "2025-11"])
            #expect(try run("purge", "--before", "2025-10", "--yes", day: 1, in: folder).status == 0)
            let named = try run(
                "purge", "--patients", "-", "--yes", stdin: "\u{FEFF}PAT-3 \nPAT-x\n", day: 2, in: folder)
            #expect(named.stdoutText.contains("patients: 1 found of 2 ids"), "\(named.stderrText)")
            let summary = try folder.read("reports/published/staff/current/kpi-summary.json")
            #expect(!String(decoding: summary, as: UTF8.self).contains("restatedAt"))
            // The same trips in a later month, and as another patient's.
            try folder.write(
                export(["2025-09"]).replacingOccurrences(of: ",2025-09-", with: ",2025-12-"), to: "inbox/moved.csv")
            try folder.write(
                export(["2025-10", "2025-12"]).replacingOccurrences(of: "PAT-3,", with: "PAT-77,"), to: "inbox/new.csv")
            let night = try run("run", day: 3, in: folder)
            #expect(night.status == 0 && night.stderrText.contains("63 skipped"), "\(night.stderrText)")
            #expect(try trips("staff", "2025-10", in: folder) == "57" && trips("staff", "2025-12", in: folder) == "60")
            #expect(try trips("release", "2025-09", in: folder) == "60")
            #expect(try run("verify", "--full", day: 3, in: folder).status == 0)
            // 57 of 2025-10 twice, 57 of 2025-11, 60 of 2025-12.
            let walk = try run("crosswalk", "check", day: 3, in: folder)
            #expect(walk.stdoutText == "the crosswalk is whole: 231 entries\n", "\(walk.stdoutText)")
        }
    }

    /// The mark that sets have removed trips stays until they are gone: also after a kill of the command.
    @Test func aHeldSetIsReplacedWhenItIsResumed() throws {
        try TemporaryFolder.with { folder in
            try prepare(folder, ["2025-10", "2025-11"])
            try folder.write(export(["2025-12"]), to: "inbox/b.csv")
            #expect(try run("run", day: 1, in: folder).status == 0)
            #expect(try run("publish", "--rollback", "--hold", "--audience", "staff", day: 1, in: folder).status == 0)
            let purged = try run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 2, in: folder)
            #expect(
                purged.status == 0 && purged.stderrText.contains("the current set for staff may have removed trips"))
            #expect(!purged.stderrText.contains("the current set for release"))
            let held = try run("run", day: 3, in: folder)
            #expect(held.stderrText.contains("the current set for staff may have removed trips"), "\(held.stderrText)")
            let resumed = try run("publish", "--resume", day: 4, in: folder)
            #expect(resumed.status == 0, "\(resumed.stderrText)")
            #expect(try sets("staff", in: folder) == 1 && trips("staff", "2025-10", in: folder) == "57")
            let next = try run("run", day: 5, in: folder)
            #expect(!next.stderrText.contains("removed trips"), "\(next.stderrText)")
            // An audience that is no longer published keeps its set, and that is said.
            try folder.write(Self.settings + "audiences: [release]\n", to: "tripkpi.yaml")
            let left = try run("purge", "--patients", "-", "--yes", stdin: "PAT-4\n", day: 6, in: folder)
            #expect(left.stderrText.contains("the current set for staff may have removed trips"), "\(left.stderrText)")
        }
    }

    /// Dispatch has no patient, its bills have: the trip stays away too.
    @Test func aPatientKnownFromBillsStaysAway() throws {
        try TemporaryFolder.with { folder in
            try FileManager.default.createDirectory(atPath: folder.path(of: "keys"), withIntermediateDirectories: false)
            try folder.write(Self.settings, to: "tripkpi.yaml")
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
            let first = try run("run", in: folder)
            #expect(first.status == 0 && first.stderrText.contains("60 added"), "\(first.stderrText)")
            let purged = try run("purge", "--patients", "-", "--yes", stdin: "PAT-3\n", day: 1, in: folder)
            #expect(purged.stdoutText.contains("removed: 3 trips (6 records)"), "\(purged.stderrText)")
            try folder.write(dispatch(",Note"), to: "inbox/dispatch/b.csv")
            try folder.write(bills(",Note"), to: "inbox/bills/b.csv")
            let again = try run("run", day: 2, in: folder)
            #expect(again.status == 0 && again.stderrText.contains("6 skipped"), "\(again.stderrText)")
            #expect(try trips("staff", "2025-10", in: folder) == "57")
            #expect(try run("verify", "--full", day: 2, in: folder).status == 0)
        }
    }

    private func sets(_ audience: String, in folder: TemporaryFolder) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "reports/published/\(audience)/runs")).count
    }

    @Test(arguments: ["{trips: 1 years}", "{trips: 7}", "{runs: 90 weeks}", "{rows: 3 years}", "7 years"])
    func aRetentionThatIsNotUnderstoodIsRefused(value: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write("retention: \(value)\n", to: "tripkpi.yaml")
            #expect(try run("run", in: folder).status == 78)
        }
    }
}
