import KPIs
import Trips

/// What must be hidden for a cell's own small counts, looking at that cell alone (SPEC §5).
///
/// A count is small from 1 to `minimumCell - 1`. The rule for every measure: a small count goes, and so does whatever
/// gives it away inside the cell. Where a count is hidden only because its *complement* is small, the mean stays and
/// the sum goes, since a sum and its mean together are the count.
struct PrimarySuppression: Sendable {
    let minimumCell: Int

    func isSmall(_ count: Int) -> Bool { count >= 1 && count < minimumCell }

    /// Whether the cell goes with all its measures: few trips, or few people.
    func hidesAll(of cell: KPICell) -> Bool {
        if isSmall(cell.sums.trips) { return true }
        if case .exactly(let patients) = cell.patients { return isSmall(patients) }
        return false
    }

    /// The cell with whatever its small counts forbid taken out.
    func masked(_ cell: KPICell) -> PublishedCell {
        var published = PublishedCell(unmasked: cell)
        if isSmall(cell.sums.cancelled) { published.cancelled = nil }
        if isSmall(cell.sums.noShow) { published.noShow = nil }
        hideSourcing(of: &published, cell.sums)
        hideCosts(of: &published, cell.sums)
        hideMiles(of: &published, cell.sums)
        for (index, statistics) in cell.intervals.enumerated() {
            published.intervals[index] = masked(statistics)
        }
        return published
    }

    /// The three classes add up to the trips, so one small class takes all three, their shares and their costs.
    private func hideSourcing(of published: inout PublishedCell, _ sums: CellSums) {
        guard Sourcing.allCases.contains(where: { isSmall(sums.tripsBySourcing[$0]) }) else { return }
        published.sourcingSuppressed = true
        published.inHouse = nil
        published.contracted = nil
        published.unclassified = nil
        published.inHousePercent = nil
        published.inHouseTenThousandths = nil
        hideCostSplit(of: &published)
    }

    private func hideCosts(of published: inout PublishedCell, _ sums: CellSums) {
        // A class whose cost is 0 is seen to have no costed trips, so the costed trips of the others can be worked out,
        // and with them how many of those have no cost.
        let isSplitSmall = Sourcing.allCases.contains { sourcing in
            let costed = sums.costedTripsBySourcing[sourcing]
            return isSmall(costed) || isSmall(sums.tripsBySourcing[sourcing] - costed)
        }
        if isSplitSmall { hideCostSplit(of: &published) }
        guard isSmall(sums.costedTrips) || isSmall(sums.trips - sums.costedTrips) else { return }
        // The split may add up to the total, so it goes with it.
        published.costedTrips = nil
        published.totalCostCents = nil
        hideCostSplit(of: &published)
        if isSmall(sums.costedTrips) {
            published.costPerTripCents = nil
            published.costPerLoadedMileCents = nil
        }
    }

    /// The costs of the classes stand or fall together: total less one of them would be the cost of the others.
    private func hideCostSplit(of published: inout PublishedCell) {
        published.inHouseCostCents = nil
        published.contractedCostCents = nil
    }

    private func hideMiles(of published: inout PublishedCell, _ sums: CellSums) {
        if isSmall(sums.tripsWithLoadedMiles) {
            published.loadedTenths = nil
            published.costPerLoadedMileCents = nil
            published.loadedTenThousandths = nil
        }
        if isSmall(sums.tripsWithUnloadedMiles) {
            // Loaded miles and the ratio would be the unloaded miles.
            published.unloadedTenths = nil
            published.loadedTenThousandths = nil
        }
        if isSmall(sums.costedTripsWithLoadedMiles) { published.costPerLoadedMileCents = nil }
    }

    private func masked(_ statistics: IntervalStatistics) -> PublishedInterval {
        if isSmall(statistics.used) { return .hidden }
        var published = PublishedInterval(unmasked: statistics)
        if isSmall(statistics.excluded) {
            published.used = nil
            published.excluded = nil
        }
        return published
    }
}
