import Foundation
import TestSupport
import Testing

/// The same sixty trips in every arrangement of JSON, in archives, and without ids.
@Suite struct ExportShapesTests {
    private let fixture: CommandFixture
    private static let fields = [
        "trip_id", "trip_type", "region", "unit_notified_at", "on_scene_at", "cost", "comments",
    ]
    /// With characters that would confuse a reader that counts brackets.
    private static let trips: [[String]] = (0..<60).map {
        let day = "2025-03-\($0 % 20 + 10)"
        return ["T\($0)", "Emergency", "North", day + " 08:00:00", day + " 08:09:00", "100.00", #"a \"b\" }],{[ \\"#]
    }

    init() throws {
        fixture = try CommandFixture()
    }

    private static func object(_ trip: [String], without: Int = 0, separator: String = ",") -> String {
        let members = zip(fields, trip).dropFirst(without).map { "\"\($0)\": \"\($1)\"" }
        return "{" + members.joined(separator: separator) + "}"
    }

    private static let objects = trips.map { object($0) }

    private static let shapes: [String: String] = [
        "array": "[" + objects.joined(separator: ",\n") + "]",
        "lines": objects.joined(separator: "\n") + "\n",
        "concatenated": objects.joined(),
        "pretty": trips.map { object($0, separator: ",\r\n  ") }.joined(separator: "\n"),
        "separated by commas": objects.joined(separator: ",\n"),
        "separated by RFC 7464": objects.map { "\u{1E}" + $0 + "\n" }.joined(),
        "below keys": #"{"meta":{"count":60,"x":[1,2]},"result":{"a":{"rides":["# + objects.joined(separator: ",")
            + "]}}}",
        "OData": ##"{"@odata.context":"#","@odata.count":60,"value":["## + objects.joined(separator: ",") + "]}",
        "GeoJSON": #"{"type":"FeatureCollection","features":["#
            + objects.map { #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":\#($0)}"# }
            .joined(separator: ",") + "]}",
        "by id": "{" + trips.map { "\"\($0[0])\":" + object($0) }.joined(separator: ",") + "}",
        "by id, which is nowhere else": #"{"trips":{"#
            + trips.map { "\"\($0[0])\": " + object($0, without: 1) }.joined(separator: ",") + "}}",
        "split": #"{"columns":["# + fields.map { "\"\($0)\"" }.joined(separator: ",") + #"],"index":[1,2],"data":["#
            + rows.joined(separator: ",") + "]}",
        "rows below a header": "[[" + fields.map { "\"\($0)\"" }.joined(separator: ",") + "],"
            + rows.joined(separator: ",") + "]",
        "columns": "{"
            + fields.indices.map { field in
                "\"\(fields[field])\": [" + trips.map { "\"\($0[field])\"" }.joined(separator: ", ") + "]"
            }.joined(separator: ",") + "}",
        "a comma too many": "[" + objects.map { $0.dropLast() + ",}" }.joined(separator: ",") + ",]",
    ]

    private static let rows = trips.map { trip in "[" + trip.map { "\"\($0)\"" }.joined(separator: ",") + "]" }

    private func scan(
        _ bytes: [UInt8], name: String = "export.json", profile: String? = nil, _ more: [String] = []
    ) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(bytes, to: name)
            var options: [String] = more
            if let profile {
                try folder.write(profile, to: "own.yaml")
                options += ["--profile", "./own.yaml"]
            }
            return try fixture.run(
                ["scan", name, "--audience", "staff", "--format", "json"] + options, in: folder.url)
        }
    }

    private func figures(_ result: CommandResult) throws -> [Double] {
        let summary = try JSONSerialization.jsonObject(with: Data(result.stdout)) as? [String: Any]
        let cells = summary?["cells"] as? [[String: Any]] ?? []
        let all = cells.first {
            $0["month"] as? String == "All" && $0["region"] as? String == "All" && $0["tripType"] as? String == "All"
        }
        let response = all?["response"] as? [String: Any]
        return [all?["trips"], all?["totalCost"], response?["used"], response?["p90"]].map {
            ($0 as? NSNumber)?.doubleValue ?? -1
        }
    }

