import KPIs
import Trips

/// The figures of a union of groups: sums of what each group publishes.
///
/// A group that does not publish a measure is left out of that measure alone, and the measure is named as incomplete.
/// Everything else is a quotient of two of these sums, so it says no more than they do. Of no group at all every count
/// and sum is 0: such a cell is known to be empty.
struct UnionFigures {
    /// A sum, and how many groups it is of.
    private struct Total {
        var sum = 0
        var groups = 0

        mutating func add(_ value: Int) {
            sum += value
            groups += 1
        }
    }

    private var groups = 0
    private var trips = 0
    private var incomplete: Set<PublishedMeasure> = []
    private var namesPatients = false
    private var bySourcing = SourcingTriple()
    private var dividedGroups = 0
    private var basis = SourcingBasis.classified
    private var costedTrips = 0
    private var costCents = Total()
    private var costBySourcing = SourcingTriple()
    private var costDividedGroups = 0
    private var loaded = Total()
    private var unloaded = Total()
    /// By `TripInterval.rawValue`.
    private var used = Array(repeating: Total(), count: TripInterval.allCases.count)
    private var excluded = Array(repeating: 0, count: TripInterval.allCases.count)
    private var seconds = Array(repeating: 0, count: TripInterval.allCases.count)

    mutating func add(_ group: GroupFigures) {
        groups += 1
        trips += group.sums.trips
        namesPatients = namesPatients || group.namesPatients
        if group.division == .undivided {
            incomplete.insert(.sourcing)
        } else {
            dividedGroups += 1
            bySourcing.add(group.sums.tripsBySourcing)
            if group.division == .inTwo { basis = .all }
        }
        if group.isCostPublished {
            costedTrips += group.sums.costedTrips
            costCents.add(group.sums.totalCostCents)
        } else {
            incomplete.insert(.cost)
        }
        if group.isCostDivided {
            costDividedGroups += 1
            costBySourcing.add(group.sums.costCentsBySourcing)
        } else {
            incomplete.insert(.costBySourcing)
        }
        if group.areLoadedMilesPublished {
            loaded.add(group.sums.loadedHundredths)
        } else {
            incomplete.insert(.loadedMiles)
        }
        if group.areUnloadedMilesPublished {
            unloaded.add(group.sums.unloadedHundredths)
        } else {
            incomplete.insert(.unloadedMiles)
        }
        for interval in TripInterval.allCases { add(group, interval) }
    }

    private mutating func add(_ group: GroupFigures, _ interval: TripInterval) {
        let own = group.intervals[interval.rawValue]
        guard own.isPublished else {
            incomplete.insert(.interval(interval))
            return
        }
        used[interval.rawValue].add(own.used)
        excluded[interval.rawValue] += own.excluded
        seconds[interval.rawValue] += own.sumSeconds
    }

    /// Whether the measure is shown: some group shows it, or there is none.
    private func isShown(_ groupsWithIt: Int) -> Bool { groups == 0 || groupsWithIt > 0 }

    /// - Parameters:
    ///   - withoutMean: intervals that are the sum or the rest of others (`IntervalChain`).
    ///   - percentiles: of an interval, over the groups that publish it.
    func cell(
        _ scope: CellScope, withoutMean: Set<TripInterval>,
        percentiles: (TripInterval) -> (p50Seconds: Int?, p90Seconds: Int?)
    ) -> PublishedCell {
        var cell = PublishedCell(suppressed: scope)
        cell.suppressed = false
        cell.trips = trips
        cell.patients = groups == 0 ? .exactly(0) : namesPatients ? .atLeastCap : .unknown
        cell.sourcingBasis = basis
        cell.sourcingSuppressed = !isShown(dividedGroups)
        if !cell.sourcingSuppressed { showSourcing(in: &cell) }
        showCost(in: &cell)
        showMiles(in: &cell)
        cell.intervals = TripInterval.allCases.map { interval in
            let own = used[interval.rawValue]
            guard isShown(own.groups) else { return .hidden }
            let ranks = own.sum == 0 ? (p50Seconds: nil, p90Seconds: nil) : percentiles(interval)
            return PublishedInterval(
                used: own.sum, excluded: excluded[interval.rawValue],
                meanTenths: withoutMean.contains(interval)
                    ? nil : HalfUp.quotient(seconds[interval.rawValue], times: 10, by: own.sum),
                p50Seconds: ranks.p50Seconds, p90Seconds: ranks.p90Seconds)
        }
        cell.incompleteMeasures = PublishedMeasure.all.filter(incomplete.contains)
        return cell
    }

    private func showSourcing(in cell: inout PublishedCell) {
        let others =
            switch basis {
            case .classified: bySourcing.contracted
            case .all: bySourcing.contracted + bySourcing.unclassified
            }
        cell.inHouse = bySourcing.inHouse
        cell.contracted = others
        cell.unclassified = basis == .classified ? bySourcing.unclassified : nil
        cell.inHousePercent = HalfUp.quotient(bySourcing.inHouse, times: 100, by: bySourcing.inHouse + others)
        cell.inHouseTenThousandths = HalfUp.quotient(
            bySourcing.inHouse, times: 10_000, by: bySourcing.inHouse + others)
    }

    private func showCost(in cell: inout PublishedCell) {
        if isShown(costCents.groups) {
            cell.costedTrips = costedTrips
            cell.totalCostCents = costCents.sum
            cell.costPerTripCents = HalfUp.quotient(costCents.sum, by: costedTrips)
        }
        if isShown(costDividedGroups) {
            cell.inHouseCostCents = costBySourcing.inHouse
            cell.contractedCostCents =
                basis == .classified
                ? costBySourcing.contracted : costBySourcing.contracted + costBySourcing.unclassified
        }
    }

    /// The quotients only where both sums are of the same groups: of different trips they would be of nothing.
    private func showMiles(in cell: inout PublishedCell) {
        if isShown(loaded.groups) { cell.loadedTenths = HalfUp.quotient(loaded.sum, by: 10) }
        if isShown(unloaded.groups) { cell.unloadedTenths = HalfUp.quotient(unloaded.sum, by: 10) }
        let isOfAll = { (measures: [PublishedMeasure]) in measures.allSatisfy { !incomplete.contains($0) } }
        if isOfAll([.cost, .loadedMiles]), loaded.sum > 0 {
            cell.costPerLoadedMileCents = HalfUp.quotient(costCents.sum, times: 100, by: loaded.sum)
        }
        if isOfAll([.loadedMiles, .unloadedMiles]) {
            cell.loadedTenThousandths = HalfUp.quotient(loaded.sum, times: 10_000, by: loaded.sum + unloaded.sum)
        }
    }
}
