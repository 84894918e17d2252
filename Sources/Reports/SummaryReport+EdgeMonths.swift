import Basics
import KPIContract
package import KPIs

extension SummaryReport {
    /// First and last months with hardly any trips, by the figures that are shown; the month of the report has only begun.
    package var edgeMonths: EdgeMonths {
        var trips: [Month: Int] = [:]
        for cell in summary.cells where cell.region == CellKey.all && cell.tripType == CellKey.all {
            if let month = Month(cell.month) { trips[month] = cell.trips }
        }
        let edges = EdgeMonths(trips)
        return Month(summary.generatedAt.prefix(7)).map(edges.without) ?? edges
    }
}
