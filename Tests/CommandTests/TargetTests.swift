import Foundation
import KPIContract
import TestSupport
import Testing

/// The setting `targets`, in what the command writes.
@Suite struct TargetTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// 2024-01 to 2024-12: 40 trips a month in North and 20 in West, of $100 in the first six months and $120 after; one
    /// trip of each five in North is in-house, none in West.
    private static let export: String = {
        let rows = (0..<12 * 60).map { trip in
            let month = trip / 60, isNorth = trip % 60 < 40, day = trip % 28 + 1
            let date = "2024-\(month < 9 ? "0" : "")\(month + 1)-\(day < 10 ? "0" : "")\(day)"
            return "SYN-\(trip),completed,\(date),\(isNorth ? "North" : "West"),Emergency,\(month < 6 ? 100 : 120).00\n"
        }
        return "trip_id,status,service_date,region,trip_type,cost\n" + rows.joined()
    }()

    private func run(_ targets: String, _ arguments: [String] = ["--format", "json"]) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(Self.export, to: "export.csv")
            try folder.write(
                "regions: [North, West]\ntrip_types: [Emergency]\ntargets:\n\(targets)\n", to: "tripkpi.yaml")
            return try fixture.run(
                ["scan", "export.csv"] + arguments, environment: ["SOURCE_DATE_EPOCH": "1739000000"], in: folder.url)
        }
    }

    private func targets(_ settings: String, _ audience: String) throws -> [KPISummaryV1.Target] {
        let result = try run(settings, ["--format", "json", "--quiet", "--audience", audience])
        #expect(result.status == 0, "\(result.stderrText)")
        return try JSONDecoder().decode(KPISummaryV1.self, from: Data(result.stdout)).targets ?? []
    }

    @Test(arguments: ["staff", "release"])
    func aTargetIsOfAllRegionsTogetherAndOfEachWithoutItsOwn(audience: String) throws {
        let found = try targets(
            "  - {measure: costPerTrip, value: 110}\n  - {measure: costPerTrip, region: West, value: 119.99}", audience)
        #expect(found.map(\.region) == ["All", "North", "West"])
        #expect(found.allSatisfy { $0.measure == "costPerTrip" && $0.tripType == "All" })
        #expect(found.map(\.target) == [110, 110, 119.99])
        #expect(found.map(\.monthCount) == [12, 12, 12])
        #expect(found.map(\.monthsMet) == [6, 6, 6])
        #expect(found.map(\.gap) == [10, 10, 0.01])
        #expect(found[2].gapWords == "$0.01 above")
        #expect(found[0].monthsMetText == "6 of 12 (50%)")
        #expect(found[0].words == "at most $110.00")
    }

    @Test func aFigureThatIsTheTargetMeetsIt() throws {
        let found = try targets("  - {measure: costPerTrip, trip_type: Emergency, value: 120.00}", "staff")
        #expect(found.map(\.region) == ["All", "North", "West"])
        #expect(found.allSatisfy { $0.tripType == "Emergency" && $0.monthsMet == 12 && $0.gapWords == "met" })
    }

    /// A release rounds a percentile to 10 seconds, so it does not say whether the exact one meets a target nearby.
    @Test(arguments: [("staff", 12, 12, -5.0), ("release", 0, 0, nil)] as [(String, Int, Int, Double?)])
    func aRoundedPercentileNearTheTargetDoesNotCount(audience: String, months: Int, met: Int, gap: Double?) throws {
        let rows = Self.export.split(separator: "\n").dropFirst().map { row in
            let date = row.split(separator: ",")[2]
            return "\(row),\(date) 10:00:00,\(date) 10:09:57\n"
        }
        let export =
            "trip_id,status,service_date,region,trip_type,cost,unit_notified_at,on_scene_at\n" + rows.joined()
        let found = try TemporaryFolder.with { folder in
            try folder.write(export, to: "export.csv")
            try folder.write("targets:\n  - {measure: response.p90, value: \"10:02\"}\n", to: "tripkpi.yaml")
            let result = try fixture.run(
                ["scan", "export.csv", "--format", "json", "--quiet", "--audience", audience],
                environment: ["SOURCE_DATE_EPOCH": "1739000000"], in: folder.url)
            return try JSONDecoder().decode(KPISummaryV1.self, from: Data(result.stdout)).targets ?? []
        }
        let whole = try #require(found.first { $0.region == "All" })
        #expect((whole.monthCount, whole.monthsMet) == (months, met) && whole.gap == gap)
    }

    @Test func withoutTargetsThereIsNoKey() throws {
        let result = try TemporaryFolder.with { folder in
            try folder.write(Self.export, to: "export.csv")
            return try fixture.run(["scan", "export.csv", "--format", "json"], in: folder.url)
        }
        #expect(result.status == 0)
        #expect(!result.stdoutText.contains("\"targets\""))
    }

    @Test func theTerminalHasThem() throws {
        let text = try run("  - {measure: costPerTrip, value: 110}", ["--long"]).stdoutText
        #expect(text.contains("Cost per trip, West          at most $110.00   $10.00 above      6 of 12 (50%)"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let screen = try run("  - {measure: costPerTrip, value: 110}", []).stdoutText
        #expect(
            screen.replacing("\n", with: " ").contains("Targets met: 0 of 3. Missed: Cost per trip ($10.00 above); "))
    }

    @Test func aTargetOfNoRegionIsNamed() throws {
        let result = try run("  - {measure: costPerTrip, region: Nroth, value: 110}")
        #expect(result.status == 0)
        #expect(result.stderrText.contains("the target of costPerTrip, Nroth matches nothing"))
    }

    @Test(arguments: [
        ("{measure: trips, value: 5}", "trips"), ("{measure: costPerTrip, value: 55%}", "dollars"),
        ("{measure: costPerTrip, value: 1.005}", "dollars"), ("{measure: inHouseShare, value: 0.55}", "a per cent"),
        ("{measure: inHouseShare, value: 101%}", "a per cent"),
        ("{measure: response.p90, value: \"10:60\"}", "minutes"),
        ("{measure: costPerTrip, region: All, value: 5}", "leave region out"),
        ("{measure: costPerTrip, value: 5}\n  - {measure: costPerTrip, value: 6}", "already"),
    ])
    func whatIsNoTargetIsRefused(_ target: String, _ words: String) throws {
        let result = try run("  - \(target)")
        #expect(result.status == 78)
        #expect(result.stderrText.contains(words), "\(result.stderrText)")
    }
}
