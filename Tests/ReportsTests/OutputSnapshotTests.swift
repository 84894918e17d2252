import Privacy
import Reports
import TestSupport
import Testing
import Trips

/// Every output of the made-up quarter, to the byte.
struct OutputSnapshotTests {
    @Test("The summary", arguments: [Audience.release, .staff])
    func json(audience: Audience) throws {
        let report = try ReportFixture.report(audience: audience)
        Snapshot.expect(text(JSONReport().bytes(report)), matches: name("summary", audience, "json"))
    }

    @Test("The summary of a store without trips")
    func emptyJSON() throws {
        var facts = ReportFixture.facts
        facts.dataThrough = nil
        facts.counts = ReadCounts()
        let report = try ReportFixture.report(TripGroups(), facts: facts)
        Snapshot.expect(text(JSONReport().bytes(report)), matches: "summary-no-trips.json")
    }

    @Test("Cells line by line", arguments: [Audience.release, .staff])
    func ndjson(audience: Audience) throws {
        let report = try ReportFixture.report(audience: audience)
        Snapshot.expect(text(NDJSONReport().bytes(report)), matches: name("cells", audience, "ndjson"))
    }

    @Test("Cells as CSV", arguments: [Audience.release, .staff])
    func csv(audience: Audience) throws {
        let report = try ReportFixture.report(audience: audience)
        Snapshot.expect(text(CSVReport().bytes(report)), matches: name("cells", audience, "csv"))
    }

    @Test("The table for a terminal", arguments: [Audience.release, .staff])
    func table(audience: Audience) throws {
        let text = TableReport(color: false).text(try ReportFixture.report(audience: audience))
        Snapshot.expect(text, matches: name("table", audience, "txt"))
    }

    @Test("The report as Markdown", arguments: [Audience.release, .staff])
    func markdown(audience: Audience) throws {
        let report = try ReportFixture.report(audience: audience)
        Snapshot.expect(text(MarkdownReport().bytes(report)), matches: name("report", audience, "md"))
    }

    @Test("A name cannot become markup")
    func markdownNames() throws {
        var groups = ReportFixture.quarter()
        groups.regions = NamedList(["A|B <b>*x*\u{1B}[1m", "South"])
        let text = text(MarkdownReport().bytes(try ReportFixture.report(groups, audience: .staff)))
        #expect(text.contains(#"| A\|B \<b\>\*x\*?\[1m |"#))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func name(_ stem: String, _ audience: Audience, _ ending: String) -> String {
        "\(stem)\(audience == .staff ? "-internal" : "").\(ending)"
    }
}
