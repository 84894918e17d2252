import Foundation
import TestSupport
import Testing

@Suite struct ClassifyCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    @Test(arguments: ["trips.csv", "trips.ndjson"])
    func theNewestVersionIsExplainedAndNothingOfTheTripIsPrinted(name: String) throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.canaryExport, to: "trips.csv")
            try folder.write(ndjson, to: "trips.ndjson")
            let result = try fixture.run(["classify", "explain", "CANARYTRIP1", folder.path(of: name)])
            #expect(result.status == 0)
            #expect(result.stdoutText.contains("2 records with this trip id, 1 leg, in 1 export"))
            #expect(result.stdoutText.contains("superseded (was inHouse, by rule hcpcs-qn)"))
            #expect(result.stdoutText.contains("contracted: rule hcpcs-qm"))
            #expect(result.leaks == [])
        }
    }

    @Test func theIDMayComeByStandardInput() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(CommandFixture.canaryExport, to: "trips.csv")
            let result = try fixture.run(["classify", "explain", "-", path], stdin: Array("CANARYTRIP1\n".utf8))
            #expect(result.status == 0)
            #expect(result.stdoutText.contains("counts, the newest"))
        }
    }

    /// A record that is rejected is no trip; the message does not repeat the id.
    @Test(arguments: ["CANARYTRIP2", "CANARYTRIP", "canarytrip1"])
    func anIDThatNoTripHasIs66(id: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(CommandFixture.canaryExport, to: "trips.csv")
            let result = try fixture.run(["classify", "explain", id, path])
            #expect(result.status == 66)
            #expect(result.stdout.isEmpty)
            #expect(result.stderrText.contains("4 records read, 2 rejected"))
            #expect(!result.stderrText.lowercased().contains("canary"))
        }
    }

    @Test(arguments: [
        ["explain", "-CANARYTRIP1"], ["explain", "--jobs", "CANARYTRIP1"], ["explain", "--rules"],
        ["explian", "CANARYTRIP1"], ["CANARYTRIP1"], ["--explain", "CANARYTRIP1"],
    ])
    func wrongUsageDoesNotRepeatWhatMayBeAnID(arguments: [String]) throws {
        let result = try fixture.run(["classify"] + arguments)
        #expect(result.status == 64)
        #expect(result.leaks == [])
        #expect(result.stderrText.contains(arguments.contains("explain") ? "classify explain" : "classify"))
    }

    @Test func aTripOfTheStoreIsExplainedWithoutItsIDs() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.canaryExport, to: "trips_2024-01-05.csv")
            let again = CommandFixture.canaryExport.replacingOccurrences(of: "2024-01-03 08", with: "2024-01-04 08")
            try folder.write(again, to: "trips_2024-01-06.csv")
            let files = ["trips_2024-01-05.csv", "trips_2024-01-06.csv"]
            #expect(try fixture.run(["load", "--max-reject", "60%"] + files + store, in: folder.url).status == 0)
            let explain = ["classify", "explain", "-", "--leg", "CANARYLEG1"] + store
            let result = try fixture.run(explain, stdin: Array("CANARYTRIP1\n".utf8), in: folder.url)
            #expect(result.status == 0)
            #expect(result.stdoutText.contains("source plain: 2 versions of the trip"))
            #expect(result.stdoutText.contains("trips_2024-01-06.csv"))
            #expect(result.stdoutText.contains("counts, the newest"))
            #expect(result.stdoutText.contains("superseded (was contracted, by rule hcpcs-qm)"))
            #expect(result.stdoutText.contains("contracted: rule hcpcs-qm"))
            #expect(result.leaks == [])
            for arguments in [
                ["CANARYTRIP1"], ["CANARYTRIP2", "--leg", "CANARYLEG1"], ["CANARYTRIP1", "--source", "x"],
            ] {
                let result = try fixture.run(["classify", "explain"] + arguments + store, in: folder.url)
                #expect(result.status == 66)
                #expect(result.leaks == [])
            }
        }
    }

    @Test func aDifferenceIsInternalAndChangesNothing() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "trips.csv")
            try folder.write(Self.otherRules, to: "other.yaml")
            #expect(try fixture.run(["load", "trips.csv"] + store, in: folder.url).status == 0)
            let diff = ["classify", "--diff", "other.yaml"] + store
            let refused = try fixture.run(diff, in: folder.url)
            #expect(refused.status == 64)
            #expect(refused.stderrText.contains("--internal"))
            let before = try folder.read("trips.sqlite")
            let text = try fixture.run(diff + ["--internal"], in: folder.url)
            #expect(text.status == 0)
            #expect(text.stdoutText.contains("INTERNAL"))
            #expect(text.stdoutText.contains("20 of 40 change class"))
            #expect(text.stdoutText.contains("inHouse (hcpcs-qn) -> contracted (qn): 20 trips, $2000.00"))
            let json = try fixture.run(diff + ["--internal", "--format", "json"], in: folder.url)
            #expect(json.stdoutText.contains("\"release\" : \"INTERNAL"))
            #expect(try folder.read("trips.sqlite") == before)

            let apply = ["classify", "--rules", "other.yaml"] + store
            let applied = try fixture.run(apply, in: folder.url)
            #expect(applied.status == 0)
            #expect(applied.stdoutText == "20 of 40 trips have another class or another rule\n2024-01  20\n")
            #expect(try fixture.run(apply, in: folder.url).stdoutText.contains("nothing has changed"))
        }
    }

    @Test func rulesThatCannotBeAnsweredEndWith78() throws {
        try TemporaryFolder.with { folder in
            try folder.write(CommandFixture.trips(40), to: "trips.csv")
            let rules = Self.otherRules.replacingOccurrences(
                of: "{contains-token: {hcpcs_modifiers: QN}}", with: "{prefix: {vehicle_id: MED}}")
            try folder.write(rules, to: "other.yaml")
            #expect(try fixture.run(["load", "trips.csv"] + store, in: folder.url).status == 0)
            for arguments in [["--diff", "other.yaml", "--internal"], ["--rules", "other.yaml"]] {
                let result = try fixture.run(["classify"] + arguments + store, in: folder.url)
                #expect(result.status == 78)
                #expect(result.stderrText.contains("rule qn tests “vehicle_id prefix med”: 40 trips"))
            }
        }
    }

    @Test func withoutAStoreItIs66AndNoneIsMade() throws {
        try TemporaryFolder.with { folder in
            for arguments in [["classify"], ["classify", "explain", "X"], ["quarantine", "list"]] {
                let result = try fixture.run(arguments + store, in: folder.url)
                #expect(result.status == 66)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path(of: "trips.sqlite")))
        }
    }

    private let store = ["--store", "trips.sqlite"]

    private static let otherRules = """
        name: other
        rules:
          - id: qn
            reason: A rule of a test.
            when: {contains-token: {hcpcs_modifiers: QN}}
            then: contracted

        """

    private let ndjson = """
        {"trip_id":"CANARYTRIP1","leg_id":"CANARYLEG1","updated_at":"2024-01-03 08:00:00","service_date":"2024-01-02","hcpcs_modifiers":"QM","patient_name":"Canary Person"}
        {"trip_id":"CANARYTRIP1","leg_id":"CANARYLEG1","updated_at":"2024-01-02 08:00:00","service_date":"2024-01-02","hcpcs_modifiers":"QN","patient_name":"Canary Person"}

        """
}
