import OutputScan
import Reporting
import TestSupport
import Testing
import UseCases

/// What a scan reads of identifying columns, mapped or not, is found again in a file that would hold it.
@Suite("Identifiers remembered while reading")
struct RememberedIdentifiersTests {
    private static let rows = [
        "trip_id,leg_id,service_date,patient_name,patient_phone,Guardian Name,Member ID,notes,region",
        "CANARYTRIP1,CANARYLEG1,2024-01-02,\"Person, Canary \"\"C\"\"\",555-0142,Other Person,MEMBER-778899,see 12345 B,North",
        "CANARYTRIP2,CANARYLEG2,2024-01-03,Second Canary,555-0143,Third Person,MEMBER-778800,,South",
    ]

    @Test("in CSV and NDJSON", arguments: [false, true])
    func remembers(isJSON: Bool) throws {
        try TemporaryFolder.with { folder in
            let path: String
            if isJSON {
                path = try folder.write(
                    """
                    {"trip_id":"CANARYTRIP1","leg_id":"CANARYLEG1","service_date":"2024-01-02","region":"North",\
                    "patient_name":"Person, Canary \\"C\\"","Guardian Name":"Other Person","Member ID":"MEMBER-778899",\
                    "notes":"see 12345 B"}

                    """, to: "trips.ndjson")
            } else {
                path = try folder.write(Self.rows.joined(separator: "\n") + "\n", to: "trips.csv")
            }
            var plan = ScanRequest(inputs: [path], rules: try ShippedRules.sample(), workers: 2)
            let collector = plan.rememberIdentifiers()
            _ = try ScanRun(plan).run()
            let scan = OutputScan(.init(ownDays: [], identifiers: collector.identifiers))
            for canary in [
                "CANARYTRIP1", "CANARYLEG1", "Person, Canary \\\"C\\\"", "Other Person", "MEMBER-778899", "see 12345 B",
            ] {
                let findings = scan.findings(in: Array("{\"a\":\"\(canary)\"}".utf8), named: "a.json")
                #expect(findings.map(\.kind) == [.identifier], "\(canary)")
            }
            #expect(scan.findings(in: Array("{\"a\":\"North\",\"b\":2}".utf8), named: "a.json").isEmpty)
        }
    }
}
