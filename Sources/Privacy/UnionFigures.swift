import Basics
import KPIContract
import KPIs
import Trips

/// The figures of a cell: of each measure the union of the groups inside the cell, over the populations that it is of.
///
/// A measure is whole if no group of these populations lies partly in the cell, each population is published in each of the
/// months, and each group publishes the measure. A count or miles that are not whole are "at least". A cost, which may be
/// negative, and every share, mean, ratio and percentile is shown only where it is whole. So each is the staff's figure.
struct UnionFigures {
    /// A sum over groups.
    private struct Total {
        var sum = 0
        var groups = 0
        var isWhole = true

        mutating func add(_ value: Int, isPublished: Bool = true) {
            guard isPublished else {
                isWhole = false
                return
            }
            sum += value
            groups += 1
        }

        /// "At least" where it is not whole.
        var count: PublishedValue<Int> { isWhole || groups > 0 ? .value(sum) : .suppressed }
        var cost: PublishedValue<Int> { isWhole ? .value(sum) : .suppressed }
    }

    /// By sourcing, of cancelled trips and of no-shows.
    private var trips: [ReleasedPopulation: Total] = [:]
    private var completed = Total()
    private var namesPatients = false
    private var costs: [ReleasedPopulation: Total] = [:]
    /// Sums over the completed trips.
    private var measures = [Total](repeating: Total(), count: ReleasedMeasure.allCases.count)
    private var costedTrips = 0
    private var excluded = Array(repeating: 0, count: TripInterval.allCases.count)
    private var seconds = Array(repeating: 0, count: TripInterval.allCases.count)
    private var costedTripsWithLoadedMiles = 0
    private var loadedHundredthsWithCost = 0

    private static let places = Dictionary(
        uniqueKeysWithValues: ReleasedMeasure.allCases.enumerated().map { ($1, $0) })

    private func total(_ measure: ReleasedMeasure) -> Total { measures[Self.places[measure] ?? 0] }

    /// Some trips of the population may be in the cell, and are in none of the groups that are added.
    mutating func leaveOut(_ population: ReleasedPopulation) {
        trips[population, default: Total()].isWhole = false
        guard population.isCompleted else { return }
        costs[population, default: Total()].isWhole = false
        completed.isWhole = false
        for place in measures.indices { measures[place].isWhole = false }
    }

    /// The month's completed trips are not divided by sourcing.
    mutating func leaveOutSourcing() {
        for population in ReleasedPopulation.bySourcing {
            trips[population, default: Total()].isWhole = false
            costs[population, default: Total()].isWhole = false
        }
    }

    /// - Parameter published: the measures that the group publishes.
    mutating func add(
        _ group: GroupFigures, of population: ReleasedPopulation, publishing published: Set<ReleasedMeasure>
    ) {
        trips[population, default: Total()].add(group.trips)
        guard population.isCompleted else { return }
        completed.add(group.trips)
        namesPatients = namesPatients || group.patients != .unknown
        costs[population, default: Total()].add(group.sums.costCents, isPublished: published.contains(.cost))
        for (place, measure) in ReleasedMeasure.allCases.enumerated() {
            let isPublished = published.contains(measure)
            measures[place].add(sum(of: measure, group), isPublished: isPublished)
            guard isPublished else { continue }
            switch measure {
            case .cost:
                costedTrips += group.sums.costedTrips
                costedTripsWithLoadedMiles += group.sums.costedTripsWithLoadedMiles
                loadedHundredthsWithCost += group.sums.loadedHundredthsWithCost
            case .loadedMiles, .unloadedMiles: break
            case .interval(let interval):
                excluded[interval.rawValue] += group.intervals[interval.rawValue].excluded
                seconds[interval.rawValue] += group.intervals[interval.rawValue].sumSeconds
            }
        }
    }

    /// Cents, hundredths of a mile, or trips that have the interval.
    private func sum(of measure: ReleasedMeasure, _ group: GroupFigures) -> Int {
        switch measure {
        case .cost: group.sums.costCents
        case .loadedMiles: group.sums.loadedHundredths
        case .unloadedMiles: group.sums.unloadedHundredths
        case .interval(let interval): group.intervals[interval.rawValue].used
        }
    }

    /// No completed trip of the cell is shown, and it is not known to be empty.
    var isSuppressed: Bool { completed.groups == 0 && !completed.isWhole }

