import Foundation
import TestSupport
import Testing

/// Records that a reader could leave out or count twice without a word: beside the table, on another sheet, in another member,
/// in a list within a record.
@Suite struct HiddenRecordsTests {
    private let fixture: CommandFixture

    init() throws { fixture = try CommandFixture() }

    private func scan(_ bytes: [UInt8], _ name: String, profile: String? = nil) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(bytes, to: name)
            if let profile { try folder.write(profile, to: "own.yaml") }
            return try fixture.run(
                ["scan", name, "--audience", "staff", "--format", "csv"]
                    + (profile == nil ? [] : ["--profile", "./own.yaml"]), in: folder.url)
        }
    }

    private func scan(_ text: String, _ name: String, profile: String? = nil) throws -> CommandResult {
        try scan(Array(text.utf8), name, profile: profile)
    }

    // MARK: - Tables

    private static func row(_ number: Int) -> String {
        "T\(number),2025-03-\(number % 19 + 10),North,\(100 + number).00"
    }

    @Test(arguments: [
        ("trip_id,service_date,region,cost,,trip_id,service_date,region,cost", ","),
        ("trip_id,service_date,region,cost,trip_id,service_date,region,cost", ""),
        ("trip_id,service_date,region,cost,,Trip_ID,Cost,Region,service_date", ","),
    ]) func tablesSideBySideAreRefused(header: String, gap: String) throws {
        let rows = (0..<40).map { Self.row($0) + "," + gap + Self.row($0 + 40) }
        let text = ([header] + rows).joined(separator: "\n") + "\n"
        let profile = """
            source: own
            columns: {trip_id: "#1", service_date: "#2", region: "#3", cost: "#4"}

            """
        for profile in [nil, profile] {
            let result = try scan(text, "trips.csv", profile: profile)
            #expect(result.status == 65 && result.stderrText.contains("side by side"), "\(result.stderrText)")
        }
    }

    /// Two columns of one name are no second table.
    @Test func aNameThatComesAgainIsNoSecondTable() throws {
        let rows = (0..<40).map { Self.row($0) + ",,x" }
        let text = (["trip_id,service_date,region,cost,,region"] + rows).joined(separator: "\n") + "\n"
        let result = try scan(
            text, "trips.csv",
            profile:
                "source: own\ncolumns: {trip_id: trip_id, service_date: service_date, region: \"#3\", cost: cost}\n")
        #expect(result.status == 0, "\(result.stderrText)")
    }

    // MARK: - Workbooks

    private static func cell(_ text: String) -> String { "<c t=\"inlineStr\"><is><t>\(text)</t></is></c>" }

    private static func sheet(_ range: Range<Int>, header: Bool = true, cost: (Int) -> String) -> String {
        let names = header ? ["trip_id", "service_date", "region", "cost"] : []
        return (names.isEmpty ? "" : "<row>\(names.map(cell).joined())</row>")
            + range.map { number in
                "<row>\(cell("T\(number)"))\(cell("2025-03-\(number % 19 + 10)"))\(cell("North"))\(cost(number))</row>"
            }.joined()
    }

    @Test(arguments: ["Cancelled", "deleted trips", "VOID"]) func aSheetOfCancelledTripsIsNotAddedUp(name: String)
        throws
    {
        let sheets = (0..<2).map { part in Self.sheet(part * 40..<part * 40 + 40) { "<c><v>\(100 + $0)</v></c>" } }
        let result = try scan(WorkbookBytes(("Trips", sheets[0]), (name, sheets[1])).bytes, "trips.xlsx")
        #expect(result.status == 65 && result.stderrText.contains("did not take place"), "\(result.stderrText)")
        var zip = ZipBytes()
        let header = "trip_id,service_date,region,cost\n"
        zip.add("trips.csv", Array((header + (0..<40).map { Self.row($0) + "\n" }.joined()).utf8))
        zip.add("\(name).csv", Array((header + (40..<60).map { Self.row($0) + "\n" }.joined()).utf8))
        let packed = try scan(zip.bytes(), "trips.zip")
        #expect(packed.status == 65 && packed.stderrText.contains("did not take place"), "\(packed.stderrText)")
    }

    /// What search engines and data bases say of an answer that is not whole.
    @Test(arguments: [
        #""total": {"value": 900, "relation": "eq"}, "hits": "#, #""total": "900", "page": 1, "items": "#,
        #""LastEvaluatedKey": {"id": "T39"}, "Items": "#, #""offset": "itrX7/rec4", "records": "#,
        #""timed_out": true, "hits": "#, #""partial": true, "rows": "#,
    ]) func aPartOfAnAnswerIsRefused(beginning: String) throws {
        let records = (0..<40).map {
            "{\"trip_id\": \"T\($0)\", \"service_date\": \"2025-03-\($0 % 19 + 10)\", \"cost\": 1\($0)}"
        }
        let result = try scan("{\(beginning)[\(records.joined(separator: ","))]}", "trips.json")
        #expect(result.status == 65 && result.stderrText.contains("one page of several"), "\(result.stderrText)")
    }

    @Test func aSheetThatContinuesAnotherWithoutAHeaderIsRefused() throws {
        let first = Self.sheet(0..<40) { "<c><v>\(100 + $0)</v></c>" }
        let second = Self.sheet(40..<60, header: false) { "<c><v>\(100 + $0)</v></c>" }
        let book = WorkbookBytes(("January", first), ("February", second))
        let result = try scan(book.bytes, "trips.xlsx")
        #expect(result.status == 65 && result.stderrText.contains("sheet 2 seems to continue"), "\(result.stderrText)")
        let stated = try scan(
            book.bytes, "trips.xlsx",
            profile: """
                source: own
                sheets: [1]
                columns: {trip_id: trip_id, service_date: service_date, region: region, cost: cost}

                """)
        #expect(stated.status == 0 && stated.stderrText.contains("added 40 +"), "\(stated.stderrText)")
    }

    /// A summary of a pivot table has names of the trips, and no id and no time.
    @Test func aSummaryBesideTheTripsIsLeftOut() throws {
        let trips = Self.sheet(0..<40) { "<c><v>\(100 + $0)</v></c>" }
        let summary =
            "<row>\(["region", "trips", "cost"].map(Self.cell).joined())</row><row>\(Self.cell("North"))<c><v>40</v></c><c><v>4780</v></c></row>"
        let result = try scan(WorkbookBytes(("Trips", trips), ("Pivot", summary)).bytes, "trips.xlsx")
        #expect(result.status == 0 && result.stderrText.contains("added 40 +"), "\(result.stderrText)")
        #expect(result.stderrText.contains("left out: sheet 2"), "\(result.stderrText)")
        let own = try scan(
            WorkbookBytes(("Trips", trips), ("Pivot", summary)).bytes, "trips.xlsx",
            profile:
                "source: own\ncolumns: {trip_id: trip_id, service_date: service_date, region: region, cost: cost}\n")
        #expect(own.status == 0 && own.stderrText.contains("added 40 +"), "\(own.stderrText)")
    }

    @Test(arguments: ["<c><f>A1*2</f></c>", "<c t=\"e\"><v>#REF!</v></c>", "<c t=\"e\"><f>A1/0</f><v>#DIV/0!</v></c>"])
    func costsThatHaveLostTheirValuesAreRefused(lost: String) throws {
        let few = Self.sheet(0..<40) { $0 == 7 ? lost : "<c><v>\(100 + $0)</v></c>" }
        let many = Self.sheet(0..<40) { $0 % 10 == 7 ? lost : "<c><v>\(100 + $0)</v></c>" }
        let said = try scan(WorkbookBytes(("Trips", few)).bytes, "trips.xlsx")
        #expect(said.status == 0 && said.stderrText.contains("no value"), "\(said.stderrText)")
        let refused = try scan(WorkbookBytes(("Trips", many)).bytes, "trips.xlsx")
        #expect(
            refused.status == 65 && refused.stderrText.contains("4 of cost, in 40 records"), "\(refused.stderrText)")
    }

    /// It says itself that there is no value.
    @Test func cellsWithoutAValueAreNoLostOnes() throws {
        let sheet = Self.sheet(0..<40) { $0 % 2 == 0 ? "<c t=\"e\"><v>#N/A</v></c>" : "<c><v>100</v></c>" }
        let result = try scan(WorkbookBytes(("Trips", sheet)).bytes, "trips.xlsx")
        #expect(result.status == 0 && result.stderrText.contains("added 40 +"), "\(result.stderrText)")
    }

    @Test func aWorkbookBesideExportsIsRefused() throws {
        let sheet = Self.sheet(0..<40) { "<c><v>\(100 + $0)</v></c>" }
        var zip = ZipBytes()
        zip.add("a.csv", Array(("trip_id,service_date,region,cost\n" + Self.row(90) + "\n").utf8))
        zip.add("b.xlsx", WorkbookBytes(("Trips", sheet)).bytes)
        let result = try scan(zip.bytes(), "trips.zip")
        #expect(result.status == 65 && result.stderrText.contains("take it out"), "\(result.stderrText)")
    }

    // MARK: - Copies

    /// Without ids, a copy in another order is known by what its records say.
    @Test(arguments: ["date,region,cost", "unit_notified_at,on_scene_at,region,cost"])
    func aMemberThatRepeatsAnotherInAnotherOrderIsRefused(header: String) throws {
        let isDate = header.hasPrefix("date")
        let rows = (0..<100).map { number in
            (isDate
                ? "2025-03-\(number % 19 + 10)"
                : "2025-03-\(number % 19 + 10) 10:00:\(number % 50 + 10),2025-03-\(number % 19 + 10) 10:09:\(number % 40 + 10)")
                + ",North,\(100 + number).00"
        }
        let names = header.replacing("date,", with: "service_date,")
        var zip = ZipBytes()
        zip.add("a.csv", Array(([names] + rows).joined(separator: "\n").utf8))
        zip.add("b.csv", Array(([names] + rows.reversed()).joined(separator: "\n").utf8))
        let result = try scan(zip.bytes(), "trips.zip")
        #expect(result.status == 65 && result.stderrText.contains("count twice"), "\(result.stderrText)")
    }

    /// All trips, and those of each region again.
    @Test func recordsThatComeTwiceInAnyOrderAreRefused() throws {
        let rows = (0..<300).map {
            "2025-03-\($0 % 19 + 10) 10:00:00,\($0 % 3 == 0 ? "North" : "South"),\(100 + $0).00"
        }
        let north = rows.filter { $0.contains("North") }
        for again in [north, north + rows.filter { $0.contains("South") }, Array(rows.reversed())] {
            let text = (["unit_notified_at,region,cost"] + rows + again).joined(separator: "\n") + "\n"
            let result = try scan(text, "trips.csv")
            #expect(result.status == 65 && result.stderrText.contains("is there twice"), "\(result.stderrText)")
        }
    }

    /// Records of few values agree by chance, and then three of them do so too.
    @Test func recordsThatAgreeByChanceAreRead() throws {
        var random = SplitMix64(seed: 44)
        for values in [60, 200, 500, 1500] {
            let rows = (0..<600).map { _ in
                let value = Int.random(in: 0..<values, using: &random)
                return "2025-03-\(value % 19 + 10),\(value % 2 == 0 ? "North" : "South"),\(100 + value / 19).00"
            }
            let result = try scan((["service_date,region,cost"] + rows).joined(separator: "\n") + "\n", "trips.csv")
            #expect(result.status == 0 && result.stderrText.contains("added 600 +"), "\(result.stderrText)")
        }
    }

    // MARK: - Lists within records

    private static func incident(_ number: Int) -> String {
        let units = (0..<2).map { unit in
            """
            {"unit": "M\(unit)", "unitNotified": "2025-03-\(number % 19 + 10)T10:0\(unit):00", \
            "onScene": "2025-03-\(number % 19 + 10)T10:1\(unit):00", "amountPaid": \(100 + number + unit).5}
            """
        }
        return """
            {"incidentNumber": "I\(number)", "callReceived": "2025-03-\(number % 19 + 10)T09:58:00", \
            "units": [\(units.joined(separator: ", "))]}
            """
    }

    @Test(arguments: ["document", "array", "lines"]) func theUnitsOfIncidentsAreTheTrips(form: String) throws {
        let incidents = (0..<30).map(Self.incident)
        let text =
            switch form {
            case "document": "{\"incidents\": [\(incidents.joined(separator: ",\n"))]}"
            case "array": "[\(incidents.joined(separator: ",\n"))]"
            default: incidents.joined(separator: "\n") + "\n"
            }
        let plain = try scan(text, "trips.json")
        #expect(plain.status == 65 && plain.stderrText.contains("map suggest"), "\(plain.stderrText)")
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "trips.json")
            let mapped = try fixture.run(["map", "suggest", "trips.json", "--write", "own.yaml"], in: folder.url)
            #expect(mapped.status == 0, "\(mapped.stderrText)")
            let yaml = try String(contentsOf: folder.url.appending(path: "own.yaml"), encoding: .utf8)
            #expect(yaml.contains("records: units") && !yaml.contains("MISSING"), "\(yaml)")
            let result = try fixture.run(
                ["scan", "trips.json", "--profile", "./own.yaml", "--audience", "staff", "--format", "csv"],
                in: folder.url)
            #expect(result.status == 0 && result.stderrText.contains("added 60 +"), "\(result.stderrText)")
        }
    }

    /// The cost of an incident counts once, and nothing says that it is added up.
    @Test func theCostOfAParentIsNotSaidToBeInEachRecord() throws {
        let incidents = (0..<30).map { number in
            Self.incident(number).replacing("\"amountPaid\"", with: "\"rate\"")
                .replacing("\"callReceived\"", with: "\"cost\": \(100 + number).25, \"callReceived\"")
        }
        let profile = """
            source: own
            format: json
            records_path: "[].units[]"
            records: units
            columns: {trip_id: incidentNumber, vehicle_id: units.unit, unit_notified_at: units.unitNotified, cost: cost}

            """
        let result = try scan("[\(incidents.joined(separator: ","))]", "trips.json", profile: profile)
        #expect(result.status == 0 && result.stderrText.contains("counted once"), "\(result.stderrText)")
        #expect(!result.stderrText.contains("the same cost in each"), "\(result.stderrText)")
    }
}
