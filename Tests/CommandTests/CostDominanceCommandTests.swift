import Foundation
import TestSupport
import Testing

/// `cost_dominance_percent`: costs that are nearly one provider's.
@Suite struct CostDominanceCommandTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// In the North one provider drives, in the South three do, and the house itself.
    private static let export: String = {
        var rows = ["trip_id,service_date,region,trip_type,hcpcs_modifiers,provider_id,provider_name,cost,loaded_miles"]
        func add(_ region: String, _ modifier: String, _ id: String, _ name: String) {
            for _ in 0..<20 {
                rows.append("SYN-\(rows.count),2024-01-15,\(region),Emergency,\(modifier),\(id),\(name),500.00,10")
            }
        }
        add("North", "QM", "P1", "One Ambulance")
        // Without its id, but with its name.
        add("North", "QM", "", "One Ambulance")
        for id in ["P2", "P3", "P4"] { add("South", "QM", id, "") }
        add("South", "QN", "VA1", "")
        return rows.joined(separator: "\n") + "\n"
    }()

    private static let costs = ["totalCost", "inHouseCost", "contractedCost", "costPerTrip", "costPerLoadedMile"]
    private static let all = "All"

    private func withStore(_ body: (TemporaryFolder, _ export: String) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try folder.write("regions: [North, South]\ntrip_types: [Emergency]\n", to: "tripkpi.yaml")
            let export = try folder.write(Self.export, to: "trips.csv")
            let result = try fixture.run(["load", export], in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            try body(folder, export)
        }
    }

    private func summary(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    /// Regions whose cells show all their costs; those of others show none.
    private func shown(_ summary: [String: Any]) throws -> Set<String> {
        var regions: [String: Set<Bool>] = [:]
        for cell in try #require(summary["cells"] as? [[String: Any]]) {
            let region = try #require(cell["region"] as? String)
            for name in Self.costs { regions[region, default: []].insert(!(cell[name] is NSNull)) }
            #expect(cell["costedTrips"] is NSNumber)
        }
        #expect(regions.values.allSatisfy { $0.count == 1 })
        return Set(regions.filter { $0.value == [true] }.keys)
    }

    private func statement(_ summary: [String: Any]) throws -> String {
        try #require((summary["privacy"] as? [String: Any])?["statement"] as? String)
    }

    @Test func ofTheStoreItHidesWhatIsOneProvidersAndAPartner() throws {
        try withStore { folder, _ in
            let form = ["report", "--format", "json"], on = ["--cost-dominance-percent", "80"]
            func report(_ arguments: [String]) throws -> [String: Any] {
                try summary(try fixture.run(form + arguments, in: folder.url).stdout)
            }
            let off = try report([])
            #expect(try shown(off) == ["North", "South", Self.all])
            #expect(try !statement(off).contains("provider"))
            let hidden = try report(on)
            // Of the North's and South's costs only their sum is told.
            #expect(try shown(hidden) == [Self.all])
            #expect(try statement(hidden).contains("one provider has 80 per cent or more"))
            #expect(try shown(report(on + ["--month", "2024-01"])) == [Self.all])
            #expect(try shown(report(on + ["--region", "North"])).isEmpty)
            #expect(try shown(report(on + ["--internal"])) == ["North", "South", Self.all])
        }
    }

    @Test func ofFilesItHidesAllThatIsNotInHouseAndSaysSo() throws {
        try withStore { folder, export in
            try folder.write(
                "regions: [North, South]\ntrip_types: [Emergency]\ncost_dominance_percent: 90\n", to: "tripkpi.yaml")
            for arguments in [["scan", export], ["report", export], ["report", export, "--month", "2024-01"]] {
                let result = try fixture.run(arguments + ["--format", "json"], in: folder.url)
                #expect(result.status == 0)
                #expect(try shown(summary(result.stdout)).isEmpty)
                #expect(result.stderrText.contains("cost_dominance_percent is 90"))
                #expect(try statement(summary(result.stdout)).contains("Costs that are not in-house are hidden"))
                let inside = try fixture.run(arguments + ["--format", "json", "--internal"], in: folder.url)
                #expect(try !shown(summary(inside.stdout)).isEmpty)
                #expect(!inside.stderrText.contains("cost_dominance_percent"))
            }
            let workbook = try fixture.run(["costs", export, "--output", "costs.xlsx"], in: folder.url)
            #expect(workbook.status == 0 && workbook.stderrText.contains("cost_dominance_percent is 90"))
            // A flag cannot take back what the file says.
            let weaker = try fixture.run(["scan", export, "--cost-dominance-percent", "99"], in: folder.url)
            #expect(weaker.stderrText.contains("cost_dominance_percent is 90"))
            #expect(try fixture.run(["scan", export, "--cost-dominance-percent", "49"], in: folder.url).status == 78)
        }
    }

    @Test func whatIsPublishedHidesItToo() throws {
        try withStore { folder, _ in
            func published(_ arguments: [String]) throws -> [String: Any] {
                let result = try fixture.run(["publish", "--reports", "kpi"] + arguments, in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
                let check = try fixture.run(["verify", "--reports", "kpi"], in: folder.url)
                #expect(check.status == 0, "\(check.stdoutText)")
                return try summary(try folder.read("kpi/current/kpi-summary.json"))
            }
            let off = try published([]), on = try published(["--cost-dominance-percent", "80"])
            #expect(try shown(off) == ["North", "South", Self.all])
            #expect(try shown(on) == [Self.all])
            #expect(off["runId"] as? String != on["runId"] as? String)
            // The month is over: what the rule hid stays hidden.
            #expect(try shown(published([])) == [Self.all])
        }
    }
}
