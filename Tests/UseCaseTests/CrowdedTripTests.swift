import KPIs
import Reporting
import TestSupport
import Testing
import Trips
import UseCases

/// One trip that comes thousands of times, and nothing that says which record is newest: the last one counts, and copies
/// of it are unchanged.
@Suite struct CrowdedTripTests {
    private static let header = "trip_id,service_date,cost\n"

    @Test(arguments: [1, 3, 12], [false, true])
    func theLastRecordCountsHoweverOftenTheTripComes(files: Int, isPacked: Bool) throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: UInt64(files))
            var costs: [Int] = []
            var inputs: [String] = []
            for file in 0..<files {
                let own = (0..<6000 / files).map { _ in Int.random(in: 100...140, using: &random) }
                costs += own
                let text = Self.header + own.map { "T1,2026-03-01,\($0).25\n" }.joined()
                let bytes = isPacked ? GzipBytes.stored(Array(text.utf8)) : Array(text.utf8)
                inputs.append(try folder.write(bytes, to: "trips\(file).csv"))
            }
            let last = try #require(costs.last)
            for workers in [1, 4] {
                let plan = ScanRequest(
                    inputs: inputs, rules: try ShippedRules.sample(), workers: workers, blockBytes: 4096)
                let result = try ScanRun(plan).run()
                let copies = costs.count { $0 == last } - 1
                #expect(result.counts.added == 1)
                #expect(result.counts.unchanged == copies)
                #expect(result.counts.superseded == costs.count - 1 - copies)
                let all = result.table.cells.first {
                    $0.scope.month == nil && $0.scope.region == nil && $0.scope.tripType == nil
                }
                #expect(all?.sums.completed.costCents == last * 100 + 25)
            }
        }
    }
}
