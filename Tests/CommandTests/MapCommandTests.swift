import Foundation
import TestSupport
import Testing

@Suite struct MapCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test(arguments: ["sample.csv", "sample.csv.gz", "sample.tsv", "sample.json", "sample.ndjson", "sample-utf16.csv"])
    func whatIsProposedForASampleReadsTheSample(name: String) throws {
        try TemporaryFolder.with { folder in
            let path = Repository.root.appendingPathComponent("data/samples/" + name).path
            let proposed = try fixture.run(["map", "suggest", path, "--profile-name", "canonical"])
            #expect(proposed.status == 0)
            let profile = try folder.write(proposed.stdout, to: "proposed.yaml")
            let own = try fixture.run(["scan", path, "--profile", profile, "--quiet", "--format", "json"])
            let shipped = try fixture.run(["scan", path, "--profile", "canonical", "--quiet", "--format", "json"])
            #expect(own.status == 0)
            #expect(own.stdout == shipped.stdout)
        }
    }

    @Test func theEncodingOfOlderSystemsIsProposed() throws {
        try TemporaryFolder.with { folder in
            var bytes = Array("trip_id,service_date,region\n".utf8)
            for number in 0..<40 { bytes += Array("T\(number),2025-01-05,K".utf8) + [0xF6] + Array("ln\n".utf8) }
            try folder.write(bytes, to: "trips.csv")
            let result = try fixture.run(["map", "suggest", "trips.csv", "--write", "own.yaml"], in: folder.url)
            #expect(result.status == 0 && result.stderrText.contains("windows-1252"), "\(result.stderrText)")
            let own = try fixture.run(["scan", "trips.csv", "--profile", "./own.yaml"], in: folder.url)
            #expect(own.status == 0 && own.stderrText.contains("“Köln”"), "\(own.stderrText)")
        }
    }

    /// What a run would refuse is found before the profile is printed: as a line of the profile if the reader knows it, else as MISSING.
    @Test func aProposedProfileIsTried() throws {
        try TemporaryFolder.with { folder in
            func suggest(_ text: String) throws -> (yaml: String, told: String, scan: CommandResult) {
                try folder.write(text, to: "trips.csv")
                let yaml = folder.url.appending(path: "own.yaml")
                try? FileManager.default.removeItem(at: yaml)
                let result = try fixture.run(["map", "suggest", "trips.csv", "--write", "own.yaml"], in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
                return (
                    try String(contentsOf: yaml, encoding: .utf8), result.stderrText,
                    try fixture.run(
                        ["scan", "trips.csv", "--profile", "./own.yaml", "--internal"], in: folder.url)
                )
            }
            let units = (0..<120).map { "I\($0 / 2),M\($0 % 2 + 1),2025-03-\($0 % 19 + 10)T10:\($0 % 50 + 10):00\n" }
            let found = try suggest("incident number,unit id,unit notified\n" + units.joined())
            #expect(found.yaml.contains("records: units  # ?") && !found.yaml.contains("MISSING"), "\(found.yaml)")
            #expect(
                found.told.contains("read with this profile: 120 of 120 records are trips of 2025-03"), "\(found.told)")
            #expect(found.scan.status == 0 && found.scan.stderrText.contains("added 120 +"), "\(found.scan.stderrText)")
            let mixed = (0..<60).map { "T\($0),2025-03-10,\($0 % 2 == 0 ? "$" : "€")1\($0).50\n" }
            let refused = try suggest("trip_id,service_date,cost\n" + mixed.joined())
            #expect(
                refused.yaml.contains("# MISSING: a run with this profile is refused: its costs are in more than one"))
            #expect(refused.told.contains("complete the lines marked MISSING") && refused.scan.status == 65)
        }
    }

    /// Only a record far into the file shows which number is the day and which the month.
    @Test func recordsAreTakenFromAllOfTheFile() throws {
        try TemporaryFolder.with { folder in
            var text = "trip_id,pickup_date,service_date\n"
            for number in 0..<30_000 {
                let day = number > 29_000 ? "25" : "05"
                text += "T\(number),\(day)/06/2024,\(day)/06/2024\n"
            }
            let path = try folder.write(text, to: "trips.csv")
            let result = try fixture.run(["map", "suggest", path])
            #expect(result.stdoutText.contains("- \"dd/MM/yyyy\""))
            #expect(result.stderrText.contains("of 30000 records looked at"))
        }
    }

    /// From a file to its first report in two commands, without an edit. Two headers have no id and need a hand.
    @Test(arguments: PublicExport.all.filter { !["Indiana", "Marin"].contains($0.name) })
    func aNewExportIsReportedInTwoCommands(export: PublicExport) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(export.csv(1500), to: "export.csv")
            let profile = folder.path(of: "profiles/own.yaml")
            let suggested = try fixture.run(["map", "suggest", path, "--write", profile])
            #expect(suggested.status == 0 && suggested.stdout.isEmpty)
            #expect(suggested.stderrText.contains("`tripkpi scan FILE --profile \(profile)`"))
            let scanned = try fixture.run(["scan", path, "--profile", profile, "--long"])
            #expect(scanned.status == 0, "\(scanned.stderrText)")
            let total = try #require(scanned.stdoutText.firstMatch(of: /Total trips +([0-9,]+)/))
            // The manifest has trips that were cancelled, and patients who did not show.
            let trips = try #require(Int(total.output.1.filter { $0 != "," }))
            #expect(export.name == "VetRide" ? (400...600).contains(trips) : trips == 1500)
        }
    }

    /// Known names, and dates that only a profile can explain.
    @Test func aScanWithoutAProfileNamesTheWayToOne() throws {
        try TemporaryFolder.with { folder in
            let export = "trip_id,service_date,cost\n1,03/04/2025,10.00\n2,03/05/2025,20.00\n"
            let path = try folder.write(export, to: "export.csv")
            let scan = try fixture.run(["scan", path])
            #expect(scan.status == 65)
            #expect(scan.stderrText.contains("tripkpi map suggest FILE --write profiles/NAME.yaml"))
            let mapped = try fixture.run(["scan", path, "--profile", "canonical"])
            #expect(mapped.status == 65 && !mapped.stderrText.contains("map suggest"))
        }
    }

    @Test func theProfileHasTheNameOfItsFileAndIsNeverOverwritten() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(PublicExport.newYork.csv(100), to: "export.csv")
            let profile = folder.path(of: "cad-north.yaml")
            #expect(try fixture.run(["map", "suggest", path, "--write", profile, "--quiet"]).stderr.isEmpty)
            let text = try String(contentsOfFile: profile, encoding: .utf8)
            #expect(text.contains("\nsource: \"cad-north\"\n"))
            let again = try fixture.run(["map", "suggest", path, "--write", profile, "--profile-name", "other"])
            #expect(again.status == 73)
            #expect(again.stderrText.contains("the file exists and is not overwritten"))
            #expect(try String(contentsOfFile: profile, encoding: .utf8) == text)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(of: ".")).count == 2)
        }
    }

    @Test func aNameThatIsNoNameIsWrongUsage() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(PublicExport.newYork.csv(100), to: "export.csv")
            let result = try fixture.run(["map", "suggest", path, "--profile-name", "cad north"])
            #expect(result.status == 64)
        }
    }

    /// Records below a key, on one line or many, are found, and the profile that is written reads them.
    @Test(arguments: [("data", ","), ("response.trips", ",\n  ")])
    func recordsBelowAKeyAreFound(path: String, separator: String) throws {
        try TemporaryFolder.with { folder in
            let records = (10..<40).map { number in
                #"{"trip_id": "T\#(number)", "unit_notified_at": "2026-01-\#(number % 20 + 10)T10:00:00Z", "legs": [{"n": 1}]}"#
            }
            let keys = path.split(separator: ".")
            let text =
                #"{"meta": {"pages": [1, 2], "note": "a \"[{"}, "# + keys.map { #""\#($0)":"# }.joined(separator: " {")
                + " [" + records.joined(separator: separator) + "]" + String(repeating: "}", count: keys.count) + "\n"
            let export = try folder.write(text, to: "export.json")
            let profile = folder.path(of: "own.yaml")
            #expect(try fixture.run(["map", "suggest", export, "--write", profile]).status == 0)
            #expect(try String(contentsOfFile: profile, encoding: .utf8).contains("records_path: \"\(path)\""))
            let scanned = try fixture.run(["scan", export, "--profile", profile, "--long"])
            #expect(scanned.status == 0 && scanned.stdoutText.contains("Total trips       30"), "\(scanned.stderrText)")
        }
    }

    @Test func aKeyThatMayBeANameIsNotPrinted() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(#"{"Canary Person": [{"trip_id": "1"}], "b": 2}"#, to: "export.json")
            let result = try fixture.run(["map", "suggest", path])
            #expect(result.status == 0 && result.stdoutText.contains("trip_id: \"trip_id\""), "\(result.stderrText)")
            #expect(!result.stdoutText.contains("Canary") && !result.stderrText.contains("Canary"))
        }
    }

    @Test(arguments: [["scan"], ["report"]])
    func anExportOfUnknownColumnsNamesTheCommandThatHelps(command: [String]) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(PublicExport.newYork.csv(20), to: "export.csv")
            let result = try fixture.run(command + [path])
            #expect(result.status == 65)
            #expect(result.stderrText.contains("run `tripkpi map suggest FILE --write profiles/NAME.yaml`"))
        }
    }

    @Test func noValueOfAnIdentifyingColumnIsPrinted() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(CommandFixture.canaryExport, to: "trips.csv")
            let result = try fixture.run(["map", "suggest", path])
            #expect(result.status == 0)
            #expect(result.stdoutText.contains("trip_id: \"trip_id\""))
            #expect(result.leaks == [])
        }
    }

    @Test func aFileWithoutHeaderIs65AndNothingOfItIsShown() throws {
        try TemporaryFolder.with { folder in
            let record = "CANARYTRIP1,1950-01-02,Canary Person,555-0142,CANARYNOTE\n"
            let path = try folder.write(record + record, to: "trips.csv")
            let result = try fixture.run(["map", "suggest", path])
            #expect(result.status == 65)
            #expect(result.stdout.isEmpty)
            #expect(result.leaks == [])
        }
    }

    @Test(
        .enabled(if: SharedData.isPresent, "\(SharedData.hint)"),
        arguments: ["synthea_patients.csv.gz", "indiana_ems_sample_2025.csv.gz"])
    func publicDataIsLookedAtWithoutAValueGettingOut(name: String) throws {
        let path = try #require(SharedData.path("data/" + name))
        let result = try fixture.run(["map", "suggest", path])
        #expect(result.status == (name.hasPrefix("synthea") ? 65 : 0))
        let output = result.stdoutText + result.stderrText
        #expect(!output.contains(/999-\d\d-\d{4}/))
        #expect(!output.contains(/\d{4}-\d\d-\d\d/))
    }
}
