import KPIContract
import KPIs
import Privacy
import Trips

extension SummaryReport {
    /// Each month's total against earlier ones. A figure is nil as soon as one of the months it is made of is hidden or
    /// not in the data: a sum with a gap in it is not that sum.
    static func comparisons(_ publishable: Publishable) -> [KPISummaryV1.Comparison] {
        publishable.months.map { month in
            let trips = { (at: Month) in publishable.cell(at: CellScope(month: at))?.trips }
            let cost = { (at: Month) in publishable.cell(at: CellScope(month: at))?.totalCostCents }
            let rolling = (-11...0).map { month.advanced(by: $0) }
            // October is the first month of the federal fiscal year.
            let toDate = (-((month.month + 2) % 12)...0).map { month.advanced(by: $0) }
            let before = trips(month.advanced(by: -1))
            let yearBefore = trips(month.advanced(by: -12))
            return KPISummaryV1.Comparison(
                month: month.description, region: all, tripType: all, trips: trips(month),
                previousMonthTrips: before, previousYearTrips: yearBefore,
                monthOverMonth: change(from: before, to: trips(month)),
                yearOverYear: change(from: yearBefore, to: trips(month)),
                rolling12Trips: sum(rolling, trips), rolling12Cost: sum(rolling, cost).map(Cents.init(cents:)),
                fiscalYear: month.fiscalYear, fiscalYearToDateTrips: sum(toDate, trips),
                fiscalYearToDateCost: sum(toDate, cost).map(Cents.init(cents:)))
        }
    }

    /// The change as a share of the earlier figure; nil from 0.
    private static func change(from earlier: Int?, to later: Int?) -> Share? {
        guard let earlier, let later else { return nil }
        return HalfUp.quotient(later - earlier, times: 10_000, by: earlier).map(Share.init(tenThousandths:))
    }

    private static func sum(_ months: [Month], _ value: (Month) -> Int?) -> Int? {
        var total = 0
        for month in months {
            guard let figure = value(month) else { return nil }
            total += figure
        }
        return total
    }
}
