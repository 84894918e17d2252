import KPIs
import Trips

/// What must be hidden for a cell's own small counts, looking at that cell alone (SPEC §5).
///
/// A count is small from 1 to `minimumCell - 1`. The rule for every measure: a small count goes, and so does whatever
/// gives it away inside the cell: its complement, its share, a mean beside its sum.
struct PrimarySuppression: Sendable {
    let minimumCell: Int

    func isSmall(_ count: Int) -> Bool { count >= 1 && count < minimumCell }

    func parts(of cell: KPICell) -> HiddenParts {
        let sums = cell.sums
        if isSmall(sums.trips) || isFewPatients(cell.patients) { return .whole }
        var parts: HiddenParts = []
        if isSmall(sums.cancelled) { parts.insert(.cancelled) }
        if isSmall(sums.noShow) { parts.insert(.noShow) }
        if Sourcing.allCases.contains(where: { isSmall(sums.tripsBySourcing[$0]) }) { parts.insert(.sourcing) }
        if isSmall(sums.costedTrips) || isSmall(sums.trips - sums.costedTrips) { parts.insert(.costedTrips) }
        if isSmall(sums.costedTrips) { parts.insert(.totalCost) }
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
            if isSmall(statistics.used) { parts.insert(.percentiles(of: interval)) }
        }
        return parts
    }

    private func isFewPatients(_ patients: PatientCount) -> Bool {
        if case .exactly(let count) = patients { isSmall(count) } else { false }
    }
}
