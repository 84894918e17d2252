import Foundation
import TestSupport
import Testing

/// Exports of one date with other values of the same trips: the file that was changed last counts.
@Suite struct SameDateTests {
    private static let old = export(cost: 100), corrected = export(cost: 250)

    private static func export(cost: Int) -> String {
        "trip_id,service_date,cost\n" + (0..<40).map { "T\($0),2025-01-\($0 % 19 + 10),\(cost)\n" }.joined()
    }

    private struct Summary: Decodable {
        struct Cell: Decodable {
            let month, region, tripType: String
            let totalCost: Double?
        }
        let cells: [Cell]
    }

    /// Loads files of one name, each with a time in seconds, in this order.
    ///
    /// - Returns: the total cost in the store, and what the second load said.
    private func load(
        _ files: [(text: String, seconds: Int)]
    ) throws -> (cost: Double?, messages: String) {
        try TemporaryFolder.with { folder in
            var messages = ""
            let fixture = try CommandFixture()
            for (number, file) in files.enumerated() {
                let name = "\(number)/trips_2025-01-31.csv"
                try folder.write(file.text, to: name)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: Double(file.seconds))],
                    ofItemAtPath: folder.path(of: name))
                let result = try fixture.run(["load", name], in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
                messages = result.stderrText
            }
            let report = try fixture.run(["report", "--internal", "--format", "json", "--quiet"], in: folder.url)
            let summary = try JSONDecoder().decode(Summary.self, from: Data(report.stdout))
            return (
                summary.cells.first { $0.month == "All" && $0.region == "All" && $0.tripType == "All" }?.totalCost,
                messages
            )
        }
    }

    @Test func theNewerFileCountsInAnyOrder() throws {
        let files = [(Self.old, 1_700_000_000), (Self.corrected, 1_700_000_900)]
        #expect(try load(files).cost == 10_000)
        #expect(try load(files.reversed()).cost == 10_000)
        // The values are not the reason.
        let others = [(Self.corrected, 1_700_000_000), (Self.old, 1_700_000_900)]
        #expect(try load(others).cost == 4_000)
        #expect(try load(others.reversed()).cost == 4_000)
        #expect(try !load(others).messages.contains("of the same date"))
    }

    @Test func twoFilesOfOneTimeAreSaid() throws {
        let files = [(Self.old, 1_700_000_000), (Self.corrected, 1_700_000_000)]
        let (cost, messages) = try load(files)
        #expect(messages.contains("40 of its trips have other values in an export of the same date"), "\(messages)")
        #expect(messages.contains("trips_2025-01-31.csv"))
        #expect(try load(files.reversed()).cost == cost)
    }

    /// A copy of the older export gets a later time: it is known by its content.
    @Test func aLaterCopyChangesNothing() throws {
        let files = [
            (Self.old, 1_700_000_000), (Self.corrected, 1_700_000_900), (Self.old, 1_700_009_000),
        ]
        #expect(try load(files).cost == 10_000)
        #expect(try load([files[0], files[2], files[1]]).cost == 10_000)
        #expect(try load(files.reversed()).cost == 10_000)
    }

    /// The month in a name counts, whatever the times of the files.
    @Test func theLaterMonthInANameCounts() throws {
        for names in [("trips-2025-01.csv", "trips-2025-02.csv"), ("202501.csv", "202502.csv")] {
            for isReversed in [false, true] {
                try TemporaryFolder.with { folder in
                    let fixture = try CommandFixture()
                    try folder.write(Self.corrected, to: names.1)
                    try folder.write(Self.old, to: names.0)
                    let files = isReversed ? [names.1, names.0] : [names.0, names.1]
                    let result = try fixture.run(["load"] + files, in: folder.url)
                    #expect(result.status == 0, "\(result.stderrText)")
                    let report = try fixture.run(
                        ["report", "--internal", "--format", "json", "--quiet"], in: folder.url)
                    let summary = try JSONDecoder().decode(Summary.self, from: Data(report.stdout))
                    let all = summary.cells.first { $0.month == "All" && $0.region == "All" && $0.tripType == "All" }
                    #expect(all?.totalCost == 10_000)
                }
            }
        }
    }
}
