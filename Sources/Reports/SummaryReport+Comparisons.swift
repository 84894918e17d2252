package import Basics
import KPIs
package import Privacy

extension SummaryReport {
    /// Trips by month, the withheld ones too, as far as the last month that is asked about.
    package static func history(_ publishable: Publishable, upTo last: Month?, partial: [Month] = []) -> [MonthOfTrips]
    {
        guard let last else { return [] }
        return (publishable.months + publishable.withheldMonths).filter { $0 <= last }.sorted()
            .map { month in
                let cell = publishable.cell(at: CellScope(month: month))
                return MonthOfTrips(
                    month: month, trips: cell?.trips, isComplete: (cell?.complete ?? true) && !partial.contains(month))
            }
    }
}

/// A month's completed trips; nil where they are hidden.
package struct MonthOfTrips: Sendable, Hashable {
    package var month: Month
    package var trips: Int?
    /// False: trips are left out, or days are, so it is not compared with other months.
    package var isComplete: Bool

    package init(month: Month, trips: Int?, isComplete: Bool = true) {
        self.month = month
        self.trips = trips
        self.isComplete = isComplete
    }
}
