import Basics
import Foundation
import KPIContract
import Privacy
import Reports
import TestSupport
import Testing
import Trips
import Workbooks

/// Twelve months together: a sum over a sum, never the mean of the months' own figures.
struct PooledMonthsTests {
    /// A dear month has few trips, so the two differ.
    private static func year() throws -> SummaryReport {
        var groups = TripGroups()
        for place in 0..<12 {
            let month = ReportFixture.january.advanced(by: Int(place))
            groups.add(40 + 10 * place, month: month) {
                $0.costCents = 60_000 - 1_000 * place
                $0.seconds = [.duration: 3_000 + 10 * place, .response: 600 + place]
            }
            groups.add(20, month: month) {
                $0.sourcing = .contracted
                $0.costCents = 70_000
            }
        }
        return try ReportFixture.report(groups, audience: .staff)
    }

    @Test func twelveMonthsAreThoseOfAllTheirTrips() throws {
        let summary = try Self.year().summary
        let months = summary.cells.filter { $0.month != "All" && $0.region == "All" && $0.tripType == "All" }
        let overall = try #require(summary.cells.first)
        for name in ["inHouseShare", "costPerTrip", "duration.mean"] {
            let kpi = try #require(KPICatalog.description(named: name))
            #expect(kpi.pooled(months) == kpi.shownFigure(overall), "\(name)")
            let figures = months.compactMap(kpi.shownFigure)
            #expect(kpi.pooled(months) != figures.reduce(0, +) / figures.count, "\(name)")
        }
        #expect(KPICatalog.description(named: "trips")?.pooled(months) == (overall.trips ?? 0) / 12)
        #expect(KPICatalog.description(named: "response.p90")?.pooled(months) == nil)
    }

    @Test func bothWorkbooksHaveTheSameTwelveMonths() throws {
        let report = try Self.year()
        let cents = try #require(report.summary.cells.first?.costPerTrip?.cents)
        let cost =
            "<v>\(cents / 100)"
            + (cents % 100 == 0 ? "" : ".\(cents % 100 / 10)\(cents % 10 == 0 ? "" : "\(cents % 10)")")
        let month = try withWorkbookFolder { folder in
            try WorkbookReport(report, createdAt: UTCTime(secondsSince1970: 1_775_000_000)).write(
                to: folder + "/kpis.xlsx")
            return try WorkbookArchive(path: folder + "/kpis.xlsx")
        }
        // In the line of the cost per trip: the 12 months, and all months.
        let lines = month.sheet(2).split(separator: "<row ").filter { $0.components(separatedBy: cost).count == 3 }
        #expect(lines.count == 1)
        let costs = try withWorkbookFolder { folder in
            try CostWorkbook(report, ledger: nil, months: nil, createdAt: UTCTime(secondsSince1970: 1_775_000_000))
                .write(to: folder + "/c.xlsx")
            return try WorkbookArchive(path: folder + "/c.xlsx")
        }
        #expect(costs.everything.contains(cost))
    }
}
