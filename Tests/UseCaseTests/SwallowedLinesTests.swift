import ExportBytes
import Intake
import KPIs
import Reporting
import TestSupport
import Testing
import Trips
import UseCases

/// Two stray quotes make one record of all rows between them. The reader cannot know, but it can say so.
@Suite struct SwallowedLinesTests {
    private static func rows(_ count: Int, notes: (Int) -> String) -> [String] {
        (1...count).map { "T\($0),2026-03-01 10:00:00,completed,12.50,\(notes($0))" }
    }

    private static func file(_ rows: [String], lineEnd: String = "\n", header: String = "") -> String {
        (["trip_id,unit_notified_at,status,cost,notes" + header] + rows).map { $0 + lineEnd }.joined()
    }

    private static func plan(
        _ path: String, limit: Int? = nil, blockBytes: Int = 1 << 18, workers: Int = 1
    ) throws -> ScanRequest {
        ScanRequest(
            inputs: [path], rules: try ShippedRules.sample(), workers: workers, isUnique: true, blockBytes: blockBytes,
            maximumRejectPerMillion: limit)
    }

    /// A quote before the note of one row, and one after that of a later row.
    private static func stray(_ rows: [String], from first: Int, to last: Int) -> [String] {
        var rows = rows
        rows[first - 1] = rows[first - 1].replacing(",note", with: ",\"note")
        rows[last - 1] += "\""
        return rows
    }

    @Test func twoStrayQuotesFailTheFileWithTheirPlace() throws {
        try TemporaryFolder.with { folder in
            let rows = Self.stray(Self.rows(2000) { "note \($0)" }, from: 100, to: 900)
            let path = try folder.write(Self.file(rows), to: "trips.csv")
            let offset = Self.file(Array(rows.prefix(99))).utf8.count
            for (block, workers) in [(64, 1), (300, 7), (4096, 2), (1 << 18, 1)] {
                let plan = try Self.plan(path, blockBytes: block, workers: workers)
                let error = #expect(throws: ExportError.self) { try ScanRun(plan).run() }
                guard let found = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(found.kind == .tooManyRejects)
                #expect(found.offset == offset)
                #expect(found.problem.hasPrefix("800 lines inside quoted fields look like records of their own"))
                #expect(
                    found.problem.hasSuffix(
                        "beside 1200 records read: more than the 1 % allowed; the first lie in record 100"))
                #expect(error.map { FailureKind(of: $0) } == .data)
            }
            let plan = try Self.plan(path, limit: 1_000_000)
            let messages = ScanMessages(try ScanRun(plan).run()).lines
            #expect(messages.contains { $0.hasPrefix("warning:") && $0.contains("800 lines inside quoted fields") })
            #expect(messages.contains("  record 100 at byte \(offset): 800 lines"))
        }
    }

    @Test(arguments: ["\n", "\r\n", "\r"], ["", ","])
    func aFewLinesAreAWarning(lineEnd: String, trailing: String) throws {
        try TemporaryFolder.with { folder in
            let rows = Self.stray(Self.rows(2000) { "note \($0)" }, from: 50, to: 53).map { $0 + trailing }
            let path = try folder.write(Self.file(rows, lineEnd: lineEnd, header: trailing), to: "trips.csv")
            let result = try ScanRun(Self.plan(path)).run()
            #expect(result.counts.read == 1997)
            #expect(result.files.first?.findings.swallowedLines == 3)
            #expect(result.files.first?.findings.swallowings.map(\.recordNumber) == [50])
        }
    }

    @Test func notesOfSeveralLinesAreNoSwallowedLines() throws {
        try TemporaryFolder.with { folder in
            let notes = ["\"one\ntwo\nthree\"", "\"a, b\nc, d, e\n\"", "\"\n\n\n\"", "\"x,y\r\nz\"\"q\"\"\"", "plain"]
            let rows = Self.rows(2000) { notes[$0 % notes.count] }
            for lineEnd in ["\n", "\r\n"] {
                let path = try folder.write(Self.file(rows, lineEnd: lineEnd), to: "trips.csv")
                let result = try ScanRun(Self.plan(path)).run()
                #expect(result.counts.read == 2000)
                #expect(result.files.first?.findings.swallowedLines == 0)
            }
        }
    }

    /// Addresses and notes of a narrow export, each line with as many commas as a row.
    private static let narrow: [(header: String, row: @Sendable (Int) -> String)] = [
        ("trip_id,service_date,origin", { "T\($0),2026-03-01,\"12 Main St\nMiami, FL, 33101\nUSA, Earth, Sun\"" }),
        ("trip_id,service_date", { "\"T\($0)\n\",\"2026-03-01\"" }),
        ("origin,trip_id,service_date", { "\"12 Main St\nMiami, FL, 33101\nApt 4, Bldg 2, Gate\",T\($0),2026-03-01" }),
        (
            "trip_id,service_date,origin,destination,notes",
            {
                "T\($0),2026-03-01,\"1 A St, B, C, FL, 33101\nFifth, Ave, 9, FL, 4\",\"x\ny\",\"a, b, c, d, e\nf, g, h, i, j\""
            }
        ),
        ("region,trip_id,service_date", { "North,T\($0),\"2026-03-01\nSeen, again, later\nand, so, on\"" }),
    ]

    @Test(arguments: narrow.indices)
    func linesOfAddressesInANarrowExportAreNoSwallowedLines(index: Int) throws {
        try TemporaryFolder.with { folder in
            let (header, row) = Self.narrow[index]
            let text = ([header] + (1...400).map(row)).joined(separator: "\n") + "\n"
            let path = try folder.write(text, to: "trips.csv")
            let result = try ScanRun(Self.plan(path, limit: 1_000_000)).run()
            #expect(result.counts.read == 400)
            #expect(result.files.first?.findings.swallowedLines == 0)
        }
    }

    @Test(arguments: [
        ("trip_id,service_date", "T%,2026-03-01"), ("trip_id,service_date,notes", "T%,2026-03-01,note %"),
        ("notes,trip_id,service_date", "note %,T%,2026-03-01"), ("region,service_date,trip_id", "North,2026-03-01,T%"),
        ("service_date,trip_id,cost", "2026-03-01,a-%-b,1.00"),
    ])
    func twoStrayQuotesInANarrowExportFailTheFile(header: String, row: String) throws {
        try TemporaryFolder.with { folder in
            var rows = (1...2000).map { row.replacing("%", with: "\($0)") }
            let field = rows[99].split(separator: ",")
            rows[99] = (field.dropLast() + ["\"" + (field.last ?? "")]).joined(separator: ",")
            rows[899] += "\""
            let path = try folder.write(([header] + rows).joined(separator: "\n") + "\n", to: "trips.csv")
            let error = #expect(throws: ExportError.self) { try ScanRun(Self.plan(path)).run() }
            guard let found = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(found.kind == .tooManyRejects)
            #expect(found.problem.hasPrefix("800 lines inside quoted fields look like records of their own"))
        }
    }
}
