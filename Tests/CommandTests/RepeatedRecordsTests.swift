import Foundation
import TestSupport
import Testing

/// Exports without ids, where a record may be a copy of another.
@Suite struct RepeatedRecordsTests {
    private let fixture: CommandFixture
    private static let names = "unit_notified_at,on_scene_at,region,trip_type,cost"
    private static let rows = (0..<300).map {
        "2025-03-\($0 % 20 + 10) 0\($0 / 60):\($0 % 60 + 10 - $0 % 60 / 50 * 10):00,,North,Emergency,\(100 + $0).00"
    }

    init() throws {
        fixture = try CommandFixture()
    }

    private func scan(_ rows: [String], workers: Int = 1, profile: String? = nil) throws -> CommandResult {
        try TemporaryFolder.with { folder in
            try folder.write(rows.joined(separator: "\n") + "\n", to: "export.csv")
            var options = ["--jobs", "\(workers)"]
            if let profile {
                try folder.write(profile, to: "own.yaml")
                options += ["--profile", "./own.yaml"]
            }
            return try fixture.run(
                ["scan", "export.csv", "--audience", "staff", "--format", "json"] + options, in: folder.url)
        }
    }

    @Test(arguments: [[names] + rows + [names] + rows, [names] + rows + rows.prefix(30)])
    func aBlockOfRecordsTwiceIsRefused(rows: [String]) throws {
        let result = try scan(rows)
        #expect(result.status == 65, "\(result.stderrText)")
        #expect(result.stderrText.contains("records are the same as another in all columns"), "\(result.stderrText)")
        let stated = """
            source: own
            records: versions
            columns: {trip_id: none, unit_notified_at: unit_notified_at, region: region, trip_type: trip_type, cost: cost}

            """
        #expect(try scan(rows, profile: stated).status == 0)
    }

    @Test func singleRepeatedRecordsAreSaid() throws {
        let rows = [Self.names] + Self.rows + [Self.rows[3], Self.rows[90], Self.rows[3]]
        let result = try scan(rows, workers: 2)
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(
            result.stderrText.contains("3 records are the same as another in all columns"), "\(result.stderrText)")
        #expect(result.stderrText.contains("added 303"), "\(result.stderrText)")
    }

    /// Many records alike, as a table of dates and flat rates has them.
    @Test func recordsOfFewDifferentValuesAreSaidAndRead() throws {
        let rows = (0..<400).map { "2025-03-\($0 / 40 + 10) 00:00:00,,North,Emergency,\(100 + $0 % 4).00" }
        let result = try scan([Self.names] + rows)
        #expect(result.status == 0, "\(result.stderrText)")
        #expect(result.stderrText.contains("360 records are the same as another"), "\(result.stderrText)")
    }
}
