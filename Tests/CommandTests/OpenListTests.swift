import Foundation
import TestSupport
import Testing

/// Regions and trip types without a configured list: figures for staff take the values of the exports.
@Suite struct OpenListTests {
    private static let regions: [(value: String, records: Int)] = [
        ("Ward 7", 20), ("ward 7 ", 15), ("CBD", 12), ("North", 11), ("Elm Hill", 10),
    ]

    private static func export(_ regions: [(value: String, records: Int)] = regions) -> String {
        var rows = ["trip_id,service_date,region,trip_type,cost"]
        for (value, records) in regions {
            for _ in 0..<records { rows.append("T\(rows.count),2025-01-10,\(value),Routine,100") }
        }
        return rows.joined(separator: "\n") + "\n"
    }

    private struct Summary: Decodable {
        struct Cell: Decodable {
            let month, region, tripType: String
            let trips: Int?
        }
        let cells: [Cell]

        var trips: [String: Int] {
            let cells = cells.filter { $0.month == "All" && $0.tripType == "All" && $0.region != "All" }
            return Dictionary(uniqueKeysWithValues: cells.map { ($0.region, $0.trips ?? -1) })
        }
    }

    private func scan(
        _ export: String, _ words: [String], command: String = "scan"
    ) throws -> (result: CommandResult, trips: [String: Int]) {
        try TemporaryFolder.with { folder in
            try folder.write(export, to: "trips.csv")
            try folder.write("regions: [North, Harbor]\n", to: "lists.yaml")
            let result = try CommandFixture().run([command, "trips.csv", "--format", "json"] + words, in: folder.url)
            let summary = try? JSONDecoder().decode(Summary.self, from: Data(result.stdout))
            return (result, summary?.trips ?? [:])
        }
    }

