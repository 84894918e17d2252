import Foundation
import TestSupport
import Testing

/// Amounts whose marks may mean two things, and amounts that unquoted commas divide.
@Suite struct DoubtfulAmountsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private func scan(_ text: String, profile: String? = nil) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "export.csv")
            var options: [String] = []
            if let profile {
                try folder.write(profile, to: "own.yaml")
                options = ["--profile", "./own.yaml"]
            }
            return try fixture.run(
                ["scan", "export.csv", "--audience", "staff", "--format", "json"] + options, in: folder.url)
        }
    }

    private func cost(_ result: CommandResult) throws -> Double? {
        let summary = try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any]
        let cells = summary?["cells"] as? [[String: Any]] ?? []
        let all = cells.first {
            $0["month"] as? String == "All" && $0["region"] as? String == "All" && $0["tripType"] as? String == "All"
        }
        return (all?["totalCost"] as? NSNumber)?.doubleValue
    }

    private static func export(_ costs: [String], delimiter: String = ";") -> String {
        let names = ["trip_id", "unit_notified_at", "region", "trip_type", "cost"]
        let rows = (0..<200).map { row in
            ["T\(row)", "2025-03-\(row % 20 + 10) 08:00:00", "North", "Emergency", costs[row % costs.count]]
        }
        return ([names] + rows).map { $0.joined(separator: delimiter) + "\n" }.joined()
    }

    private static let profile = """
        source: own
        columns: {trip_id: trip_id, unit_notified_at: unit_notified_at, region: region, trip_type: trip_type, cost: cost}

        """

    @Test func aPointBeforeThreeDigitsIsAskedAbout() throws {
        let export = Self.export(["950", "1.250", "2.400", "780"])
        let result = try scan(export)
        #expect(result.status == 65)
        #expect(result.stderrText.contains("100 costs have a point before three digits"), "\(result.stderrText)")
        #expect(result.stderrText.contains("`decimal: comma`"), "\(result.stderrText)")
        #expect(try cost(scan(export, profile: Self.profile + "decimal: comma\n")) == 269_000)
        #expect(try cost(scan(export, profile: Self.profile + "decimal: point\n")) == 86_682.5)
        #expect(try scan(export, profile: Self.profile).status == 65)
    }

    @Test(arguments: [
        // Another fraction; a comma beside the point; zeros before it; fractions of three digits throughout.
        (["950", "1.250", "12.50"], "clear"), (["1,250.00", "1.250"], "clear"), (["0.500", "1.250"], "clear"),
        (["100.500", "399.250", "45.000"], "clear"), (["950", "780"], "clear"),
    ])
    func aPointThatIsClearIsRead(costs: [String], _: String) throws {
        let result = try scan(Self.export(costs))
        #expect(result.status == 0, "\(result.stderrText)")
    }

    @Test func mapSuggestMarksAPointThatIsInDoubt() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export(["950", "1.250", "2.400", "780"]), to: "export.csv")
            let result = try fixture.run(["map", "suggest", "export.csv"], in: folder.url)
            let line = String(decoding: result.stdout, as: UTF8.self).split(separator: "\n")
                .first { $0.hasPrefix("decimal:") }
            #expect(line?.hasPrefix("decimal: comma  # ?") == true)
        }
    }

    /// Rows end early where notes are empty, so that a row with `1,200.50` has as many fields as others.
    @Test func aDividedCostIsRejectedWhereRowsEndEarly() throws {
        let rows = (0..<1000).map { row in
            let cost = row % 400 == 7 ? "1,200.50" : "\(100 + row % 50).50"
            return "T\(row),2025-03-\(row % 20 + 10) 08:00:00,North,Emergency,\(cost),5.5" + (row % 10 == 0 ? ",x" : "")
        }
        let names = "trip_id,unit_notified_at,region,trip_type,cost,loaded_miles,notes"
        let result = try scan(([names] + rows).joined(separator: "\n") + "\n")
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(result.stderrText.contains("3 field_count"), "\(result.stderrText)")
        let many = rows.map { $0.replacing(",149.50,", with: ",1,149.50,") }
        #expect(try scan(([names] + many).joined(separator: "\n") + "\n").status == 65)
    }

    /// Whole dollars beside amounts of 100 and more, in rows that end early.
    @Test func wholeDollarsBesideOtherAmountsAreNoDividedCosts() throws {
        let rows = (0..<400).map { row in
            "T\(row),2025-03-\(row % 20 + 10) 08:00:00,North,Emergency,\(20 + row % 50),\(120 + row % 300).25"
                + (row % 10 == 0 ? ",x" : "")
        }
        let names = "trip_id,unit_notified_at,region,trip_type,cost,allowed,notes"
        let result = try scan(([names] + rows).joined(separator: "\n") + "\n")
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(result.stderrText.contains("added 400"), "\(result.stderrText)")
    }

    @Test func decimalCommasWithoutQuotesBeforeABlankColumnAreRefused() throws {
        let rows = (0..<200).map { "T\($0),2025-03-\($0 % 20 + 10) 08:00:00,North,Emergency,\(100 + $0 % 50),50," }
        let result = try scan(
            (["trip_id,unit_notified_at,region,trip_type,cost,notes"] + rows).joined(separator: "\n") + "\n")
        #expect(result.status == 65)
        #expect(result.stderrText.contains("unquoted commas"), "\(result.stderrText)")
    }
}
