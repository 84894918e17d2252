import Basics
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips

struct SummaryReportTests {
    @Test("A month whose total may not be shown is in no figure, but is named")
    func withheldMonth() throws {
        let summary = try ReportFixture.report().summary
        #expect(summary.months == ["2026-01", "2026-02"])
        #expect(summary.chartData == [83, 84])
        #expect(summary.withheldMonths == ["2026-03"])
        #expect(summary.filters.months == ["All", "2026-01", "2026-02"])
        #expect(!summary.cells.contains { $0.month == "2026-03" })
        #expect(!summary.comparisons.contains { $0.month == "2026-03" })
        #expect(summary.totalTrips == 83 + 84)
    }

    @Test("An internal report withholds no month and is marked in its privacy statement")
    func internalReport() throws {
        let report = try ReportFixture.report(audience: .staff)
        #expect(report.isInternal)
        #expect(report.summary.months.count == 3 && report.summary.withheldMonths.isEmpty)
        #expect(report.summary.chartData == [83, 84, 4])
        #expect(report.summary.privacy.statement.hasPrefix("INTERNAL: contains small counts"))
        #expect(report.summary.privacy.suppressedCells == 0)
        #expect(report.summary.cells.allSatisfy { $0.trips != nil && !$0.suppressed && !$0.sourcingSuppressed })
    }

    @Test("The app's own numbers are those of all trips")
    func headlines() throws {
        let report = try ReportFixture.report(audience: .staff)
        #expect(report.summary.totalTrips == 171)
        // 40 + 41 + 30 in-house of those and 60 contracted: 111 of 171.
        #expect(report.summary.inHousePercent == 65)
        #expect(report.summary.cost == Cents(cents: (81 * 41_250 + 50 * 98_765 + 4 * 50_000 + 67) / 135))
        #expect(report.withheldHeadlines.isEmpty)
    }

    @Test("A headline that is hidden stands as 0 and is named in the privacy statement and on its card")
    func hiddenHeadline() throws {
        var groups = ReportFixture.quarter()
        groups.groups = groups.groups.filter { $0.sourcing == .inHouse }
        groups.add(4, month: ReportFixture.january, region: 1, tripType: 1) { $0.sourcing = .contracted }
        groups.add(4, month: ReportFixture.january.advanced(by: 1), region: 1, tripType: 1) {
            $0.sourcing = .contracted
        }
        groups.groups.removeAll { $0.tripType == 0 }
        let report = try ReportFixture.report(groups)
        // Four trips of each month are contracted.
        #expect(report.withheldHeadlines == ["inHousePercent"])
        #expect(report.summary.inHousePercent == 0)
        #expect(report.summary.privacy.statement.contains("given as 0: inHousePercent."))
        let card = try #require(report.summary.kpiCards.first { $0.id == "inHousePercent" })
        #expect(card.value == "Hidden" && card.trend == nil && card.chartData.isEmpty)
        #expect(card.accessibilityLabel == "In-house: hidden.")
    }

    @Test("A mean that is left out though its counts are shown is hidden on its card, and named as withheld")
    func meanLeftOut() throws {
        var groups = ReportFixture.quarter()
        // An interval without length adds up to nothing: its mean follows from no other.
        groups.pairs[.duration] = EventPair(.completed, .completed)
        let summary = try ReportFixture.report(groups).summary
        #expect(summary.cells[0].duration.used ?? 0 > 0 && summary.cells[0].duration.mean == nil)
        let card = try #require(summary.kpiCards.first { $0.id == "averageDuration" })
        #expect(card.value == "Hidden" && card.accessibilityLabel.hasPrefix("Average duration: hidden."))
        #expect(summary.withheldHeadlines == ["avgDuration"])
    }

    @Test("No trips give zeros and no cards' figures, and no headline counts as hidden")
    func noTrips() throws {
        let report = try ReportFixture.report(TripGroups())
        #expect(report.summary.totalTrips == 0 && report.summary.avgDuration == Tenths(tenths: 0))
        #expect(report.summary.cost == Cents(cents: 0) && report.summary.inHousePercent == 0)
        #expect(report.summary.chartData.isEmpty && report.summary.comparisons.isEmpty)
        #expect(report.withheldHeadlines.isEmpty)
        #expect(report.summary.kpiCards.map(\.value) == ["0", "None", "None", "None", "None"])
    }

