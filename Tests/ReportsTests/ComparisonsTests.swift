import Basics
import KPIContract
import Reports
import TestSupport
import Testing
import Trips

struct ComparisonsTests {
    /// January 2025 with 20 trips, one more each month, of $10 each; without the months left out.
    private func comparisons(months: Int, without gaps: Set<Int> = [], small: Int? = nil) throws
        -> [KPISummaryV1.Comparison]
    {
        var groups = TripGroups()
        for offset in 0..<months where !gaps.contains(offset) {
            let month = Month(year: 2025, month: 1).advanced(by: offset)
            groups.add(offset == small ? 5 : 20 + offset, month: month) { $0.costCents = 1_000 }
        }
        return try ReportFixture.report(groups).summary.comparisons
    }

    @Test("A month is compared with the month and the year before")
    func monthAndYear() throws {
        let all = try comparisons(months: 14)
        #expect(all.map(\.month).first == "2025-01" && all.count == 14)
        #expect(all[0].previousMonthTrips == nil && all[0].monthOverMonth == nil && all[0].yearOverYear == nil)
        // 21 after 20.
        #expect(all[1].monthOverMonth == Share(tenThousandths: 500))
        // 32 after 20.
        #expect(all[12].yearOverYear == Share(tenThousandths: 6_000) && all[12].previousYearTrips == 20)
    }

    @Test("Twelve months are summed only when all twelve are there")
    func rolling() throws {
        let all = try comparisons(months: 13)
        #expect(all[10].rolling12Trips == nil)
        #expect(all[11].rolling12Trips == (20...31).reduce(0, +))
        #expect(all[12].rolling12Cost == Cents(cents: (21...32).reduce(0, +) * 1_000))
        #expect(try comparisons(months: 13, without: [5]).last?.rolling12Trips == nil)
        #expect(try comparisons(months: 13, small: 5).last?.rolling12Trips == nil)
    }

    @Test("The fiscal year begins in October")
    func fiscalYear() throws {
        let all = try comparisons(months: 14)
        // September 2025: its fiscal year began before the data.
        #expect(all[8].fiscalYear == 2025 && all[8].fiscalYearToDateTrips == nil)
        #expect(all[9].fiscalYear == 2026 && all[9].fiscalYearToDateTrips == 29)
        // October to February.
        #expect(all[13].fiscalYearToDateTrips == 29 + 30 + 31 + 32 + 33)
        #expect(all[13].fiscalYearToDateCost == Cents(cents: 155_000))
    }

    @Test("A withheld month is no operand")
    func withheldOperand() throws {
        let all = try comparisons(months: 13, small: 11)
        #expect(all.count == 12)
        #expect(all[11].previousMonthTrips == nil && all[11].monthOverMonth == nil)
        #expect(all[11].fiscalYearToDateTrips == nil)
    }
}
