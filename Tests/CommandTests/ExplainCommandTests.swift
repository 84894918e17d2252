import Foundation
import TestSupport
import Testing

/// `report --explain REGION TYPE MONTH`.
@Suite struct ExplainCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private func object(_ result: CommandResult) throws -> [String: Any] {
        #expect(result.status == 0, "\(result.stderrText)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any])
    }

    private func codes(_ object: [String: Any], _ list: String = "reasons") -> [String] {
        (object[list] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    @Test func aCellOfExportsIsExplainedWhateverThePositionOfTheFile() throws {
        let cell = ["--explain", "west", "Routine", "2023-12"], sample = CommandFixture.sample
        let text = try fixture.run(["report", sample] + cell)
        #expect(text.status == 0)
        #expect(text.stdoutText.hasPrefix("West, Routine, 2023-12: not shown by itself.\n"))
        #expect(text.stdoutText.contains("East, West and Unassigned (42 trips in 2023-12)"))
        #expect(try fixture.run(["report"] + cell + [sample]).stdoutText == text.stdoutText)
        let json = try object(try fixture.run(["report", sample] + cell + ["--format", "json"]))
        #expect(json["state"] as? String == "suppressed" && codes(json) == ["merged"])
        // The group is one of those that the report itself publishes.
        let report = try object(try fixture.run(["report", sample, "--release", "--format", "json", "--quiet"]))
        let groups = try #require(report["mergedGroups"] as? [[String: Any]])
        #expect(groups.contains { $0["month"] as? String == "2023-12" && $0["trips"] as? Int == 29 })
    }

    @Test func staffSeeAllCells() throws {
        let result = try fixture.run([
            "report", CommandFixture.sample, "--explain", "West", "Routine", "2023-12", "--audience", "staff",
        ])
        #expect(result.status == 0)
        #expect(
            result.stdoutText == "West, Routine, 2023-12: staff see every figure, exact; nothing is left out.\n")
    }

    /// SOURCE_DATE_EPOCH of the fixture is 2026-01-01.
    @Test func aStoresMonthsAreOpenNotReleasedOrReleased() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<40).map { "T\($0),2025-10-\($0 % 20 + 10)\nD\($0),2025-12-\($0 % 10 + 10)" }
            try folder.write("trip_id,service_date\nX,2025-09-05\n" + rows.joined(separator: "\n") + "\n", to: "t.csv")
            #expect(try fixture.run(["load", "t.csv"], in: folder.url).status == 0)
            func explain(_ month: String) throws -> [String: Any] {
                try object(
                    try fixture.run(["report", "--explain", "All", "All", month, "--format", "json"], in: folder.url))
            }
            #expect(codes(try explain("All")) == ["nothingReleased"])
            #expect(codes(try explain("2025-10")) == ["monthNotReleased"])
            #expect(try fixture.run(["publish"], in: folder.url).status == 0)
            let october = try explain("2025-10")
            #expect(october["state"] as? String == "complete")
            let december = try explain("2025-12")
            #expect(codes(december) == ["monthOpen"] && codes(december, "remedies") == ["waitUntilClosed", "staff"])
            #expect(codes(try explain("2025-09")) == ["tooFew"])
            #expect(codes(try explain("All")).contains("withheldMonths"))
        }
    }

    @Test(arguments: [
        (["Nowhere", "All", "All"], "take one of All, North, South, East, West, Unassigned"),
        (["All", "Taxi", "All"], "take one of All, Emergency, Routine"),
        (["All", "All", "2031-01"], "there are no trips in 2031-01; take one of All, 2023-10"),
        (["All", "All", "March"], "is not a month"), (["All", "All"], "--explain takes a region"),
        (["All", "All", "All", "--month", "2023-12"], "give no other selection"),
        (["All", "All", "All", "--region", "North"], "give no other selection"),
        (["All", "All", "All", "--format", "csv"], "--explain writes to standard output"),
        (["All", "All", "All", "--output", "x.json"], "--explain writes to standard output"),
    ])
    func whatMakesNoSenseIs64(cell: [String], message: String) throws {
        let result = try fixture.run(["report", CommandFixture.sample, "--explain"] + cell)
        #expect(result.status == 64 && result.stdout.isEmpty)
        #expect(result.stderrText.contains(message), "\(result.stderrText)")
    }

    @Test func tooFewTripsAreExplainedAndNotAnError() throws {
        let few = Array(CommandFixture.trips(5).utf8)
        let result = try fixture.run(["report", "-", "--explain", "All", "All", "2024-01"], stdin: few)
        #expect(result.status == 0)
        #expect(result.stdoutText.contains("2024-01 had fewer than 11 trips or patients"))
    }
}
