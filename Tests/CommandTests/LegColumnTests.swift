import Foundation
import TestSupport
import Testing

/// A leg id in one export and none in the other: every trip would have two keys.
@Suite struct LegColumnTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static func export(hasLegs: Bool, cost: Int = 100) -> String {
        (hasLegs ? "trip_id,leg_id,service_date,cost\n" : "trip_id,service_date,cost\n")
            + (0..<40).map { "T\($0),\(hasLegs ? "1," : "")2025-01-\($0 % 19 + 10),\(cost + $0)\n" }.joined()
    }

    private static let profile = """
        source: cad
        columns: {trip_id: trip_id, leg_id: leg_id, service_date: service_date, cost: cost}

        """

    private func write(in folder: TemporaryFolder) throws {
        try folder.write(Self.export(hasLegs: false), to: "1.csv")
        try folder.write(Self.export(hasLegs: true, cost: 200), to: "2.csv")
        try folder.write(Self.profile, to: "cad.yaml")
        try folder.write(Self.profile + "records: versions\n", to: "versions.yaml")
    }

    @Test(arguments: [["1.csv", "2.csv"], ["2.csv", "1.csv"]], [[], ["--profile", "cad.yaml"]])
    func aScanIsRefused(files: [String], words: [String]) throws {
        try TemporaryFolder.with { folder in
            try write(in: folder)
            let result = try fixture.run(["scan"] + files + words, in: folder.url)
            #expect(result.status == 65)
            #expect(result.stdoutText.isEmpty)
            #expect(result.stderrText.contains("every trip of both would count twice"))
            #expect(result.stderrText.contains("`records: versions`"))
            for file in files { #expect(try fixture.run(["scan", file], in: folder.url).status == 0) }
        }
    }

    @Test func aProfileAcceptsIt() throws {
        try TemporaryFolder.with { folder in
            try write(in: folder)
            let scan = ["scan", "1.csv", "2.csv", "--profile", "versions.yaml", "--internal", "--format", "csv"]
            #expect(try fixture.run(scan, in: folder.url).status == 0)
            for file in ["1.csv", "2.csv"] {
                let load = try fixture.run(["load", file, "--profile", "versions.yaml"], in: folder.url)
                #expect(load.status == 0, "\(load.stderrText)")
            }
        }
    }

    @Test(arguments: [["1.csv", "2.csv"], ["2.csv", "1.csv"]])
    func theSecondLoadIsRefusedUntilItIsWaived(files: [String]) throws {
        try TemporaryFolder.with { folder in
            try write(in: folder)
            #expect(try fixture.run(["load", files[0]], in: folder.url).status == 0)
            let failed = try fixture.run(["load", files[1]], in: folder.url)
            #expect(failed.status == 65)
            #expect(failed.stderrText.contains("leg_id"))
            let list = try fixture.run(["quarantine", "list", "--format", "csv"], in: folder.url).stdoutText
            let row = try #require(list.split(whereSeparator: \.isNewline).dropFirst().first).split(separator: ",")
            #expect(row[4] == "columns_gone")
            let waive = ["quarantine", "waive", String(row[1].prefix(8)), "--reason", "Other trips."]
            #expect(try fixture.run(waive, in: folder.url).status == 0)
            #expect(try fixture.run(["load", files[1]], in: folder.url).status == 0)
        }
    }

    /// Without a trip id the incident is the trip, also where its costs are compared.
    @Test func unitsOfIncidentsHaveCosts() throws {
        try TemporaryFolder.with { folder in
            let rows = (0..<80).map { "I\($0 / 2),M\($0 % 2),2025-01-\($0 / 2 % 19 + 10),\(100 + $0 / 2)\n" }.joined()
            try folder.write("incident,unit,day,cost\n" + rows, to: "units.csv")
            try folder.write(
                """
                source: cad
                records: units
                columns: {incident_id: incident, vehicle_id: unit, service_date: day, cost: cost}

                """, to: "units.yaml")
            let result = try fixture.run(
                ["scan", "units.csv", "--profile", "units.yaml", "--internal", "--format", "csv"], in: folder.url)
            #expect(result.status == 0 && result.stderrText.contains("added 80 +"), "\(result.stderrText)")
            #expect(result.stderrText.contains("have the same cost in each of them"), "\(result.stderrText)")
        }
    }
}
