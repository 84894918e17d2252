import KPIs
import Trips

/// What must be hidden for a cell's own small counts, looking at that cell alone (SPEC §5).
///
/// A count is small from 1 to `minimumCell - 1`. The rule for every measure: a small count goes, and so does whatever
/// gives it away inside the cell. Where a count is hidden only because its *complement* is small, the mean stays and the
/// sum goes, since a sum and its mean together are the count. And costs go that are nearly one provider's.
struct PrimarySuppression: Sendable {
    let minimumCell: Int
    var costDominance: CostDominance?

    func isSmall(_ count: Int) -> Bool { count >= 1 && count < minimumCell }

    func parts(of cell: KPICell) -> HiddenParts {
        let sums = cell.sums
        if isSmall(sums.trips) || isFewPatients(cell.patients) { return .whole }
        var parts: HiddenParts = []
        if let costDominance { parts.formUnion(costDominance.parts(of: cell)) }
        if isSmall(sums.cancelled) { parts.insert(.cancelled) }
        if isSmall(sums.noShow) { parts.insert(.noShow) }
        if Sourcing.allCases.contains(where: { isSmall(sums.tripsBySourcing[$0]) }) { parts.insert(.sourcing) }
        if isSmall(sums.costedTrips) || isSmall(sums.trips - sums.costedTrips) {
            // Miles times the cost of a mile are a cost, too.
            parts.formUnion([.costedTrips, .totalCost, .costPerLoadedMile])
        }
        if isSmall(sums.costedTrips) { parts.formUnion([.costPerTrip, .costPerLoadedMile]) }
        // With a mean cost, the costs of a class tell about how many of its trips have none.
        let isSplitSmall = Sourcing.allCases.contains { sourcing in
            let costed = sums.costedTripsBySourcing[sourcing]
            return isSmall(costed) || isSmall(sums.tripsBySourcing[sourcing] - costed)
        }
        if isSplitSmall { parts.insert(.costSplit) }
        if isSmall(sums.tripsWithLoadedMiles) { parts.insert(.loadedMiles) }
        if isSmall(sums.tripsWithUnloadedMiles) { parts.insert(.unloadedMiles) }
        if isSmall(sums.costedTripsWithLoadedMiles) { parts.insert(.costPerLoadedMile) }
        for (interval, statistics) in zip(TripInterval.allCases, cell.intervals) {
            if isSmall(statistics.used) || isSmall(statistics.excluded) { parts.insert(.counts(of: interval)) }
            if isSmall(statistics.used) { parts.formUnion([.mean(of: interval), .percentiles(of: interval)]) }
        }
        return parts
    }

    private func isFewPatients(_ patients: PatientCount) -> Bool {
        if case .exactly(let count) = patients { isSmall(count) } else { false }
    }
}
