import Privacy
import Reports
import TestSupport
import Testing
import Trips

/// Every output of the made-up quarter, to the byte.
struct OutputSnapshotTests {
    @Test("The summary", arguments: [DisclosureMode.suppressed, .internalUse])
    func json(mode: DisclosureMode) throws {
        let report = try ReportFixture.report(mode: mode)
        Snapshot.expect(text(JSONReport().bytes(report)), matches: name("summary", mode, "json"))
    }

    @Test("The summary of a store without trips")
    func emptyJSON() throws {
        var facts = ReportFixture.facts
        facts.dataThrough = nil
        facts.counts = ReadCounts()
        let report = try ReportFixture.report(TripGroups(), facts: facts)
        Snapshot.expect(text(JSONReport().bytes(report)), matches: "summary-no-trips.json")
    }

    @Test("Cells line by line", arguments: [DisclosureMode.suppressed, .internalUse])
    func ndjson(mode: DisclosureMode) throws {
        let report = try ReportFixture.report(mode: mode)
        Snapshot.expect(text(NDJSONReport().bytes(report)), matches: name("cells", mode, "ndjson"))
    }

    @Test("Cells as CSV", arguments: [DisclosureMode.suppressed, .internalUse])
    func csv(mode: DisclosureMode) throws {
        let report = try ReportFixture.report(mode: mode)
        Snapshot.expect(text(CSVReport().bytes(report)), matches: name("cells", mode, "csv"))
    }

    @Test("The table for a terminal", arguments: [DisclosureMode.suppressed, .internalUse])
    func table(mode: DisclosureMode) throws {
        let text = TableReport(color: false).text(try ReportFixture.report(mode: mode))
        Snapshot.expect(text, matches: name("table", mode, "txt"))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func name(_ stem: String, _ mode: DisclosureMode, _ ending: String) -> String {
        "\(stem)\(mode == .internalUse ? "-internal" : "").\(ending)"
    }
}
