import KPIContract
import KPIs
import Trips

/// The figures of a union of groups: sums of what each group publishes.
///
/// A group that does not publish a measure is left out of that measure alone, and the measure is named as incomplete.
/// Everything else is a quotient of two of these sums, so it discloses no more than they do. Of no group at all every
/// count and sum is 0: such a cell is known to be empty.
struct UnionFigures {
    /// Sums over the groups that publish a measure, and whether some group does not.
    private struct MeasureTotal {
        var sum = 0
        var groups = 0
        var isIncomplete = false

        mutating func add(_ value: Int, isPublished: Bool) {
            sum += isPublished ? value : 0
            groups += isPublished ? 1 : 0
            isIncomplete = isIncomplete || !isPublished
        }
    }

    private var groups = 0
    private var trips = 0
    private var namesPatients = false
    private var inHouse = MeasureTotal()
    private var bySourcing = SourcingTriple()
    private var basis = SourcingBasis.classified
    private var costCents = MeasureTotal()
    private var costedTrips = 0
    private var inHouseCost = MeasureTotal()
    private var costBySourcing = SourcingTriple()
    private var loaded = MeasureTotal()
    private var unloaded = MeasureTotal()
    /// By `TripInterval.rawValue`.
    private var used = Array(repeating: MeasureTotal(), count: TripInterval.allCases.count)
    private var excluded = Array(repeating: 0, count: TripInterval.allCases.count)
    private var seconds = Array(repeating: 0, count: TripInterval.allCases.count)

    mutating func add(_ group: GroupFigures) {
        let sums = group.sums
        groups += 1
        trips += sums.trips
        namesPatients = namesPatients || group.namesPatients
        inHouse.add(sums.tripsBySourcing.inHouse, isPublished: group.division != .undivided)
        if group.division != .undivided { bySourcing.add(sums.tripsBySourcing) }
        if group.division == .inTwo { basis = .all }
        costCents.add(sums.totalCostCents, isPublished: group.isCostPublished)
        if group.isCostPublished { costedTrips += sums.costedTrips }
        inHouseCost.add(sums.costCentsBySourcing.inHouse, isPublished: group.isCostDivided)
        if group.isCostDivided { costBySourcing.add(sums.costCentsBySourcing) }
        loaded.add(sums.loadedHundredths, isPublished: group.areLoadedMilesPublished)
        unloaded.add(sums.unloadedHundredths, isPublished: group.areUnloadedMilesPublished)
        for (place, own) in group.intervals.enumerated() {
            used[place].add(own.used, isPublished: own.isPublished)
            excluded[place] += own.isPublished ? own.excluded : 0
            seconds[place] += own.isPublished ? own.sumSeconds : 0
        }
    }

    /// Whether the measure is shown: some group shows it, or there is none.
    private func isShown(_ total: MeasureTotal) -> Bool { groups == 0 || total.groups > 0 }

    /// - Parameters:
    ///   - withoutMean: intervals that are the sum or the rest of others (`IntervalChain`).
    ///   - percentiles: of an interval, over the groups that publish it.
    func cell(
        _ scope: CellScope, withoutMean: Set<TripInterval>,
        percentiles: (TripInterval) -> (p50: Int?, p90: Int?)
    ) -> PublishedCell {
        var cell = PublishedCell(scope)
        cell["trips"] = .value(trips)
        cell.patients = groups == 0 ? .exactly(0) : namesPatients ? .atLeastCap : .unknown
        cell.sourcingBasis = basis
        cell.sourcingSuppressed = !isShown(inHouse)
        if !cell.sourcingSuppressed { showSourcing(in: &cell) }
        showCost(in: &cell)
        showMiles(in: &cell)
        for interval in TripInterval.allCases where isShown(used[interval.rawValue]) {
            let place = interval.rawValue, trips = used[place].sum
            let ranks = trips == 0 ? (p50: nil, p90: nil) : percentiles(interval)
            let own = IntervalStatistics(
                used: trips, excluded: excluded[place], sumSeconds: seconds[place], p50Seconds: ranks.p50,
                p90Seconds: ranks.p90)
            cell.show(own, of: interval)
            if trips > 0, withoutMean.contains(interval) { cell["\(interval.name).mean"] = .suppressed }
        }
        let totals = [
            ("sourcing", inHouse), ("cost", costCents), ("costBySourcing", inHouseCost), ("loadedMiles", loaded),
            ("unloadedMiles", unloaded),
        ]
        cell.incompleteMeasures = (totals + zip(TripInterval.allCases.map(\.name), used))
            .filter(\.1.isIncomplete).map(\.0)
        return cell
    }

