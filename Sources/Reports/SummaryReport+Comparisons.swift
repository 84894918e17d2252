package import KPIContract
import KPIs
package import Privacy
package import Trips

extension SummaryReport {
    /// Each month's total against earlier ones. A figure is nil as soon as one of the months it is made of is hidden, not
    /// in the data, or leaves out trips: a sum with a gap in it is not that sum, and different trips are not compared.
    package static func comparisons(of months: [Month], in publishable: Publishable) -> [KPISummaryV1.Comparison] {
        months.map { month in
            let whole = { (at: Month) in
                publishable.cell(at: CellScope(month: at)).flatMap { $0.complete ? $0 : nil }
            }
            let trips = { (at: Month) in whole(at)?.trips }
            let cost = { (at: Month) in
                whole(at).flatMap { $0.incompleteMeasures.contains("cost") ? nil : $0["totalCost"].value }
            }
            let isWhole = whole(month) != nil
            let rolling = (-11...0).map { month.advanced(by: $0) }
            // October is the first month of the federal fiscal year.
            let toDate = (-((month.month + 2) % 12)...0).map { month.advanced(by: $0) }
            let before = isWhole ? trips(month.advanced(by: -1)) : nil
            let yearBefore = isWhole ? trips(month.advanced(by: -12)) : nil
            return KPISummaryV1.Comparison(
                month: month.description, region: all, tripType: all,
                trips: publishable.cell(at: CellScope(month: month))?.trips,
                previousMonthTrips: before, previousYearTrips: yearBefore,
                monthOverMonth: change(from: before, to: trips(month)),
                yearOverYear: change(from: yearBefore, to: trips(month)),
                rolling12Trips: sum(rolling, trips), rolling12Cost: sum(rolling, cost).map(Cents.init(cents:)),
                fiscalYear: month.fiscalYear, fiscalYearToDateTrips: sum(toDate, trips),
                fiscalYearToDateCost: sum(toDate, cost).map(Cents.init(cents:)))
        }
    }

    /// Trips by month, the withheld ones too, as far as the last month that is asked about.
    package static func history(_ publishable: Publishable, upTo last: Month?) -> [MonthOfTrips] {
        guard let last else { return [] }
        return (publishable.months + publishable.withheldMonths).filter { $0 <= last }.sorted()
            .map { month in
                let cell = publishable.cell(at: CellScope(month: month))
                return MonthOfTrips(month: month, trips: cell?.trips, isComplete: cell?.complete ?? true)
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

/// A month's completed trips; nil where they are hidden.
package struct MonthOfTrips: Sendable, Hashable {
    package var month: Month
    package var trips: Int?
    /// False: trips are left out, so it is not compared with other months.
    package var isComplete: Bool

    package init(month: Month, trips: Int?, isComplete: Bool = true) {
        self.month = month
        self.trips = trips
        self.isComplete = isComplete
    }
}
