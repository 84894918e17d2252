import KPIContract
package import KPIs
import Trips

extension SummaryReport {
    /// First and last months with hardly any trips, by the figures that are shown; the month of the report has only begun.
    package var edgeMonths: EdgeMonths {
        var trips: [Month: Int] = [:]
        for cell in summary.cells where cell.region == Self.all && cell.tripType == Self.all {
            if let month = Month(cell.month) { trips[month] = cell.trips }
        }
        let edges = EdgeMonths(trips)
        return Month(summary.generatedAt.prefix(7)).map(edges.without) ?? edges
    }
}