    @Test func staffFiguresHaveTheValuesOfTheExports() throws {
        let (result, trips) = try scan(Self.export(), ["--internal"])
        #expect(trips == ["Ward 7": 35, "CBD": 12, "North": 11, "Unassigned": 10])
        #expect(result.stderrText.contains("note: the regions “CBD”, “Ward 7” come from the exports"))
        #expect(
            result.stderrText.contains(
                "the region of 10 records is in no list, so they are Unassigned: values that fewer than 11 records have"
            ))
        #expect(!result.stderrText.contains("Elm"))
    }

    @Test(arguments: [["--jobs", "1"], ["--jobs", "4", "--block-bytes", "64"]])
    func theOrderOfWorkersChangesNothing(words: [String]) throws {
        let one = try scan(Self.export(), ["--internal"]).result
        let other = try scan(Self.export(), ["--internal"] + words).result
        #expect(one.stdout == other.stdout)
    }

    /// The lists are guessed from the first 4,096 records. Here these lack a value, have one that too few have, or another spelling.
    @Test(arguments: 0..<4)
    func whereAValueStandsInALargeExportChangesNothing(first: Int) throws {
        let runs = [("North", 5000), ("CBD", 12), ("Elm Hill", 10), ("cbd", 3)]
        let rotated = (0..<4).map { runs[(first + $0) % 4] }.map { (value: $0.0, records: $0.1) }
        let (result, trips) = try scan(Self.export(rotated), ["--internal"])
        #expect(trips == ["North": 5000, "CBD": 15, "Unassigned": 10])
        #expect(result.stderrText.contains("note: the region “CBD” comes from the exports"), "\(result.stderrText)")
        #expect(result.stderrText.contains("the region of 10 records is in no list"))
        #expect(!result.stderrText.contains("Elm"))
    }

    /// The first 4,096 records have no entry of the standard lists.
    @Test(arguments: [false, true])
    func aStandardEntryIsFoundAnywhere(isFirst: Bool) throws {
        let others = [(value: "Ward 7", records: 5000)]
        func check(
            _ few: [(value: String, records: Int)], as expected: [String: Int], profile: String? = nil
        ) throws {
            try TemporaryFolder.with { folder in
                try folder.write(Self.export(isFirst ? few + others : others + few), to: "trips.csv")
                var words = ["scan", "trips.csv", "--internal", "--format", "json"]
                if let profile {
                    let columns = ["trip_id", "service_date", "region", "trip_type", "cost"]
                    let mapped = columns.map { "\($0): \($0)" }.joined(separator: ", ")
                    try folder.write("source: x\ncolumns: {\(mapped)}\n" + profile, to: "x.yaml")
                    words += ["--profile", "./x.yaml"]
                }
                let result = try CommandFixture().run(words, in: folder.url)
                let summary = try JSONDecoder().decode(Summary.self, from: Data(result.stdout))
                #expect(summary.trips.filter { $0.value > 0 } == expected, "\(few): \(result.stderrText)")
            }
        }
        try check([("North", 3)], as: ["North": 3, "Ward 7": 5000])
        try check([("NORTH", 20), ("North", 10)], as: ["North": 30, "Ward 7": 5000])
        try check(
            [("N", 500)], as: ["North": 500, "Ward 7": 5000], profile: "values: {region: {map: {N: North}}}\n")
        try check(
            [("x", 40)], as: ["South": 5040],
            profile: "values: {region: {map: {N: North}, otherwise: South}}\n")
    }

    @Test func wordsForATripTypeAreFoundAnywhere() throws {
        var rows = ["trip_id,service_date,trip_type,cost"]
        for (value, records) in [("Dialysis", 5000), ("Emergent", 30), ("911", 5)] {
            for _ in 0..<records { rows.append("T\(rows.count),2025-01-10,\(value),100") }
        }
        try TemporaryFolder.with { folder in
            try folder.write(rows.joined(separator: "\n"), to: "trips.csv")
            let result = try CommandFixture().run(
                ["scan", "trips.csv", "--internal", "--format", "json"], in: folder.url)
            let cells = try JSONDecoder().decode(Summary.self, from: Data(result.stdout)).cells
            let types = cells.filter { $0.month == "All" && $0.region == "All" && $0.tripType != "All" }
            let trips = types.reduce(into: [String: Int]()) { $0[$1.tripType] = $1.trips }
            #expect(trips == ["Emergency": 35, "Dialysis": 5000], "\(result.stderrText)")
        }
    }

    @Test func ofEquallyFrequentSpellingsTheFirstByLettersCounts() throws {
        let (_, trips) = try scan(Self.export([("ward 7", 8), ("Ward 7", 8)]), ["--internal"])
        #expect(trips == ["Ward 7": 16])
    }

    @Test func theReleaseHasOnlyTheList() throws {
        let (result, trips) = try scan(Self.export(), ["--release"])
        #expect(trips["Ward 7"] == nil && trips["North"] != nil)
        #expect(result.stderrText.contains("the region of 57 records is in no list"))
        #expect(result.stderrText.contains("“Ward 7” 35, “CBD” 12, others 10"))
        #expect(!result.stderrText.contains("Elm"))
    }

    @Test func aConfiguredListIsKept() throws {
        let (result, trips) = try scan(Self.export(), ["--internal", "--config", "lists.yaml"])
        #expect(trips == ["North": 11, "Harbor": 0, "Unassigned": 57])
        #expect(result.stderrText.contains("“Ward 7” 35, “CBD” 12, others 10"))
    }

    /// Its bytes come once, so nothing can be guessed from the first of them.
    @Test func aPipeIsReadByTheConfiguredLists() throws {
        try TemporaryFolder.with { folder in
            let pipe = folder.path(of: "trips.csv")
            #expect(mkfifo(pipe, 0o600) == 0)
            Thread { try? Data(Self.export().utf8).write(to: URL(fileURLWithPath: pipe)) }.start()
            let result = try CommandFixture().run(["scan", "--internal", "--format", "json", pipe], in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            let summary = try JSONDecoder().decode(Summary.self, from: Data(result.stdout))
            #expect(summary.trips["North"] == 11 && summary.trips["Unassigned"] == 57)
            #expect(result.stderrText.contains("“Ward 7” 35, “CBD” 12, others 10"))
        }
    }

    @Test func aReportCanSelectSuchARegion() throws {
        let (result, trips) = try scan(Self.export(), ["--internal", "--region", "ward 7"], command: "report")
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(trips == ["Ward 7": 35])
        #expect(try scan(Self.export(), ["--internal", "--region", "Elm Hill"], command: "report").result.status == 64)
    }

    @Test func moreThan200ValuesAreNoRegions() throws {
        let many = (0..<201).map { (value: "Place \($0)", records: 11) }
        let (result, _) = try scan(Self.export(many), ["--internal"])
        #expect(result.status == 65)
        #expect(result.stderrText.contains("the region has more than 200 different values"))
        #expect(!result.stderrText.contains("Place"))
        #expect(try scan(Self.export(Array(many.dropLast())), ["--internal"]).trips.count == 200)
    }

    @Test func aLoadAndTheDoctorSayWhatIsInNoList() throws {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export(), to: "inbox/trips.csv")
            let fixture = try CommandFixture()
            let load = try fixture.run(["load", "inbox/trips.csv"], in: folder.url)
            #expect(load.stderrText.contains("the region of 57 records is in no list"), "\(load.stderrText)")
            let doctor = try fixture.run(["doctor"], in: folder.url)
            #expect((doctor.stdoutText + doctor.stderrText).contains("“Ward 7” 35, “CBD” 12, others 10"))
        }
    }
}