    private func showSourcing(in cell: inout PublishedCell) {
        let others = basis == .all ? bySourcing.contracted + bySourcing.unclassified : bySourcing.contracted
        cell["inHouse"] = .value(inHouse.sum)
        cell["contracted"] = .value(others)
        if basis == .classified { cell["unclassified"] = .value(bySourcing.unclassified) }
        cell.showInHouseShare(of: inHouse.sum, and: others)
    }

    private func showCost(in cell: inout PublishedCell) {
        if isShown(costCents) {
            cell["costedTrips"] = .value(costedTrips)
            cell["totalCost"] = .value(costCents.sum)
            cell["costPerTrip"] = .init(quotient: HalfUp.quotient(costCents.sum, by: costedTrips))
        }
        if isShown(inHouseCost) {
            let others = costBySourcing.contracted + (basis == .all ? costBySourcing.unclassified : 0)
            cell["inHouseCost"] = .value(inHouseCost.sum)
            cell["contractedCost"] = .value(others)
        }
    }

    /// The quotients only where both sums are of the same groups: of different trips they would be of nothing.
    private func showMiles(in cell: inout PublishedCell) {
        if isShown(loaded) { cell["loadedMiles"] = .init(quotient: HalfUp.quotient(loaded.sum, by: 10)) }
        if isShown(unloaded) { cell["unloadedMiles"] = .init(quotient: HalfUp.quotient(unloaded.sum, by: 10)) }
        if !costCents.isIncomplete, !loaded.isIncomplete {
            let cents = loaded.sum > 0 ? HalfUp.quotient(costCents.sum, times: 100, by: loaded.sum) : nil
            cell["costPerLoadedMile"] = .init(quotient: cents)
        }
        if !loaded.isIncomplete, !unloaded.isIncomplete {
            cell["loadedMileRatio"] = .init(
                quotient: HalfUp.quotient(loaded.sum, times: 10_000, by: loaded.sum + unloaded.sum))
        }
    }
}

/// Which intervals are computed from others: their means are not released.
///
/// Intervals share event times. Where some of them lead from event to event back to where they began, as response,
/// scene, transport and turnaround do beside duration, the sums of all but one give the sum of the last for every trip
/// that has them all. Where a few trips lack one of these times, the difference would be the times of those few. So
/// the release leaves out the mean of the one that closes each such circle. Counts and percentiles do not disclose it.
enum IntervalChain {
    /// The more an interval is asked for, the earlier: the last one of a circle is left out.
    private static let order: [TripInterval] = [.duration, .response, .turnout, .transport, .scene, .turnaround]

    /// Those that are left out for any of the pairs that the trips were measured between.
    static func redundant(_ context: KPITally.TableContext) -> Set<TripInterval> {
        (context.releasedPairs + [context.intervalPairs]).reduce(into: []) { $0.formUnion(redundant($1)) }
    }

    private static func redundant(_ pairs: [TripInterval: EventPair]) -> Set<TripInterval> {
        var component = Dictionary(uniqueKeysWithValues: TripEvent.allCases.enumerated().map { ($1, $0) })
        var redundant: Set<TripInterval> = []
        for interval in order {
            let pair = pairs[interval] ?? interval.standardPair
            guard let start = component[pair.start], let end = component[pair.end] else { continue }
            if start == end {
                redundant.insert(interval)
            } else {
                component = component.mapValues { $0 == end ? start : $0 }
            }
        }
        return redundant
    }
}