    @Test("Cards keep their ids, say their trend and end their label as a sentence")
    func cards() throws {
        let cards = try ReportFixture.report().summary.kpiCards
        #expect(cards.map(\.id) == ["totalTrips", "inHousePercent", "costPerTrip", "averageDuration", "responseP90"])
        #expect(cards.allSatisfy { $0.accessibilityLabel.hasSuffix(".") })
        #expect(cards.first?.trend == "up" && cards.first?.chartData == [83, 84])
        #expect(
            cards.first?.accessibilityLabel
                == "Total trips: 167, 2026-01 to 2026-02. The latest complete month is up on the month before. "
                + "Chart of 2 months, 2026-01 to 2026-02: from 83 to 84.")
        #expect(
            cards.first { $0.id == "inHousePercent" }?.accessibilityLabel.hasSuffix(
                ": from 66 percent to 67 percent.")
                == true)
        var groups = ReportFixture.quarter()
        groups.groups.removeLast()
        let shown = try ReportFixture.report(groups).summary.kpiCards
        #expect(shown.first?.trend == "up")
        #expect(shown.first?.accessibilityLabel.contains("up on the month before") == true)
        #expect(shown.first?.chartData == [83, 84])
    }

    @Test("A chart in words names the least and the most month, equal figures once, and months without a figure")
    func chartInWords() throws {
        var groups = ReportFixture.quarter()
        groups.add(30, month: ReportFixture.january.advanced(by: 3), region: 1, tripType: 1)
        let cards = try ReportFixture.report(groups).summary.kpiCards
        #expect(
            cards.first?.accessibilityLabel.hasSuffix(
                "Chart of 3 months, 2026-01 to 2026-04: from 83 to 30; least 30 in 2026-04, most 84 in 2026-02. "
                    + "Months without a figure are left out.") == true)
        #expect(cards.last?.accessibilityLabel.hasSuffix("2026-01 to 2026-02: 30 minutes in each.") == true)
        let duration = cards.first { $0.id == "averageDuration" }
        #expect(duration?.accessibilityLabel.hasSuffix(": 57 minutes 25 seconds in each.") == true)
    }

    @Test("Interval pairs that differ from the standard are said in the date basis")
    func intervalPairs() throws {
        var groups = ReportFixture.quarter()
        groups.pairs[.duration] = EventPair(.unitNotified, .arrived)
        let report = try ReportFixture.report(groups)
        #expect(report.intervalNotes == ["duration runs from unit_notified_at to arrived_at"])
        #expect(
            report.summary.dateBasis
                == "local dates of America/Chicago; duration runs from unit_notified_at to arrived_at")
    }

    @Test("The facts of the run are carried over")
    func facts() throws {
        let summary = try ReportFixture.report().summary
        #expect(summary.generatedAt == "2026-04-01T12:00:00Z")
        #expect(summary.dataThrough == "2026-03-30")
        #expect(summary.quality.freshness == .init(newestTrip: "2026-03-30", ageDays: 2))
        // Counts of records and warnings are for staff.
        #expect(summary.quality.read == nil && summary.quality.added == nil && summary.quality.rejected == nil)
        #expect(summary.quality.exports == nil && summary.quality.missingDayCount == nil)
        #expect(summary.quality.warnings["bad_cost"] == .some(nil))
        let staff = try ReportFixture.report(audience: .staff).summary.quality
        #expect(staff.read == 190 && staff.rejected == 5)
        #expect(staff.warnings["interval_missing"] == .some(40) && staff.warnings["bad_time"] == .some(0))
        #expect(summary.monthEvent.hasPrefix("unit_notified_at, en_route_at"))
        #expect(summary.monthEvent.hasSuffix("requested_at, service_date"))
    }
}
