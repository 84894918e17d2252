import ExportBytes
import Intake
import Reporting
import TestSupport
import Testing
import Trips
import UseCases

/// A broken quote hides no record: each line that cannot be read after it is rejected by itself.
@Suite struct StrayQuoteTests {
    private static let header = "trip_id,notes,unit_notified_at,on_scene_at,status,trip_type,cost"

    private static func text(_ count: Int, note: (Int) -> String) -> String {
        ([header] + (1...count).map { "T\($0),\(note($0)),2026-03-01 10:00:00,,completed,Emergency,12.50" })
            .joined(separator: "\n") + "\n"
    }

    private static func plan(
        _ path: String, limit: Int?, blockBytes: Int = 1 << 18, workers: Int = 1
    ) throws -> ScanRequest {
        ScanRequest(
            inputs: [path], rules: try ShippedRules.sample(), workers: workers, isUnique: true, blockBytes: blockBytes,
            maximumRejectPerMillion: limit)
    }

    @Test(arguments: [
        // A quote in each note to the end; text after a quote; one quote before rows with a comma too many.
        ({ @Sendable (row: Int) in row > 600 ? "\"abc" : "" }, 400),
        ({ @Sendable row in (101...400).contains(row) ? "\"say \"hi\" now\"" : "" }, 300),
        ({ @Sendable row in (301...900).contains(row) ? "\"6ft\"x" : "" }, 600),
        ({ @Sendable row in row == 101 ? "\"abc" : (102...300).contains(row) ? "a,b" : "" }, 200),
    ])
    func eachLineThatIsLostIsRejected(note: @Sendable (Int) -> String, lost: Int) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(Self.text(1000, note: note), to: "trips.csv")
            let error = #expect(throws: ExportError.self) { try ScanRun(Self.plan(path, limit: nil)).run() }
            #expect(error.map { FailureKind(of: $0) } == .data)
            for (block, workers) in [(64, 1), (300, 7), (4096, 2), (1 << 18, 1)] {
                let result = try ScanRun(
                    Self.plan(path, limit: 1_000_000, blockBytes: block, workers: workers)
                ).run()
                #expect(result.counts.read == 1000)
                #expect(result.counts.rejected == lost)
                #expect(result.counts.added == 1000 - lost)
            }
        }
    }

    /// Rows of another width between two stray quotes.
    @Test func swallowedRowsOfAnotherWidthFailTheFile() throws {
        try TemporaryFolder.with { folder in
            let rows = (1...1000).map { row -> String in
                let note =
                    switch row {
                    case 101: "\"refused"
                    case 901: "late\""
                    case 102...900: "a,b"
                    default: ""
                    }
                return "T\(row),2026-03-01 10:00:00,,completed,Emergency,12.50,\(note)"
            }
            let text = (["trip_id,unit_notified_at,on_scene_at,status,trip_type,cost,notes"] + rows)
                .joined(separator: "\n")
            let path = try folder.write(text + "\n", to: "trips.csv")
            let error = #expect(throws: ExportError.self) { try ScanRun(Self.plan(path, limit: nil)).run() }
            #expect(error?.problem.hasPrefix("800 lines inside quoted fields look like records") == true)
        }
    }

    /// The lines of the last record's note are no footers.
    @Test func linesOfABrokenLastRecordAreRejected() throws {
        try TemporaryFolder.with { folder in
            let text = Self.text(1000) { $0 == 1000 ? "\"at the gate\nof the home\nno answer" : "" }
            let path = try folder.write(text, to: "trips.csv")
            let result = try ScanRun(Self.plan(path, limit: nil)).run()
            #expect(result.counts.rejected == 3)
            #expect(result.counts.skipped == 0)
        }
    }

    /// A report of a crew in a quoted note, each line with a time of day and commas.
    @Test func linesOfAReportAreNoRecords() throws {
        try TemporaryFolder.with { folder in
            let note =
                "\"08:10 at scene, BP 120/80, HR 80, alert, calm, no pain\n08:20 left, quiet, stable, on side, O2, ok\""
            let path = try folder.write(Self.text(300) { _ in note }, to: "trips.csv")
            let result = try ScanRun(Self.plan(path, limit: nil)).run()
            #expect(result.counts.added == 300)
            #expect(result.files.first?.findings.swallowedLines == 0)
        }
    }
}
