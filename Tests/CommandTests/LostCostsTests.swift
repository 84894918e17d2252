import Foundation
import TestSupport
import Testing

/// An export that has lost costs which the exports before it had.
@Suite struct LostCostsTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// - Parameter missing: of each hundred trips, so many have no cost.
    private static func export(night: Int, missing: Int) -> String {
        "trip_id,service_date,cost\n"
            + (0..<100).map { "N\(night)-\($0),2025-0\(night)-\($0 % 19 + 10),\($0 < missing ? "" : "\($0).50")\n" }
            .joined()
    }

    private func load(_ missing: [Int], in folder: TemporaryFolder) throws -> [CommandResult] {
        try missing.enumerated().map { index, missing in
            let night = index + 1
            try folder.write(Self.export(night: night, missing: missing), to: "trips_2025-0\(night)-28.csv")
            return try fixture.run(["load", "trips_2025-0\(night)-28.csv"], in: folder.url)
        }
    }

    @Test func aTenthFailsTheExportUntilItIsWaived() throws {
        try TemporaryFolder.with { folder in
            let results = try load([2, 0, 13], in: folder)
            #expect(results.map(\.status) == [0, 0, 65])
            let said = results[2].stderrText
            #expect(said.contains("87 of 100 completed trips have a cost, 87 %"), "\(said)")
            #expect(said.contains("at least 98 % had one"))
            let list = try fixture.run(["quarantine", "list", "--format", "csv"], in: folder.url).stdoutText
            let row = try #require(list.split(whereSeparator: \.isNewline).dropFirst().first).split(separator: ",")
            #expect(row[4] == "columns_gone")
            let waive = ["quarantine", "waive", String(row[1].prefix(8)), "--reason", "Bills come later."]
            #expect(try fixture.run(waive, in: folder.url).status == 0)
            #expect(try fixture.run(["load", "trips_2025-03-28.csv"], in: folder.url).status == 0)
            // What was accepted is the measure from now on.
            try folder.write(Self.export(night: 4, missing: 15), to: "trips_2025-04-28.csv")
            #expect(try fixture.run(["load", "trips_2025-04-28.csv"], in: folder.url).status == 0)
        }
    }

    @Test(arguments: [[0, 9], [50, 52], [100, 0], [20, 0, 25]])
    func lessIsADifferenceOfNights(missing: [Int]) throws {
        try TemporaryFolder.with { folder in
            let results = try load(missing, in: folder)
            #expect(results.allSatisfy { $0.status == 0 })
        }
    }

    /// Exports of another kind have other shares.
    @Test func exportsOfAnotherKindAreNotCompared() throws {
        try TemporaryFolder.with { folder in
            #expect(try load([0], in: folder)[0].status == 0)
            try folder.write(Self.export(night: 2, missing: 90), to: "voids_2025-02-28.csv")
            #expect(try fixture.run(["load", "voids_2025-02-28.csv"], in: folder.url).status == 0)
        }
    }
}
