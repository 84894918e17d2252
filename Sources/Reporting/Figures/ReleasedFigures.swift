package import KPIs
package import Privacy
import Trips

/// Released months and their figures by then.
package struct ReleasedFigures: Sendable {
    package var months: [ReleasedMonth]
    /// Holds each of the months as it was released.
    package var tally: KPITally

    package init(months: [ReleasedMonth], tally: KPITally) {
        self.months = months
        self.tally = tally
    }

    /// Of the smallest groups; nil without any month. Months keep the threshold that they were released with.
    package var minimumCell: Int? { months.map(\.partition.minimumCell).min() }
}
