import Basics
import KPIContract
import KPIs
import Privacy
import Reports
import TestSupport
import Testing
import Trips

/// A month is better or worse than usual by all months of the source, whichever are shown.
struct VerdictsTests {
    private static let first = Month(year: 2024, month: 1)

    /// Twenty months of which the last has twice the trips.
    private static func groups() -> TripGroups {
        var groups = TripGroups()
        for place in 0..<20 {
            groups.add(place == 19 ? 90 : 40 + place % 3, month: first.advanced(by: Int(place))) {
                $0.costCents = 50_000
            }
        }
        return groups
    }

    private static func summary(_ months: ClosedRange<Month>?) throws -> KPISummaryV1 {
        let groups = groups()
        func publishable(_ months: ClosedRange<Month>?) throws -> Publishable {
            try Publishable(
                forStaff: #require(groups.tally().table(groups.context, selection: KPISelection(months: months))))
        }
        return try SummaryReport(
            publishable(months), history: months == nil ? nil : publishable(nil), facts: ReportFixture.facts
        ).summary
    }

    @Test func aMonthHasOneVerdictWhateverIsSelected() throws {
        let whole = try Self.summary(nil)
        let last = Self.first.advanced(by: 19)
        let verdict = { (summary: KPISummaryV1) in
            summary.controlCharts?.chart(of: "trips")?.verdict(of: last.description)
        }
        #expect(verdict(whole) == .higher)
        for months in [last...last, last.advanced(by: -5)...last, Self.first...last] {
            let part = try Self.summary(months)
            #expect(part.controlCharts == whole.controlCharts)
            #expect(verdict(part) == .higher)
            #expect(part.headline?.sentences.first?.contains("(higher than usual)") == true)
        }
        #expect(try whole.filtered(month: last.description).controlCharts == whole.controlCharts)
    }
}