    /// - Parameters:
    ///   - withoutMean: intervals that are the sum or the rest of others (`IntervalChain`).
    ///   - missingCounts: whether counts of trips with or without a value are shown.
    ///   - percentiles: of an interval, over the groups of the cell.
    func cell(
        _ scope: CellScope, withoutMean: Set<TripInterval>, missingCounts: MissingCountPolicy,
        percentiles: (TripInterval) -> [Int?]
    ) -> PublishedCell {
        var cell = PublishedCell(scope)
        cell.suppressed = isSuppressed
        cell.complete = completed.isWhole
        guard !isSuppressed else { return cell }
        cell.patients = completed.groups == 0 ? .exactly(0) : namesPatients ? .atLeastCap : .unknown
        var partial = showTrips(in: &cell)
        partial += showCosts(in: &cell) + showMiles(in: &cell, missingCounts)
        for interval in TripInterval.allCases {
            let used = total(.interval(interval)), place = interval.rawValue
            if !used.isWhole { partial.insert(interval.name) }
            guard used.isWhole || used.groups > 0 else { continue }
            let none = [Int?](repeating: nil, count: IntervalStatistic.percentiles.count)
            cell.show(
                IntervalStatistics(
                    used: used.sum, excluded: excluded[place], sumSeconds: seconds[place],
                    percentileSeconds: used.isWhole && used.sum > 0 ? percentiles(interval) : none), of: interval)
            for statistic in IntervalStatistic.allCases where !statistic.isCount {
                let isRedundant = statistic == .mean && used.sum > 0 && withoutMean.contains(interval)
                if !used.isWhole || isRedundant { cell[interval, statistic] = .suppressed }
            }
        }
        cell.incompleteMeasures = PartialMeasure.all.map(\.name).filter(partial.contains)
        if missingCounts == .omit { cell.omitMissingCounts() }
        cell.markUndefinedQuotients()
        return cell
    }

    /// - Returns: what is not whole.
    private func showTrips(in cell: inout PublishedCell) -> Set<String> {
        var partial: Set<String> = completed.isWhole ? [] : ["trips"]
        cell[.trips] = completed.count
        for population in ReleasedPopulation.allCases where population != .completed {
            let own = trips[population] ?? Total()
            cell[population.contract.trips] = own.count
            if !own.isWhole { partial.insert(population.rawValue) }
        }
        let inHouse = trips[.inHouse] ?? Total(), contracted = trips[.contracted] ?? Total()
        if inHouse.isWhole, contracted.isWhole { cell.showInHouseShare(of: inHouse.sum, and: contracted.sum) }
        return partial
    }

    private func showCosts(in cell: inout PublishedCell) -> Set<String> {
        var partial: Set<String> = []
        let cost = total(.cost)
        cell[.totalCost] = cost.cost
        if cost.isWhole || cost.groups > 0 { cell[.costedTrips] = .value(costedTrips) }
        if cost.isWhole {
            cell[.costPerTrip] = .init(quotient: HalfUp.quotient(cost.sum, by: costedTrips))
        } else {
            partial.insert("cost")
        }
        for (population, measure) in [
            (ReleasedPopulation.inHouse, Measure.inHouseCost), (.contracted, .contractedCost),
        ] {
            let own = costs[population] ?? Total()
            cell[measure] = own.cost
            if !own.isWhole { partial.insert(measure.name) }
        }
        return partial
    }

    private func showMiles(in cell: inout PublishedCell, _ missingCounts: MissingCountPolicy) -> Set<String> {
        var partial: Set<String> = []
        let loaded = total(.loadedMiles), unloaded = total(.unloadedMiles), cost = total(.cost)
        for (measure, own) in [(Measure.loadedMiles, loaded), (.unloadedMiles, unloaded)] {
            if own.isWhole || own.groups > 0 {
                cell[measure] = .init(quotient: HalfUp.quotient(own.sum, by: 10))
            }
            if !own.isWhole { partial.insert(measure.name) }
        }
        if loaded.isWhole, unloaded.isWhole {
            cell[.loadedMileRatio] = .init(
                quotient: HalfUp.quotient(loaded.sum, times: 10_000, by: loaded.sum + unloaded.sum))
        }
        guard cost.isWhole, loaded.isWhole else { return partial }
        // Only then is it a quotient of published sums, and the staff's figure, which is of the trips that have both.
        let hasEachBoth = costedTripsWithLoadedMiles == costedTrips && loadedHundredthsWithCost == loaded.sum
        if loaded.sum == 0 {
            cell[.costPerLoadedMile] = .undefined
        } else if hasEachBoth, missingCounts == .publish {
            cell[.costPerLoadedMile] = .init(quotient: HalfUp.quotient(cost.sum, times: 100, by: loaded.sum))
        } else {
            partial.insert("costPerLoadedMile")
        }
        return partial
    }
}

extension Set<String> {
    fileprivate static func += (left: inout Self, right: Self) { left.formUnion(right) }
    fileprivate static func + (left: Self, right: Self) -> Self { left.union(right) }
}
