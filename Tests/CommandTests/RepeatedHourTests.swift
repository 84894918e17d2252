import Foundation
import TestSupport
import Testing

/// Times in the hour that comes twice when the clocks go back.
@Suite struct RepeatedHourTests {
    private struct Summary: Decodable {
        struct Cell: Decodable {
            struct Interval: Decodable {
                let used: Int
                let excluded: Int
                let meanSeconds: Double?
            }

            let response: Interval
        }

        let cells: [Cell]
    }

    /// 1:30 may be an hour later than it looks: it is used only where another time of the trip settles that.
    @Test(arguments: [
        // Arrived at 2:10: both instants fit.
        ("01:30:00", "02:10:00", 0), ("00:30:00", "01:30:00", 0),
        ("01:30:00", "01:45:00", 0),
        // Before and after that hour every time is clear.
        ("00:50:00", "00:59:00", 1), ("03:00:00", "03:10:00", 1),
    ])
    func aTimeThatNothingSettlesIsNotUsed(notified: String, arrived: String, used: Int) throws {
        try TemporaryFolder.with { folder in
            let night = "2025-11-02 "
            try folder.write(
                """
                trip_id,service_date,unit_notified_at,on_scene_at
                T1,2025-11-02,\(night)\(notified),\(night)\(arrived)

                """, to: "night.csv")
            let result = try CommandFixture().run(
                ["scan", "night.csv", "--zone", "America/New_York", "--format", "json", "--quiet"], in: folder.url)
            #expect(result.status == 0, "\(result.stderrText)")
            let summary = try JSONDecoder().decode(Summary.self, from: Data(result.stdout))
            #expect(summary.cells[0].response.used == used && summary.cells[0].response.excluded == 1 - used)
        }
    }
}
