import Foundation
import TestSupport
import Testing

/// Releases of the store from night to night, by the command.
@Suite struct SeriesCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// Completed trips of a month by region.
    private static func trips(_ month: String, from first: Int = 0, _ counts: [(region: String, trips: Int)]) -> String
    {
        var rows = ["trip_id,service_date,region"]
        for (region, trips) in counts {
            rows += (first..<first + trips).map { "SYN-\(month)-\(region)-\($0),\(month)-\($0 % 18 + 10),\(region)" }
        }
        return rows.joined(separator: "\n") + "\n"
    }

    /// A store of two months, of which the first is closed.
    private func withStore(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try folder.write("regions: [North, South, East]\n", to: "tripkpi.yaml")
            try folder.write(
                Self.trips("2024-01", [("North", 25), ("South", 5), ("East", 60)]), to: "xx_20240201.csv")
            try folder.write(Self.trips("2024-02", [("North", 40)]), to: "xx_20240210.csv")
            #expect(try run(["load", "xx_20240201.csv", "xx_20240210.csv"], folder).status == 0)
            try body(folder)
        }
    }

    /// 2024-02-12, 12:00 UTC.
    private static let midFebruary = 1_707_739_200
    /// 2024-03-05, 12:00 UTC.
    private static let march = 1_709_640_000

    private func run(
        _ words: [String], _ folder: TemporaryFolder, epoch: Int = midFebruary
    ) throws -> CommandResult {
        try fixture.run(words, environment: ["SOURCE_DATE_EPOCH": "\(epoch)"], in: folder.url)
    }

    private func summary(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func published(
        _ folder: TemporaryFolder, _ audience: String = "release", epoch: Int = midFebruary
    ) throws -> [String: Any] {
        let result = try run(["publish"], folder, epoch: epoch)
        #expect(result.status == 0, "\(result.stderrText)")
        let verified = try run(["verify"], folder)
        #expect(verified.status == 0, "\(verified.stdoutText)")
        return try summary(folder.read("reports/published/\(audience)/current/kpi-summary.json"))
    }

    /// The cell of a month and region, all types together.
    private func cell(_ summary: [String: Any], _ month: String, _ region: String) throws -> [String: Any] {
        let cells = summary["cells"] as? [[String: Any]] ?? []
        return try #require(
            cells.first {
                $0["month"] as? String == month && $0["region"] as? String == region
                    && $0["tripType"] as? String == "All"
            })
    }

    @Test func anOpenMonthIsForStaffOnly() throws {
        try withStore { folder in
            let release = try published(folder)
            #expect(release["months"] as? [String] == ["2024-01"])
            #expect(release["withheldMonths"] as? [String] == ["2024-02"])
            #expect(release["totalTrips"] as? Int == 90)
            let staff = try published(folder, "staff")
            #expect(staff["months"] as? [String] == ["2024-01", "2024-02"])
            #expect(staff["totalTrips"] as? Int == 130)
            #expect(staff["audience"] as? String == "staff" && release["audience"] as? String == "release")
        }
    }

    @Test func aReleasedMonthStaysAsItWasReleased() throws {
        try withStore { folder in
            let before = try published(folder)
            #expect(try cell(before, "2024-01", "North")["trips"] as? Int == 25)
            #expect(try cell(before, "2024-01", "South")["suppressed"] as? Bool == true)
            try folder.write(Self.trips("2024-01", from: 100, [("North", 1), ("South", 9)]), to: "xx_20240211.csv")
            #expect(try run(["load", "xx_20240211.csv"], folder).status == 0)
            let after = try published(folder)
            #expect(after["totalTrips"] as? Int == before["totalTrips"] as? Int)
            #expect(try cell(after, "2024-01", "North")["trips"] as? Int == 25)
            #expect(try cell(after, "2024-01", "North")["revisionPending"] as? Bool == true)
            #expect(try cell(after, "2024-01", "South")["suppressed"] as? Bool == true)
            let staff = try published(folder, "staff")
            #expect(try cell(staff, "2024-01", "North")["trips"] as? Int == 26)
            #expect(try cell(staff, "2024-01", "South")["trips"] as? Int == 14)
            // A report discloses no more than the published set.
            let report = try run(["report", "--release", "--month", "2024-01", "--format", "json"], folder)
            #expect(report.status == 0, "\(report.stderrText)")
            #expect(try cell(summary(report.stdout), "2024-01", "North")["trips"] as? Int == 25)
        }
    }

    @Test func aMonthIsReleasedOnceItIsClosed() throws {
        try withStore { folder in
            _ = try published(folder)
            let later = try published(folder, epoch: Self.march)
            #expect(later["months"] as? [String] == ["2024-01"])
            try folder.write(Self.trips("2024-03", [("North", 30)]), to: "xx_20240304.csv")
            #expect(try run(["load", "xx_20240304.csv"], folder, epoch: Self.march).status == 0)
            #expect(try published(folder, epoch: Self.march)["months"] as? [String] == ["2024-01", "2024-02"])
        }
    }

    @Test func aReportForReleaseNeedsAReleasedMonth() throws {
        try withStore { folder in
            let early = try run(["report", "--release"], folder)
            #expect(early.status == 65 && early.stderrText.contains("`tripkpi publish`"))
            #expect(try run(["report"], folder).status == 0)
            _ = try published(folder)
            #expect(try run(["report", "--release"], folder).status == 0)
            let open = try run(["report", "--release", "--month", "2024-02"], folder)
            #expect(open.status == 65 && open.stderrText.contains("--audience staff"))
            #expect(try run(["report", "--internal", "--audience", "release"], folder).status == 64)
        }
    }

    @Test func bothAudiencesGoBackAndNeedNothingButThePublishedFolder() throws {
        try withStore { folder in
            _ = try published(folder)
            try folder.write(Self.trips("2024-01", from: 100, [("East", 1)]), to: "xx_20240211.csv")
            #expect(try run(["load", "xx_20240211.csv"], folder).status == 0)
            _ = try published(folder, epoch: Self.midFebruary + 60)
            try folder.write("rules: [broken", to: "rules/broken.yaml")
            try folder.write(
                "regions: [North, South, East]\nrules: rules/broken.yaml\n", to: "tripkpi.yaml")
            #expect(try run(["publish"], folder).status == 78)
            let back = try run(["publish", "--rollback"], folder)
            #expect(back.status == 0, "\(back.stderrText)")
            #expect(back.stderrText.contains("current for release is") && back.stderrText.contains("for staff is"))
            let staff = try summary(folder.read("reports/published/staff/current/kpi-summary.json"))
            #expect(staff["totalTrips"] as? Int == 130)
        }
    }
}
