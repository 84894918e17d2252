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
                "- See the staff figures (--audience staff): every figure, for the health system's own people.",
            ])
    }

    @Test func aMeasureThatIsNotShownIsNamed() throws {
        let lines = try Self.report(CellScope(region: 2)).lines
        #expect(
            lines.first
                == "South, all trip types, all months: all its trips are counted, but not every measure is of all of them."
        )
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

    /// Every cell of made-up months, of which some are too small for a group.
    private static func populations() -> [TripGroups] {
        var random = SplitMix64(seed: 11)
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        return (0..<24).map { turn in
            var groups = TripGroups()
            for offset in 0..<3 {
                for leaf in 0..<9 {
                    let trips = [0, 2, 5, 9, 14, 40][number(6)]
                    guard trips > 0, offset < 2 || turn.isMultiple(of: 3) || leaf == 4 else { continue }
                    groups.add(
                        trips, month: january.advanced(by: offset), region: UInt8(leaf / 3), tripType: UInt8(leaf % 3)
                    ) {
                        $0.sourcing = [.inHouse, .contracted, .unclassified][number(3)]
                        $0.costCents = number(3) > 0 ? 40_000 : nil
                        $0.loadedHundredths = number(3) > 0 ? 1_000 : nil
                        $0.seconds = number(3) > 0 ? [.duration: 3_000, .response: 600, .turnaround: 60] : [:]
                        $0.cancelled = number(15)
                        $0.noShow = number(30)
                    }
                }
            }
            return groups
        }
    }

    @Test func theDocumentAloneExplainsItsCellsAsTheReportDoes() throws {
        var explained = 0, sentences: Set<String> = []
        for groups in Self.populations() {
            guard let release = try? ReportFixture.publishable(groups) else { continue }
            let summary = SummaryReport(release, facts: ReportFixture.facts).summary
            for (cell, written) in zip(release.cells, summary.cells) {
                let report = CellExplanationReport(
                    CellExplanation(of: cell.scope, in: release, on: nil), regions: groups.regions,
                    tripTypes: groups.tripTypes)
                let lines = report.lines.filter { !$0.hasPrefix("The mean of") }
                let reasons = lines.dropFirst().filter {
                    !$0.hasPrefix("- See the staff") && $0 != "What would show it:"
                }
                let paragraph = lines.map { $0.hasPrefix("- ") ? String($0.dropFirst(2)) : $0 }.joined(separator: " ")
                let account = summary.account(
                    month: written.month, region: written.region, tripType: written.tripType)
                #expect(account.paragraphs.joined(separator: " ") == (reasons.isEmpty ? "" : paragraph))
                explained += reasons.isEmpty ? 0 : 1
                sentences.formUnion(CellSentence.allCases.filter { paragraph.contains($0.text()) }.map(\.rawValue))
            }
        }
        #expect(explained > 200)
        #expect(sentences.isSuperset(of: ["mapRegions", "mapTripTypes", "classifyTrips", "completeValues"]))
    }

    @Test func aRevisionThatIsPendingIsInTheDocument() throws {
        var summary = SummaryReport(try ReportFixture.publishable(ReportFixture.quarter()), facts: ReportFixture.facts)
            .summary
        let cell = try #require(
            summary.cells.firstIndex { $0.month == "2026-01" && $0.region == "North" && $0.tripType == "Emergency" })
        summary.cells[cell].revisionPending = true
        summary.cells[cell].incompleteMeasures = []
        summary.cells[cell].sourcingBasis = "classified"
        let account = summary.account(month: "2026-01", region: "North", tripType: "Emergency")
        #expect(
            account.reasons == [
                "North, Emergency, 2026-01: shown, and its figures are of all its trips.",
                "Some trips of its groups are late or were corrected after the release; the figures are those of the release.",
            ])
        let wait = """
            Wait for the next revision (tripkpi publish --revise): it takes up changes where there are enough. Other \
            corrections are in the staff figures only.
            """
        let staff = "See the staff figures (--audience staff): every figure, for the health system's own people."
        #expect(account.paragraphs.last == "What would show it: \(wait) \(staff)")
    }

    @Test func staffAndOlderDocumentsHaveNothingToExplain() throws {
        var summary = try ReportFixture.report(audience: .staff).summary
        #expect(summary.account(month: "All", region: "All", tripType: "All").paragraphs.isEmpty)
        summary.audience = nil
        #expect(summary.account(month: "All", region: "South", tripType: "All").paragraphs.isEmpty)
    }

    @Test func aValueMayHoldBraces() {
        #expect(CellSentence.withheld.text(["cell": "{cell} {x"]) == "{cell} {x: not shown.")
    }
}
