import Foundation
import TestSupport
import Testing

/// What is around the records of JSON: pages, other lists, lists where a record should be, paths that lead nowhere.
@Suite struct JSONDocumentTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static func records(_ range: Range<Int>) -> [String] {
        range.map { record in
            #"{"trip_id": "T\#(record)", "unit_notified_at": "2025-03-10 08:00:00", "region": "North", "#
                + #""on_scene_at": "2025-03-10 08:09:00", "cost": "100.00"}"#
        }
    }

    private static func list(_ range: Range<Int>) -> String { "[" + records(range).joined(separator: ", ") + "]" }

    private static let profile = """
        source: own
        columns: {trip_id: trip_id, unit_notified_at: unit_notified_at, on_scene_at: on_scene_at, region: region, cost: cost}

        """

    private func scan(_ text: String, profile: String? = nil) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "export.json")
            var options: [String] = []
            if let profile {
                try folder.write(profile, to: "own.yaml")
                options += ["--profile", "./own.yaml"]
            }
            return try fixture.run(
                ["scan", "export.json", "--audience", "staff", "--format", "csv"] + options, in: folder.url)
        }
    }

    private func expect(_ trips: Int, _ result: CommandResult) {
        #expect(result.status == 0 && result.stderrText.contains("added \(trips) +"), "\(result.stderrText)")
    }

    // MARK: - Pages

    @Test(arguments: [
        ##""@odata.nextLink": "https://example.org/?$skip=60""##, #""has_more": true, "page": 1"#, #""done": false"#,
        #""total": 6000, "page": 1, "per_page": 60"#, ##""@odata.count": 61"##, #""meta": {"next_cursor": "abc"}"#,
        #""links": [{"rel": "self", "href": "a"}, {"rel": "next", "href": "b"}]"#, #""page": 1, "total_pages": 2"#,
    ])
    func aPageIsNotTakenForTheWhole(sign: String) throws {
        // Before the records, after them, and of one that is read as rows.
        let names = #"["trip_id","unit_notified_at","region","cost"]"#
        let rows = (0..<60).map { #"["T\#($0)","2025-03-10 08:00:00","North","1.00"]"# }.joined(separator: ",")
        let documents = [
            "{\(sign), \"data\": \(Self.list(0..<60))}", "{\"data\": \(Self.list(0..<60)), \(sign)}",
            "{\"columns\": \(names), \"data\": [\(rows)], \(sign)}",
        ]
        for text in documents {
            let result = try scan(text)
            #expect(result.status == 65 && result.stderrText.contains("one page of several"), "\(result.stderrText)")
        }
        let accepted = try scan(documents[1], profile: Self.profile + "pages: true\n")
        expect(60, accepted)
        #expect(accepted.stderrText.contains("one page of several"), "\(accepted.stderrText)")
    }

    @Test(arguments: [
        #""@odata.nextLink": null"#, #""has_more": false, "total": 60"#, #""done": true, "totalSize": 60"#,
        #""total": 6000"#, #""next": "", "page": 2, "pages": 2"#, #""links": [{"rel": "self"}]"#, #""count": 600"#,
        #""last": true, "totalElements": 60"#,
    ])
    func theLastPageAndOtherTotalsAreNoSign(sign: String) throws {
        expect(60, try scan("{\"data\": \(Self.list(0..<60)), \(sign)}"))
    }

    // MARK: - Other lists

    /// Within the first bytes or beyond them.
    @Test(arguments: [30, 3000]) func aSecondListOfTripsEndsTheExport(count: Int) throws {
        let first = Self.list(0..<count), second = Self.list(count..<2 * count)
        for text in [
            "{\"jan\": \(first), \"feb\": \(second)}", "{\"a\": {\"trips\": \(first)}, \"b\": {\"trips\": \(second)}}",
        ] {
            let result = try scan(text)
            #expect(result.status == 65 && result.stderrText.contains("records_path"), "\(result.stderrText)")
        }
        let stated = try scan("{\"jan\": \(first), \"feb\": \(second)}", profile: Self.profile + "records_path: jan\n")
        expect(count, stated)
        #expect(stated.stderrText.contains("1 other list"), "\(stated.stderrText)")
        let others = #"[{"code": 1, "text": "a"}]"#
        expect(
            count, try scan("{\"trips\": \(first), \"errors\": \(others), \"x\": {\"y\": [1, [2, {\"z\": \"]\"}]]}}"))
    }

    // MARK: - Lists in the place of a record

    @Test func recordsWithinARejectedOneAreCounted() throws {
        let lines = Self.records(0..<100).joined(separator: "\n") + "\n"
        let array = "[" + Self.records(0..<100).joined(separator: ",") + ","
        let texts = [
            lines + Self.list(100..<110), lines + "{\"records\": \(Self.list(100..<110))}",
            array + Self.list(100..<110) + "]",
        ]
        for text in texts {
            let result = try scan(text)
            #expect(
                result.status == 65 && result.stderrText.contains("10 of 110 records are rejected"),
                "\(result.stderrText)")
            #expect(result.stderrText.contains("10 of them lie in lists"), "\(result.stderrText)")
            let allowed = try scan(text, profile: Self.profile + "max_reject: 20%\n")
            #expect(allowed.status == 0 && allowed.stderrText.contains("rejected 10"), "\(allowed.stderrText)")
        }
    }

    // MARK: - Paths

    @Test func aPathThatLeadsNowhereIsNoEmptyExport() throws {
        for text in [Self.list(0..<60), "{\"data\": \(Self.list(0..<60))}", "{\"data\": {\"trips\": 1}}"] {
            let result = try scan(text, profile: Self.profile + "records_path: trips\n")
            #expect(result.status == 65 && result.stderrText.contains("records_path"), "\(result.stderrText)")
        }
        let empty = try scan("{\"trips\": [], \"x\": 1}", profile: Self.profile + "records_path: trips\n")
        #expect(empty.status == 0 && empty.stderrText.contains("holds no records"), "\(empty.stderrText)")
    }

    @Test func documentsOneAfterAnotherAreReadAsOne() throws {
        for separator in ["\n", "", "\n\n  "] {
            let text = [0..<20, 20..<50, 50..<60].map { "{\"data\": \(Self.list($0)), \"n\": 1}" }.joined(
                separator: separator)
            expect(60, try scan(text))
            expect(60, try scan(text + "\n", profile: Self.profile + "records_path: data\n"))
        }
        // A record that holds a list is a record.
        let trips = Self.records(0..<60).map { $0.dropLast() + #", "legs": [{"trip_id": "L", "cost": 1}]}"# }
        expect(60, try scan(trips.joined(separator: "\n")))
    }

    @Test func anObjectForEachColumnSaysHowToExportIt() throws {
        let columns = ["trip_id", "unit_notified_at", "cost"].map { name in
            "\"\(name)\": {" + (0..<60).map { "\"\($0)\": \"x\($0)\"" }.joined(separator: ", ") + "}"
        }
        let result = try scan("{" + columns.joined(separator: ", ") + "}")
        #expect(result.status == 65 && result.stderrText.contains("orient='records'"), "\(result.stderrText)")
    }
}
