package import KPIs
import Trips

/// The counts of a cell as a set showed them; nil is what it hid.
package struct PublishedCounts: Sendable, Hashable {
    package var trips: Int?
    package var cancelled: Int?
    package var noShow: Int?
    /// All three, or none.
    package var bySourcing: SourcingTriple?
    package var costedTrips: Int?
    package var totalCostCents: Int?
    /// By `TripInterval.rawValue`: trips that have it.
    package var used: [Int?]

    package init(
        trips: Int?, cancelled: Int?, noShow: Int?, bySourcing: SourcingTriple?, costedTrips: Int?,
        totalCostCents: Int?, used: [Int?]
    ) {
        self.trips = trips
        self.cancelled = cancelled
        self.noShow = noShow
        self.bySourcing = bySourcing
        self.costedTrips = costedTrips
        self.totalCostCents = totalCostCents
        self.used = used
    }

    /// What the cell has as it was shown: to hide it now hides nothing from who kept the set.
    func unchanged(in cell: KPICell) -> HiddenParts {
        var parts: HiddenParts = []
        func note(_ part: HiddenParts, _ shown: Int?, _ now: Int) { if shown == now { parts.insert(part) } }
        note(.whole, trips, cell.sums.trips)
        note(.cancelled, cancelled, cell.sums.cancelled)
        note(.noShow, noShow, cell.sums.noShow)
        if bySourcing == cell.sums.tripsBySourcing { parts.insert(.sourcing) }
        note(.costedTrips, costedTrips, cell.sums.costedTrips)
        note(.totalCost, totalCostCents, cell.sums.totalCostCents)
        for (interval, used) in zip(TripInterval.allCases, used) {
            note(.counts(of: interval), used, cell.intervals[interval.rawValue].used)
        }
        return parts
    }
}
