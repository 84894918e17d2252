import Basics
import KPIContract
import KPIs
import Workbooks

/// The costs by line must be those of other readings, added up by other code.
extension CostLedger {
    /// Compares each month with the published one.
    ///
    /// - Parameter months: nil: all.
    func reconcile(with summary: KPISummaryV1, _ months: ClosedRange<Month>?) throws(CostsError) {
        var published: [Int32: CostSums] = [:]
        for cell in summary.cells where cell.region == CellKey.all && cell.tripType == CellKey.all {
            guard let month = Month(cell.month), months?.contains(month) ?? true else { continue }
            published[month.index, default: CostSums()].trips += cell.trips ?? 0
            published[month.index, default: CostSums()].costCents += cell.totalCost?.cents ?? 0
        }
        let lines = period.grouped(by: \.month)
        for month in Set(lines.keys).union(published.keys).sorted() {
            let line = lines[month] ?? CostSums(), other = published[month] ?? CostSums()
            let trips = line.trips - other.trips, cost = line.costCents - other.costCents
            guard trips == 0, cost == 0 else { throw .notReconciled(trips: trips, costCents: cost) }
        }
    }

    /// - Parameter trips: those of the period, added up.
    func reconcile(with trips: CostTally) throws(CostsError) {
        let all = Set(period.lines.keys).union(trips.lines.keys)
        let others = all.count { period.lines[$0] != trips.lines[$0] }
        guard others == 0 else { throw .otherLines(others) }
    }
}
