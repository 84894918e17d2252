import Basics
import Foundation
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips

@Suite struct CellExplanationReportTests {
    private static let january = Month(year: 2024, month: 1)

    private static func report(_ cell: CellKey) throws -> CellExplanationReport {
        var groups = TripGroups()
        groups.add(40, month: january, region: 1, tripType: 1)
        groups.add(8, month: january, region: 2, tripType: 1)
        groups.add(7, month: january, region: 2, tripType: 2) { $0.costCents = 5 }
        let tally = groups.tally()
        let release = try Publishable(
            releasing: [.init(month: january, partition: PartitionRule().partition(of: january, in: tally))],
            tally: tally, withholding: [], context: groups.context)
        let summary = SummaryReport(release, facts: ReportFixture.facts).summary
        return CellExplanationReport(CellExplanation(of: cell, in: summary))
    }

    @Test func aCellThatIsNotShownIsExplainedInAFewSentences() throws {
        let report = try Self.report(CellKey(month: "2024-01", region: "South", tripType: "Emergency"))
        #expect(
            report.lines == [
                "South, Emergency, 2024-01: not shown by itself.",
                "Trips are shown in groups of at least 11 trips and patients. Whatever trips the cell has, perhaps none, "
                    + "are shown only in the group of all of South (15 trips in 2024-01).",
                "What would show it:",
                "- See “South, all trip types, 2024-01”: it holds this cell and leaves no trip out.",
                "- If there are trips without a trip type, map their values: they are merged with these.",
                "- See the staff figures (--audience staff): every figure, for the health system's own people.",
            ])
    }

    @Test func aMeasureThatIsNotShownIsNamed() throws {
        let lines = try Self.report(CellKey(region: "South")).lines
        #expect(
            lines.first
                == "South, all trip types, all months: all its trips are counted, but not every measure is of all of them."
        )
        #expect(lines.contains { $0.hasPrefix("Cost: not shown. Too few trips") }, "\(lines)")
        #expect(
            lines.contains { $0.hasPrefix("In-house cost: not shown. A month has fewer than 11 such trips") },
            "\(lines)")
    }

    @Test func theObjectSaysTheSame() throws {
        let report = try Self.report(CellKey(month: "2024-01", region: "South", tripType: "Emergency"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
        #expect(object["state"] as? String == "suppressed" && object["region"] as? String == "South")
        let reasons = try #require(object["reasons"] as? [[String: Any]])
        #expect(reasons.count == 1 && reasons[0]["code"] as? String == "merged" && reasons[0]["trips"] as? Int == 15)
        #expect((reasons[0]["cells"] as? [[String: String]])?.count == 3)
        let remedies = try #require(object["remedies"] as? [[String: Any]])
        #expect(remedies.map { $0["code"] as? String } == ["widerCell", "mapTripTypes", "staff"])
        #expect(report.lines.contains("- " + (remedies[1]["text"] as? String ?? "")))
    }

    @Test func aRevisionThatIsPendingIsInTheDocument() throws {
        var summary = SummaryReport(try ReportFixture.publishable(ReportFixture.quarter()), facts: ReportFixture.facts)
            .summary
        let cell = try #require(
            summary.cells.firstIndex { $0.month == "2026-01" && $0.region == "North" && $0.tripType == "Emergency" })
        summary.cells[cell].revisionPending = true
        summary.cells[cell].incompleteMeasures = []
        summary.cells[cell].sourcingBasis = "classified"
        let explanation = CellExplanation(
            of: CellKey(month: "2026-01", region: "North", tripType: "Emergency"), in: summary)
        #expect(
            explanation.lines.prefix(2) == [
                "North, Emergency, 2026-01: shown, and its figures are of all its trips.",
                "Some trips of its groups are late or were corrected after the release; the figures are those of the release.",
            ])
        let wait = """
            Wait for the next revision (tripkpi publish --revise): it takes up changes where there are enough. Other \
            corrections are in the staff figures only.
            """
        let staff = "See the staff figures (--audience staff): every figure, for the health system's own people."
        #expect(explanation.paragraphs.last == "What would show it: \(wait) \(staff)")
    }

    @Test func staffAndOlderDocumentsHaveNothingToExplain() throws {
        var summary = try ReportFixture.report(audience: .staff).summary
        #expect(CellExplanation(of: CellKey(), in: summary).paragraphs.isEmpty)
        summary.audience = nil
        #expect(CellExplanation(of: CellKey(region: "South"), in: summary).paragraphs.isEmpty)
    }

    @Test func aValueMayHoldBraces() {
        #expect(CellSentence.withheld.text(["cell": "{cell} {x"]) == "{cell} {x: not shown.")
    }
}
