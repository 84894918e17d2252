import Foundation
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips

@Suite struct CellExplanationReportTests {
    private static let january = Month(year: 2024, month: 1)

    private static func report(_ scope: CellScope) throws -> CellExplanationReport {
        var groups = TripGroups()
        groups.add(40, month: january, region: 1, tripType: 1)
        groups.add(8, month: january, region: 2, tripType: 1)
        groups.add(7, month: january, region: 2, tripType: 2) { $0.costCents = 5 }
        let tally = groups.tally()
        let release = try Publishable(
            releasing: [.init(month: january, partition: PartitionRule().partition(of: january, in: tally))],
            tally: tally, withholding: [], context: groups.context)
        return CellExplanationReport(
            CellExplanation(of: scope, in: release, on: nil), regions: groups.regions, tripTypes: groups.tripTypes)
    }

    @Test func aCellThatIsNotShownIsExplainedInAFewSentences() throws {
        let report = try Self.report(CellScope(month: Self.january, region: 2, tripType: 1))
        #expect(
            report.lines == [
                "South, Emergency, 2024-01: not shown by itself.",
                "Trips are shown in groups of at least 11 trips and patients. Whatever trips the cell has, perhaps none, "
                    + "are shown only in the group of all of South (15 trips in 2024-01).",
                "What would show it:",
                "- See “South, all trip types, 2024-01”: it holds this cell and leaves no trip out.",
                "- Map the values of trips without a trip type: they are merged with these.",
                "- Use --audience staff: every figure, for the health system's own people.",
            ])
    }

    @Test func aMeasureThatIsNotShownIsNamed() throws {
        let lines = try Self.report(CellScope(region: 2)).lines
        #expect(lines.first == "South, all trip types, all months: shown, and its figures are of all its trips.")
        #expect(lines.contains("Cost: not shown. Only 1 to 10 trips of a group have a cost."))
    }

    @Test func theObjectSaysTheSame() throws {
        let report = try Self.report(CellScope(month: Self.january, region: 2, tripType: 1))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
        #expect(object["state"] as? String == "suppressed" && object["region"] as? String == "South")
        let reasons = try #require(object["reasons"] as? [[String: Any]])
        #expect(reasons.count == 1 && reasons[0]["code"] as? String == "merged" && reasons[0]["trips"] as? Int == 15)
        #expect((reasons[0]["cells"] as? [[String: String]])?.count == 3)
        let remedies = try #require(object["remedies"] as? [[String: Any]])
        #expect(remedies.map { $0["code"] as? String } == ["widerCell", "mapTripTypes", "staff"])
        #expect(report.lines.contains("- " + (remedies[1]["text"] as? String ?? "")))
    }
}
