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
