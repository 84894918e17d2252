import KPIContract
import Privacy
import Reports
import TestSupport
import Testing

/// Every form of a release without counts of missing values.
@Suite struct MissingCountsReportTests {
    private let report: SummaryReport

    init() throws { report = try ReportFixture.report(missingCounts: .omit) }

    @Test func theDocumentSaysItAndNamesTheNumbersThatStandAsZero() throws {
        let summary = report.summary
        #expect(summary.privacy.missingCounts == "omitted" && summary.omitsMissingCounts)
        #expect(summary.withheldHeadlines == ["avgDuration", "cost"])
        #expect(summary.avgDuration.tenths == 0 && summary.cost.cents == 0 && summary.totalTrips > 0)
        #expect(summary.privacy.statement.contains(KPISummaryV1.missingCountsLegend))
        #expect(!summary.privacy.statement.contains("other means add up"))
        let cards = Dictionary(uniqueKeysWithValues: summary.kpiCards.map { ($0.id, $0) })
        for id in ["costPerTrip", "averageDuration"] {
            #expect(cards[id]?.value == "Hidden" && cards[id]?.chartData == [] && cards[id]?.trend == nil)
        }
        #expect(cards["costPerTrip"]?.subtitle == "costed trips hidden")
        #expect(
            cards["averageDuration"]?.subtitle == "counts hidden" && cards["responseP90"]?.subtitle == "counts hidden")
        #expect(cards["responseP90"]?.value != "Hidden")
        let text = String(decoding: JSONReport().bytes(report), as: UTF8.self)
        #expect(text.contains("\"missingCounts\": \"omitted\""))
        for key in ["used", "excluded", "mean", "costedTrips", "costPerTrip"] {
            #expect(!text.contains(try Regex("\"\(key)\": ?[0-9]")), "\(key)")
        }
    }

    @Test func byDefaultTheDocumentHasNoSuchKey() throws {
        let text = String(decoding: JSONReport().bytes(try ReportFixture.report()), as: UTF8.self)
        #expect(!text.contains("missingCounts") && !text.contains("missing_counts"))
    }

    @Test func linesAndTheTerminalShowTheFiguresAsHidden() throws {
        let lines = String(decoding: CSVReport().bytes(report), as: UTF8.self).split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let left = [
            "costed_trips", "cost_per_trip_dollars", "duration_used", "scene_excluded", "response_mean_seconds",
        ]
        for column in left {
            let place = try #require(lines[0].firstIndex(of: column))
            #expect(lines.dropFirst().allSatisfy { $0[place].isEmpty }, "\(column)")
        }
        let p90 = try #require(lines[0].firstIndex(of: "response_p90_seconds"))
        #expect(lines.dropFirst().contains { !$0[p90].isEmpty })
        let ndjson = String(decoding: NDJSONReport().bytes(report), as: UTF8.self)
        #expect(!ndjson.contains(try Regex("\"(used|excluded|mean|costedTrips|costPerTrip)\":[0-9]")))
        let table = TableReport(color: false).text(report)
        #expect(table.contains("Left out by the setting missing_counts"))
        #expect(table.contains(try Regex("Cost/trip +• +• +•")))
        #expect(table.contains(try Regex("Duration +• +• +• +[0-9]")))
        #expect(!TableReport(color: false).text(try ReportFixture.report()).contains("missing_counts"))
    }
}