    @Test(arguments: shapes.keys.sorted()) func everyArrangementHasTheSameTrips(shape: String) throws {
        let text = Self.shapes[shape] ?? ""
        for blockBytes in [64, 1 << 18] {
            let result = try scan(Array(text.utf8), ["--block-bytes", "\(blockBytes)"])
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(try figures(result) == [60, 6000, 60, 540], "\(result.stderrText)")
            #expect(
                result.stderrText.contains("nothing after") == (shape == "a comma too many"), "\(result.stderrText)")
        }
        // What `map suggest` writes reads it too.
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "export.json")
            let suggested = try fixture.run(["map", "suggest", "export.json", "--write", "own.yaml"], in: folder.url)
            #expect(suggested.status == 0, "\(suggested.stderrText)")
            let result = try fixture.run(
                ["scan", "export.json", "--profile", "./own.yaml", "--audience", "staff", "--format", "json"],
                in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            #expect(try figures(result) == [60, 6000, 60, 540], "\(result.stderrText)")
        }
    }

    @Test(arguments: ["pretty", "by id", "split", "columns", "below keys"]) func aDocumentThatIsCutOffIsAnError(
        shape: String
    )
        throws
    {
        let text = Array((Self.shapes[shape] ?? "").utf8)
        for cut in [text.count / 2, text.count - 3] {
            let result = try scan(Array(text[..<cut]))
            #expect(result.status == 65 && result.stdout.isEmpty, "\(cut): \(result.stderrText)")
        }
    }

    @Test func severalListsOfRecordsAreNotGuessedAmong() throws {
        let half = Self.objects.prefix(30).joined(separator: ","), rest = Self.objects.suffix(30).joined(separator: ",")
        let text = Array(#"{"january":[\#(half)],"february":[\#(rest)]}"#.utf8)
        let plain = try scan(text)
        #expect(plain.status == 65 && plain.stderrText.contains("records_path"), "\(plain.stderrText)")
        let profile = """
            source: own
            records_path: february
            columns: {trip_id: trip_id, unit_notified_at: unit_notified_at, on_scene_at: on_scene_at, cost: cost}
            """
        let result = try scan(text, profile: profile)
        #expect(try figures(result) == [30, 3000, 30, 540], "\(result.stderrText)")
        #expect(result.stderrText.contains("1 other list in the document was not read"), "\(result.stderrText)")
        // A list of other things is none of them.
        let other = try scan(Array(#"{"errors":[{"code":1}],"trips":[\#(half),\#(rest)]}"#.utf8))
        #expect(try figures(other)[0] == 60, "\(other.stderrText)")
    }

    @Test func unitsWithinIncidentsAreRecordsOfTheirOwn() throws {
        let incidents = (0..<30).map { incident in
            let units = [0, 1].map { #"{"unit":"M\#($0)","out":"2025-03-10 08:00:00","there":"2025-03-10 08:09:00"}"# }
            return #"{"id":"I\#(incident)","cost":"100.00","units":[\#(units.joined(separator: ", "))],"last":1}"#
        }
        let profile = """
            source: own
            records_path: incidents[].units[]
            columns: {trip_id: id, leg_id: units.unit, unit_notified_at: units.out, on_scene_at: units.there, cost: cost}
            """
        let text = #"{"incidents":[\#(incidents.joined(separator: ",\n"))]}"#
        // The cost is the incident's: it counts once.
        let result = try scan(Array(text.utf8), profile: profile)
        #expect(try figures(result) == [60, 3000, 60, 540], "\(result.stderrText)")
        #expect(result.stderrText.contains("cost of a parent with several records: counted once"))
        let compact = text.replacing("incidents", with: "data").replacing("\n", with: " ")
        let other = try scan(Array(compact.utf8), profile: profile.replacing("incidents", with: "data"))
        #expect(try figures(other) == [60, 3000, 60, 540], "\(other.stderrText)")
        // An amount of each unit is added up.
        let own = try scan(
            Array(text.replacing(#""out""#, with: #""paid": 50, "out""#).utf8),
            profile: profile.replacing("cost: cost", with: "cost: units.paid"))
        #expect(try figures(own) == [60, 3000, 60, 540], "\(own.stderrText)")
        #expect(!own.stderrText.contains("counted once"))
        // A filter may leave out the unit that has the cost.
        let filtered = try scan(
            Array(text.utf8), profile: profile + "\nfilter: {equals: {units.unit: M1}}\n")
        #expect(filtered.status != 0 && filtered.stderrText.contains("units.unit"), "\(filtered.stderrText)")
        // The outer records are an array at the top, or one a line.
        for outer in ["[\(incidents.joined(separator: ",\n"))]", incidents.joined(separator: "\n")] {
            let stated = profile.replacing("incidents[].units[]", with: "\"[].units[]\"")
            let result = try scan(Array(outer.utf8), profile: stated)
            #expect(try figures(result) == [60, 3000, 60, 540], "\(result.stderrText)")
        }
        // A field of the units that is named as if it were the incident's.
        let named = try scan(Array(text.utf8), profile: profile.replacing("units.out", with: "out"))
        #expect(named.status == 65 && named.stderrText.contains("units.out"), "\(named.stderrText)")
    }

    /// With the trip's own cost beside its charge lines, the lines do not add it up again.
    @Test func theCostOfATripWithInnerLinesCountsOnce() throws {
        let trips = (0..<30).map { trip in
            let lines = ["A0428", "A0425"].map { #"{"code":"\#($0)"}"# }
            return #"{"id":"T\#(trip)","day":"2025-03-10","cost":"100.00","lines":[\#(lines.joined(separator: ","))]}"#
        }
        let result = try scan(
            Array(#"{"trips":[\#(trips.joined(separator: ","))]}"#.utf8),
            profile: """
                source: own
                records: lines
                records_path: trips[].lines[]
                columns: {trip_id: id, service_date: day, hcpcs_code: lines.code, cost: cost}
                """)
        #expect(try figures(result)[..<2] == [30, 3000], "\(result.stderrText)")
    }

    @Test func notANumberIsNoValue() throws {
        let words = ["NaN", "Infinity", "-Infinity", "null"]
        let objects = Self.trips.enumerated().map { index, trip in
            let cost = index % 2 == 0 ? words[index / 2 % 4] : "100.00"
            return Self.object(trip).replacing("\"cost\": \"100.00\"", with: "\"cost\": \(cost), \"other\": [NaN, 1]")
        }
        for text in ["[" + objects.joined(separator: ",") + "]", objects.joined(separator: "\n")] {
            let result = try scan(Array(text.utf8))
            #expect(try figures(result)[..<2] == [60, 3000], "\(result.stderrText)")
            #expect(result.stderrText.contains("rejected 0"), "\(result.stderrText)")
        }
    }

    // MARK: - Archives

    private static let table =
        fields.joined(separator: ",") + "\n" + trips.map { $0.dropLast().joined(separator: ",") + ",ok\n" }.joined()

    @Test func membersOfAZipFileAreExportsOfTheirOwn() throws {
        let lines = Self.table.split(separator: "\n").map { $0 + "\n" }
        var zip = ZipBytes()
        zip.add("sub/", [], .stored)
        zip.add("sub/trips-1.csv", Array((lines[..<31]).joined().utf8))
        zip.add("trips-2.csv", Array((lines[..<1] + lines[31...]).joined().utf8), .stored)
        zip.add("README.txt", Array("hello".utf8))
        zip.add("picture.dat", [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0, count: 60))
        zip.add("__MACOSX/._trips-1.csv", [0, 5, 22, 7])
        let result = try scan(zip.bytes(), name: "trips.zip")
        #expect(try figures(result) == [60, 6000, 60, 540], "\(result.stderrText)")
        #expect(
            result.stderrText.contains("trips.zip/xxxxxx.txt") && result.stderrText.contains("a picture (JPEG)"),
            "\(result.stderrText)")
        #expect(!result.stderrText.contains("xxx/"))
        // One of them by its name.
        try TemporaryFolder.with { folder in
            try folder.write(zip.bytes(), to: "trips.zip")
            let one = try fixture.run(
                ["scan", "trips.zip/sub/trips-1.csv", "--audience", "staff", "--format", "json"], in: folder.url)
            #expect(try figures(one) == [30, 3000, 30, 540], "\(one.stderrText)")
        }
    }

    /// The ledger knows a member by its own bytes: in another archive it is the same export.
    @Test func theStoreKnowsMembersByTheirContent() throws {
        var first = ZipBytes(), second = ZipBytes()
        first.add("trips.csv", Array(Self.table.utf8), .deflated)
        second.add("other.csv", Array(Self.table.utf8), .stored)
        try TemporaryFolder.with { folder in
            try folder.write(first.bytes(), to: "a.zip")
            try folder.write(second.bytes(), to: "b.zip")
            try folder.write(Self.table, to: "trips.csv")
            _ = try fixture.run(["key", "new"], in: folder.url)
            let loaded = try fixture.run(["load", "a.zip", "b.zip", "trips.csv"], in: folder.url)
            #expect(loaded.status == 0 && loaded.stderrText.contains("60 added"), "\(loaded.stderrText)")
            let known = loaded.stderrText.components(separatedBy: "is known").count - 1
            #expect(known == 2 || !loaded.stderrText.contains("120"), "\(loaded.stderrText)")
        }
    }

    @Test func aDamagedOrEncryptedMemberIsAnError() throws {
        var zip = ZipBytes()
        zip.add("trips.csv", Array(Self.table.utf8), .deflated, flags: 1)
        let result = try scan(zip.bytes(), name: "trips.zip")
        #expect(result.status == 65 && result.stderrText.contains("encrypted"), "\(result.stderrText)")
        let cut = try scan(Array(zip.bytes().dropLast(40)), name: "trips.zip")
        #expect(cut.status == 65 && cut.stderrText.contains("no whole zip file"), "\(cut.stderrText)")
    }

    // MARK: - No ids

    private static let withoutIDs =
        "region,service_date,cost\n" + (0..<60).map { "North,2025-03-\($0 % 3 + 10),100.00\n" }.joined()

    @Test func withoutIDsEachRecordIsATrip() throws {
        let result = try scan(Array((Self.withoutIDs + "Total,,6000.00\n").utf8), name: "export.csv")
        #expect(try figures(result)[..<2] == [60, 6000], "\(result.stderrText)")
        #expect(result.stderrText.contains("each record is a trip (trip_id: none)"), "\(result.stderrText)")
        // A total with a date of its own.
        let dated = try scan(Array((Self.withoutIDs + "Total,2025-03-31,6000.00\n").utf8), name: "export.csv")
        #expect(try figures(dated)[..<2] == [60, 6000], "\(dated.stderrText)")
        // A column that may be an id is not passed over.
        let numbered = Self.withoutIDs.split(separator: "\n").enumerated().map {
            $0 == 0 ? "ticket,\($1)" : "X\($0),\($1)"
        }
        let doubt = try scan(Array(numbered.joined(separator: "\n").utf8), name: "export.csv")
        #expect(doubt.status == 65 && doubt.stderrText.contains("trip_id"), "\(doubt.stderrText)")
    }

    @Test func theStoreTakesThemOnceAndOnlyIfAProfileSaysSo() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.withoutIDs, to: "export.csv")
            try folder.write(Self.withoutIDs + "North,2025-03-12,50.00\n", to: "later.csv")
            try folder.write(
                "source: own\ncolumns: {trip_id: none, region: region, service_date: service_date, cost: cost}\n",
                to: "own.yaml")
            _ = try fixture.run(["key", "new"], in: folder.url)
            let plain = try fixture.run(["load", "export.csv"], in: folder.url)
            #expect(plain.status == 65 && plain.stderrText.contains("trip_id: none"), "\(plain.stderrText)")
            let loaded = try fixture.run(
                ["load", "export.csv", "later.csv", "--profile", "./own.yaml"], in: folder.url)
            #expect(loaded.status == 0 && loaded.stderrText.contains("60 added"), "\(loaded.stderrText)")
            #expect(
                loaded.stderrText.contains("1 added") && loaded.stderrText.contains("60 unchanged"),
                "\(loaded.stderrText)")
        }
    }
}
