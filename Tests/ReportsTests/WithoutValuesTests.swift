import Basics
import Foundation
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips
import Workbooks

/// An export without a column of costs has no costs, and not costs of $0.00; so with miles and times.
struct WithoutValuesTests {
    private static func report(hasCosts: Bool) throws -> SummaryReport {
        var groups = TripGroups()
        for place in 0..<3 {
            groups.add(40, month: ReportFixture.january.advanced(by: place)) {
                if hasCosts && place < 2 { $0.costCents = 1_000 }
                $0.seconds = [.duration: 3_000]
            }
        }
        return try ReportFixture.report(groups, audience: .staff)
    }

    @Test func aMeasureWithoutAnyValueIsNotShown() throws {
        let report = try Self.report(hasCosts: false)
        // The table of used and excluded trips says that none has a cost.
        let parts = TableReport(color: false).text(report).components(separatedBy: "Trips used and excluded")
        let terminal = try #require(parts.first)
        #expect(parts.last?.contains("Cost/trip                          0        120") == true, "\(parts)")
        let markdown = String(decoding: MarkdownReport().bytes(report), as: UTF8.self)
        for text in [terminal, markdown] {
            #expect(!text.contains("ost") && !text.contains("$") && !text.contains("Resp"), "\(text)")
            #expect(text.contains("uration"))
        }
        let archive = try withWorkbookFolder { folder in
            try WorkbookReport(report, createdAt: UTCTime(secondsSince1970: 1_775_000_000)).write(
                to: folder + "/kpis.xlsx")
            return try WorkbookArchive(path: folder + "/kpis.xlsx")
        }
        let table = try #require(archive.parts.first { $0.value.contains("name=\"MonthTotals\"") }?.value)
        #expect(table.contains("Costed trips") && table.contains("Average duration"))
        for title in ["Total cost", "Cost per trip", "Loaded miles", "Response p90"] {
            #expect(!table.contains(title), "\(title)")
        }
        // The document has 0 of 0 costed trips.
        let overall = try #require(report.summary.cells.first)
        #expect(overall.totalCost == Cents(cents: 0) && overall.costedTrips == 0)
    }

    @Test func theCostOfTripsWithoutACostIsUnknown() throws {
        let summary = try Self.report(hasCosts: true).summary
        let kpi = try #require(KPICatalog.description(named: "totalCost"))
        let months = summary.cells.filter { $0.month != "All" && $0.region == "All" && $0.tripType == "All" }
        #expect(months.map { ShownValue(kpi, of: $0) }.last == .costUnknown())
        #expect(months.map { ShownValue(kpi, of: $0).whole } == [40_000, 40_000, nil])
    }
}
