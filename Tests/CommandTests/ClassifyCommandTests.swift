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

    @Test(arguments: [["-CANARYTRIP1"], ["--jobs", "CANARYTRIP1"], ["--rules"]])
    func wrongUsageDoesNotRepeatWhatMayBeAnID(arguments: [String]) throws {
        let result = try fixture.run(["classify", "explain"] + arguments)
        #expect(result.status == 64)
        #expect(result.leaks == [])
        #expect(result.stderrText.contains("classify explain <id>"))
    }

    private let ndjson = """
        {"trip_id":"CANARYTRIP1","leg_id":"CANARYLEG1","updated_at":"2024-01-03 08:00:00","service_date":"2024-01-02","hcpcs_modifiers":"QM","patient_name":"Canary Person"}
        {"trip_id":"CANARYTRIP1","leg_id":"CANARYLEG1","updated_at":"2024-01-02 08:00:00","service_date":"2024-01-02","hcpcs_modifiers":"QN","patient_name":"Canary Person"}

        """
}
