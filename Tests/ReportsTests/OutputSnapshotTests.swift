import Privacy
import Reports
import Testing

/// Every output of the made-up quarter, to the byte.
struct OutputSnapshotTests {
    @Test("The summary", arguments: [DisclosureMode.suppressed, .internalUse])
    func json(mode: DisclosureMode) throws {
        try expectSnapshot(JSONReport().bytes(ReportFixture.report(mode: mode)), named: name("summary", mode, "json"))
    }

    @Test("Cells line by line", arguments: [DisclosureMode.suppressed, .internalUse])
    func ndjson(mode: DisclosureMode) throws {
        try expectSnapshot(NDJSONReport().bytes(ReportFixture.report(mode: mode)), named: name("cells", mode, "ndjson"))
    }

    @Test("Cells as CSV", arguments: [DisclosureMode.suppressed, .internalUse])
    func csv(mode: DisclosureMode) throws {
        try expectSnapshot(CSVReport().bytes(ReportFixture.report(mode: mode)), named: name("cells", mode, "csv"))
    }

    @Test("The table for a terminal", arguments: [DisclosureMode.suppressed, .internalUse])
    func table(mode: DisclosureMode) throws {
        let text = TableReport(color: false).text(try ReportFixture.report(mode: mode))
        try expectSnapshot(Array(text.utf8), named: name("table", mode, "txt"))
    }

    private func name(_ stem: String, _ mode: DisclosureMode, _ ending: String) -> String {
        "\(stem)\(mode == .internalUse ? "-internal" : "").\(ending)"
    }
}
