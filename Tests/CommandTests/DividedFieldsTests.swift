import Foundation
import TestSupport
import Testing

/// How fields are divided, where the usual ways do not say it: the export is read, or the message says what to do.
@Suite struct DividedFieldsTests {
    private let fixture: CommandFixture
    private static let names = "trip_id,trip_type,region,unit_notified_at,on_scene_at,cost"
    private static let rows = (0..<60).map {
        "T\($0),Emergency,North,2025-03-\($0 % 20 + 10) 08:00:00,2025-03-\($0 % 20 + 10) 08:09:00,100.00"
    }

    init() throws {
        fixture = try CommandFixture()
    }

    private func run(_ text: String, _ arguments: [String]) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "export.csv")
            return try fixture.run(arguments, in: folder.url)
        }
    }

    private func scan(_ text: String) throws -> CommandResult {
        try run(text, ["scan", "export.csv", "--audience", "staff", "--format", "json"])
    }

    private func suggest(_ text: String) throws -> CommandResult { try run(text, ["map", "suggest", "export.csv"]) }

    private func lines(_ delimiter: String) -> String {
        ([Self.names] + Self.rows).map { $0.replacing(",", with: delimiter) + "\n" }.joined()
    }

    @Test(arguments: ["^", "~"])
    func rareDelimitersAreRead(delimiter: String) throws {
        for head in ["", "sep=\(delimiter)\n"] {
            let result = try scan(head + lines(delimiter))
            #expect(result.stderrText.contains("added 60"), "\(result.stderrText)")
        }
    }

    @Test func aLineThatStatesADelimiterOfNoRowIsPassedOver() throws {
        #expect(try scan("sep=,\n" + lines(";")).stderrText.contains("added 60"))
    }

    @Test func rowsThatAreOneFieldAreNamed() throws {
        let quoted = ([Self.names] + Self.rows).map { "\"\($0)\"\n" }.joined()
        for result in try [scan(quoted), suggest(quoted)] {
            #expect(result.status == 65)
            #expect(result.stderrText.contains("each row is in quotes as a whole"), "\(result.stderrText)")
        }
        let separated = lines(",").replacing("\n", with: "\u{2028}")
        for result in try [scan(separated), suggest(separated)] {
            #expect(result.status == 65)
            #expect(result.stderrText.contains("U+2028"), "\(result.stderrText)")
        }
        #expect(try scan(lines("#")).stderrText.contains("its first row is one field"))
    }

    @Test func blanksBeforeQuotesAreNamed() throws {
        let rows = Self.rows.map { "\"" + $0.replacing(",", with: "\", \"") + "\", \"a, b\"" }
        let result = try suggest(([Self.names.replacing(",", with: ", ") + ", notes"] + rows).joined(separator: "\n"))
        #expect(result.status == 65)
        #expect(result.stderrText.contains("blanks before quotes"), "\(result.stderrText)")
        #expect(!result.stderrText.contains("JSON"), "\(result.stderrText)")
    }

    @Test func columnsOfOneNameAreMarked() throws {
        let rows = Self.rows.map { $0 + ",5.00" }
        let result = try suggest(([Self.names + ",cost"] + rows).joined(separator: "\n"))
        let text = String(decoding: result.stdout, as: UTF8.self)
        #expect(text.contains("# ? columns 6, 7 have one name and may all be cost"), "\(text)")
    }

    /// A header in the middle, with its columns in another order, does not make the first one a record.
    @Test func mapSuggestReadsTheFirstOfTwoHeaders() throws {
        let other = "trip_id,trip_type,region,on_scene_at,unit_notified_at,cost"
        let rows = Self.rows.prefix(30) + [other] + Self.rows.suffix(30)
        let result = try suggest(([Self.names] + rows).joined(separator: "\n"))
        #expect(result.status == 0, "\(result.stderrText)")
    }
}
