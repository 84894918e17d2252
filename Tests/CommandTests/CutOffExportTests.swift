import Foundation
import TestSupport
import Testing

/// A file that was cut off while it was copied.
@Suite struct CutOffExportTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    private static let quoted =
        "trip_id,service_date,notes,cost\n" + (0..<40).map { "SYN-\($0),2024-01-\($0 % 20 + 10),x,1.00\n" }.joined()
    private static let whole = CommandFixture.trips(60)
    private static let json =
        (0..<40).map { "{\"trip_id\": \"SYN-\($0)\", \"service_date\": \"2024-01-\($0 % 20 + 10)\"}" }
        .joined(separator: "\n")

    @Test(arguments: [
        ("csv", String(whole.dropLast(20)), true), ("csv", String(whole.dropLast(1)), false),
        ("csv", whole + "(60 rows affected)", false), ("csv", whole + "\u{1A}", false),
        ("ndjson", json + "\n  ", false),
        // The last line may be the end of a text in quotes.
        ("csv", quoted + "SYN-90,2024-01-11,\"first\nlast\",1.00", false), ("csv", quoted + "SYN-90,2024-0", true),
        ("ndjson", json, false), ("ndjson", String(json.dropLast(9)), true),
    ])
    func itIsNotLoaded(ending: String, text: String, isCutOff: Bool) throws {
        try TemporaryFolder.with { folder in
            try folder.write(text, to: "inbox/trips_1.\(ending)")
            try folder.write(Self.whole.replacingOccurrences(of: "SYN-", with: "OTHER-"), to: "inbox/fleet_0.csv")
            let scan = try fixture.run(["scan", "inbox/trips_1.\(ending)", "--max-reject", "50%"], in: folder.url)
            #expect(scan.status == 0)
            #expect(scan.stderrText.contains("it ends within a record: it may be cut off") == isCutOff)
            let run = try fixture.run(["run", "--max-reject", "50%"], in: folder.url)
            #expect(run.status == (isCutOff ? 65 : 0), "\(run.stderrText)")
            #expect(run.stderrText.contains("(cut_off)") == isCutOff)
        }
    }

    /// The record that is cut off is no share of bad records: of a few it would be too many.
    @Test func aSmallExportIsCutOffToo() throws {
        try TemporaryFolder.with { folder in
            let text = String(CommandFixture.trips(12).dropLast(20))
            try folder.write(text, to: "inbox/trips_1.csv")
            let run = try fixture.run(["run"], in: folder.url)
            #expect(run.status == 65 && run.stderrText.contains("(cut_off)"), "\(run.stderrText)")
            let listed = try fixture.run(["quarantine", "list"], in: folder.url)
            let hash = try #require(listed.stdoutText.firstMatch(of: /[0-9a-f]{12}/)?.output)
            let waived = try fixture.run(
                ["quarantine", "waive", "\(hash)", "--reason", "the rest is lost"], in: folder.url)
            #expect(waived.status == 0, "\(waived.stderrText)")
            let again = try fixture.run(["run"], in: folder.url)
            #expect(again.status == 0 && again.stderrText.contains("11 added"), "\(again.stderrText)")
        }
    }
}
