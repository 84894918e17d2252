import Foundation
import TestSupport
import Testing

/// What people leave around a table, and how the table itself is written: the trips are those that a person would count.
@Suite struct RowsAroundTableTests {
    private let fixture: CommandFixture
    private static let names = "trip_id,trip_type,region,unit_notified_at,on_scene_at,cost"
    private static let rows = (0..<60).map {
        "T\($0),Emergency,North,2025-03-\($0 % 20 + 10) 08:00:00,2025-03-\($0 % 20 + 10) 08:09:00,100.00\n"
    }

    init() throws {
        fixture = try CommandFixture()
    }

    private func scan(_ export: String, profile: String? = nil) throws -> CommandResult {
        try scan(Array(export.utf8), profile: profile)
    }

    private func scan(_ export: [UInt8], profile: String? = nil) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(export, to: "export.csv")
            var options: [String] = []
            if let profile {
                try folder.write(profile, to: "own.yaml")
                options = ["--profile", "./own.yaml"]
            }
            return try fixture.run(
                ["scan", "export.csv", "--audience", "staff", "--format", "json"] + options, in: folder.url)
        }
    }

    private func figures(_ result: CommandResult) throws -> [Double] {
        let summary = try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any]
        let cells = summary?["cells"] as? [[String: Any]] ?? []
        let all = cells.first {
            $0["month"] as? String == "All" && $0["region"] as? String == "All" && $0["tripType"] as? String == "All"
        }
        let response = all?["response"] as? [String: Any]
        let quality = summary?["quality"] as? [String: Any]
        return [all?["trips"], all?["totalCost"], response?["used"], quality?["skipped"], quality?["rejected"]].map {
            ($0 as? NSNumber)?.doubleValue ?? -1
        }
    }

    private func expectTrips(
        _ export: String, skipped: Int, _ message: String? = nil, profile: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let result = try scan(export, profile: profile)
        #expect(result.status == 0, "\(result.stderrText)", sourceLocation: location)
        guard result.status == 0 else { return }
        #expect(
            try figures(result) == [60, 6000, 60, Double(skipped), 0], "\(result.stderrText)", sourceLocation: location)
        #expect(
            result.stderrText.contains("read \(60 + skipped) = added 60"), "\(result.stderrText)",
            sourceLocation: location)
        if let message {
            #expect(result.stderrText.contains(message), "\(result.stderrText)", sourceLocation: location)
        }
    }

    private var table: String { Self.names + "\n" + Self.rows.joined() }

    @Test func titlesAboveTheHeaderAreSkippedAndNamed() throws {
        try expectTrips(
            "Trips of March\n\nPrinted,2025-04-01\n" + table, skipped: 2, "2 lines are titles above the header")
        try expectTrips("Trip,,,Times,,Billing\n" + table, skipped: 1, "1 row is of group titles")
        try expectTrips(
            Self.names + "\n(text),(text),(text),(local),(local),($)\n" + Self.rows.joined(), skipped: 1,
            "1 row is of units below the header")
    }

    @Test func whatIsBelowTheTableIsSkippedAndNamed() throws {
        try expectTrips(table + "\nGrand Total: 60\nPage 1 of 1\n", skipped: 2, "1 row is a total and is skipped")
        try expectTrips(table + "(60 rows affected)\n", skipped: 1, "1 line is of a page or a count")
        try expectTrips(table + "Total,,,,,6000.00\n", skipped: 1, "1 row is a total")
        try expectTrips(table + ",,Subtotal,,,6000.00\n", skipped: 1, "1 row is a total")
        try expectTrips(table + "Source: the dispatch system of the county\n", skipped: 1, "1 line is a footer")
        try expectTrips(table + ",,,,,\n,,,,,\n", skipped: 2, "2 rows are blank")
        try expectTrips(
            table + "\nSummary\nregion,trips,cost\nNorth,60,6000\nSouth,0,0\n", skipped: 4,
            "3 rows are of a second table below")
    }

    @Test(arguments: [
        "Export limited to the first 60 rows of 912", "612 more rows not shown", "-- output truncated --",
        "ORA-01555: snapshot too old", "Fatal error: Maximum execution time of 30 seconds exceeded in /srv/export.php",
    ]) func aLineThatSaysThatRowsAreMissingIsAnError(line: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(table + line + "\n", to: "export.csv")
            let result = try fixture.run(["scan", "export.csv", "--internal"], in: folder.url)
            #expect(
                result.status == 65 && result.stderrText.contains("says that rows are missing"), "\(result.stderrText)")
        }
    }

    /// A line that has no place among the records is rejected, as is a record without a date: in doubt nothing is skipped.
    @Test func whatMayBeATripIsRejected() throws {
        let many = (0..<400).map { "X\($0),Emergency,North,2025-03-10 08:00:00,2025-03-10 08:09:00,100.00\n" }.joined()
        for odd in [
            "T99,Emergency,North,,,100.00\n", "T98,Emergency,North,2025-03-10 08:00:00\n", "rest of a note,ok\n",
        ] {
            for export in [table + many + odd, table + odd + many]
            where export.hasSuffix(many) || !odd.hasPrefix("rest") {
                let result = try scan(export)
                let found = try figures(result)
                #expect(found[0] == 460 && found[3] == 0 && found[4] == 1, "\(odd): \(result.stderrText)")
            }
        }
        // One cut in two at the end of the file.
        let cut = try scan(table + many + "T97,Emergency,North,2025-03-10 08:00:00,a note\nof two lines,1.00\n")
        #expect(try figures(cut)[3...] == [0, 2])
    }

    @Test func theHeaderAgainIsSkippedAndOtherColumnsEndTheExport() throws {
        let half = Self.rows.prefix(30).joined(), rest = Self.rows.suffix(30).joined()
        try expectTrips(
            Self.names + "\n" + half + "\u{FEFF}" + Self.names + "\n" + rest, skipped: 1, "1 row is the header again")
        for names in [
            "trip_id,trip_type,region,on_scene_at,unit_notified_at,cost",
            "trip_id,trip_type,region,unit_notified_at,on_scene_at,cost,patient_id",
        ] {
            let result = try scan(Self.names + "\n" + half + names + "\n" + rest)
            #expect(result.status == 65 && result.stderrText.contains("files were joined"), "\(result.stderrText)")
        }
    }

    // MARK: - Dialects

    @Test func theDelimiterIsThatOfTheRecords() throws {
        let semicolons = table.replacing(",", with: ";")
        try expectTrips("sep=;\n" + semicolons, skipped: 0)
        try expectTrips("\"sep=;\"\r\n" + semicolons, skipped: 0)
        // Titles with commas, and a decimal comma in each row.
        try expectTrips(
            "Trips, of March, 2025\n" + semicolons.replacing("100.00", with: "100,00"), skipped: 1,
            profile: """
                source: own
                decimal: comma
                columns: {trip_id: trip_id, trip_type: trip_type, region: region, unit_notified_at: unit_notified_at,
                  on_scene_at: on_scene_at, cost: cost}
                """)
        try expectTrips(table.replacing(",", with: "\t"), skipped: 0)
        try expectTrips(table.replacing(",", with: "|").replacing("\n", with: "\r"), skipped: 0)
    }

    @Test func quotesWithBackslashesAreRead() throws {
        let notes = ["\"said \\\"go\\\", left\"", "\"a\\\\\"", "plain\\", "\"\\\"quoted\\\"\""]
        let rows = Self.rows.enumerated().map { String($1.dropLast()) + "," + notes[$0 % notes.count] + "\n" }
        try expectTrips(Self.names + ",comments\n" + rows.joined(), skipped: 0)
    }

    @Test func rowsWithoutTheirLastEmptyFieldsAreRead() throws {
        let rows = Self.rows.enumerated().map { $0 % 4 == 0 ? $1 : String($1.dropLast()) + ",,ok\n" }
        try expectTrips(Self.names + ",code,comments\n" + rows.joined(), skipped: 0)
    }

    @Test func wideTextWithoutAMarkIsRead() throws {
        for isBig in [false, true] {
            let bytes = table.utf16.flatMap { unit in
                isBig ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            }
            let result = try scan(bytes)
            #expect(try result.status == 0 && figures(result)[..<2] == [60, 6000], "\(result.stderrText)")
        }
    }

    // MARK: - Names

    private static let byNumber = """
        source: own
        header: false
        columns: {trip_id: "#1", trip_type: "#2", region: "#3", unit_notified_at: "#4", on_scene_at: "#5", cost: "#6"}
        """

    @Test func aFileWithoutAHeaderIsReadByNumbers() throws {
        let plain = try scan(Self.rows.joined())
        #expect(plain.status == 65 && plain.stderrText.contains("--no-header"), "\(plain.stderrText)")
        try expectTrips(Self.rows.joined(), skipped: 0, profile: Self.byNumber)
        try TemporaryFolder.with { folder in
            try folder.write(Self.rows.joined(), to: "export.csv")
            let suggested = try fixture.run(["map", "suggest", "--no-header", "export.csv"], in: folder.url)
            #expect(suggested.stdoutText.contains("header: false") && suggested.stdoutText.contains("column 4 (#4)"))
        }
    }

    @Test func columnsOfOneNameAreNamedByTheirNumbers() throws {
        let export = "trip_id,trip_type,region,time,time,cost\n" + Self.rows.joined()
        let plain = try scan(export)
        #expect(
            plain.status == 65 && plain.stderrText.contains("columns 4, 5 have one name")
                && plain.stderrText.contains("\"#4\""), "\(plain.stderrText)")
        let byNumber = Self.byNumber.replacing("header: false\n", with: "")
        try expectTrips(export, skipped: 0, profile: byNumber)
        let byName = try scan(export, profile: byNumber.replacing("\"#5\"", with: "time"))
        #expect(
            byName.status == 65 && byName.stderrText.contains("columns 4, 5 have the one name"), "\(byName.stderrText)")
    }

    @Test(arguments: [("%PDF-1.7\n", "a PDF"), ("<!DOCTYPE html><html>", "an HTML page")])
    func aKindThatIsNotReadIsNamed(text: String, kind: String) throws {
        let result = try scan(text)
        #expect(result.status == 65 && result.stderrText.contains(kind), "\(result.stderrText)")
    }
}
