import Foundation
import TestSupport
import Testing

/// Rows of another table or another delimiter in one file: they are trips perhaps, and none is passed over in silence.
@Suite struct RowsOfOtherTablesTests {
    private let fixture: CommandFixture
    private static let names = "trip_id,trip_type,region,unit_notified_at,on_scene_at,cost"

    private static func row(_ number: Int) -> String {
        "T\(number),Emergency,North,2025-03-\(number % 20 + 10) 08:00:00,2025-03-\(number % 20 + 10) 08:09:00,100.00"
    }

    private static let rows = (0..<300).map(row)
    private static let table = names + "\n" + rows.joined(separator: "\n") + "\n"

    init() throws {
        fixture = try CommandFixture()
    }

    private func scan(_ text: String, options: [String] = []) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "export.csv")
            return try fixture.run(
                ["scan", "export.csv", "--audience", "staff", "--format", "json"] + options, in: folder.url)
        }
    }

    private static func others(_ count: Int, _ delimiter: String) -> String {
        (300..<(300 + count)).map { row($0).replacing(",", with: delimiter) + "\n" }.joined()
    }

    @Test(arguments: [";", "\t", "|", "  "])
    func rowsWithAnotherDelimiterAreNoFooter(delimiter: String) throws {
        for header in ["", Self.names.replacing(",", with: delimiter) + "\n"] {
            let result = try scan(Self.table + header + Self.others(20, delimiter))
            #expect(result.status == 65, "\(result.stderrText)")
            #expect(result.stderrText.contains("field_count"), "\(result.stderrText)")
        }
    }

    @Test func rowsInQuotesAsAWholeAreNoFooter() throws {
        let rows = (300..<320).map { "\"\(Self.row($0))\"\n" }.joined()
        #expect(try scan(Self.table + rows).status == 65)
    }

    @Test func rowsWithFewerColumnsAndAnotherDelimiterAreNoFooter() throws {
        let rows = (300..<320).map { "T\($0);2025-03-12 08:00;North, Zone 3;100,00\n" }.joined()
        #expect(try scan(Self.table + "\nTrip;Start;Region;Cost\n" + rows).status == 65)
    }

    @Test func rowsWithAnotherDelimiterAreNoTitles() throws {
        let result = try scan(Self.others(5, ";") + Self.table)
        #expect(result.status == 65)
        #expect(try scan((300..<305).map { "\"\(Self.row($0))\"\n" }.joined() + Self.table).status == 65)
    }

    @Test func footersWithADateStayFooters() throws {
        for footer in [
            "Source: CAD; data as of 03/31/2025; preliminary\n", "Prepared by the county; page 3\n",
            "As of 2025-04-01 all times are local, some are preliminary\n",
        ] {
            let result = try scan(Self.table + footer)
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(result.stderrText.contains("rejected 0"), "\(result.stderrText)")
        }
    }

    @Test(arguments: [
        "trip_id,trip_type,region,unit_notified_at,on_scene_at,charge",
        "Trip ID,Type,Region,On Scene,Unit Notified,Cost",
        "Ride,Kind,Zone,Arrived,Dispatched,Billed",
        "Vehicle,Kind,Base,Out,In,Fuel",
    ])
    func aSecondHeaderWithOtherColumnsFailsTheFile(header: String) throws {
        let result = try scan(Self.table + header + "\n" + (300..<305).map(Self.row).joined(separator: "\n"))
        #expect(result.status == 65)
        #expect(result.stderrText.contains("is a header with other columns than the first"), "\(result.stderrText)")
    }

    @Test func titlesAndUnitsThatComeAgainAreSkipped() throws {
        let top = "Trips of March\n" + Self.names + "\n(text),(text),(text),(local),(local),($)\n"
        let half = Self.rows.prefix(150).joined(separator: "\n") + "\n"
        let result = try scan(top + half + top + Self.rows.suffix(150).joined(separator: "\n") + "\n")
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(result.stderrText.contains("skipped 5 + rejected 0"), "\(result.stderrText)")
    }

    /// The note on regions is about trips only.
    @Test func theHeaderAgainIsInNoListNote() throws {
        let result = try scan(Self.table + Self.names + "\n" + (300..<305).map(Self.row).joined(separator: "\n"))
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(!result.stderrText.contains("is in no list"), "\(result.stderrText)")
    }

    @Test(arguments: ["Average", "AVG", "Mean", "Max", "Min:", "Count", "Sum", "TTL", "Overall"])
    func rowsOfMeansAndSumsAreNoTrips(word: String) throws {
        let result = try scan(Self.table + "\(word),,,2025-03-31,,100.00\n")
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(result.stderrText.contains("added 300"), "\(result.stderrText)")
        #expect(result.stderrText.contains("1 row is a total and is skipped"), "\(result.stderrText)")
    }
}
