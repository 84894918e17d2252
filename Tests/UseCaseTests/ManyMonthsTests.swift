import Cluster
import ExportBytes
import Reporting
import TestSupport
import Testing
import Trips
import UseCases

/// Exports whose dates are spread over more years than there were trips to record.
@Suite struct ManyMonthsTests {
    private static func export(_ name: String, months: Range<Int>, in folder: TemporaryFolder) throws -> String {
        let rows = months.map { month in
            let day = "\(1950 + month / 12)-" + (month % 12 < 9 ? "0" : "") + "\(month % 12 + 1)-05"
            return ["T\(month)", "completed", day]
        }
        return try Kind.csv.write([["trip_id", "status", "service_date"]] + rows, name: name, to: folder)
    }

    @Test func fiftyYearsAreReadAndMoreAreRefused() throws {
        try TemporaryFolder.with { folder in
            let rules = try ShippedRules.sample()
            let whole = try Self.export("whole", months: 0..<600, in: folder)
            #expect(try ScanRun(ScanRequest(inputs: [whole], rules: rules, workers: 2)).run().counts.added == 600)
            let more = try Self.export("more", months: 0..<601, in: folder)
            let tail = try Self.export("tail", months: 600..<601, in: folder)
            for inputs in [[more], [whole, tail]] {
                for workers in [1, 2] {
                    let plan = ScanRequest(inputs: inputs, rules: rules, workers: workers, blockBytes: 4096)
                    let error = #expect(throws: ExportError.self) { try ScanRun(plan).run() }
                    #expect(error?.kind == .malformed)
                    #expect(error?.problem.contains("600 months") == true)
                }
            }
        }
    }
}
