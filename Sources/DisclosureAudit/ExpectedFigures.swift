import Basics
import KPIContract

/// The figures that a release publishes of unions of groups: counts and sums, and the formulas over them.
struct ExpectedFigures {
    private let release: AuditedRelease
    private let groups: GroupsByCell
    private let times: GroupTimes
    private let placesWithoutMean: Set<Int>

    init(_ release: AuditedRelease, findings: FindingList) {
        self.release = release
        groups = GroupsByCell(release)
        times = GroupTimes(release, published: groups.published, findings: findings)
        placesWithoutMean = release.placesWithoutMean
    }

    func row(at key: CellKey) -> ExpectedCells.Row {
        let completed = groups.union(of: AuditedPopulation.allCases.filter(\.isCompleted), at: key)
        let cell = cell(at: key, completed), isEmpty = completed.groups.isEmpty
        let least = completed.namesPatients ? "\(release.minimum)+" : ""
        return .init(cell: cell, patients: cell.suppressed ? "" : isEmpty ? "0" : least)
    }

    private func cell(at key: CellKey, _ completed: AuditedUnion) -> KPISummaryV1.Cell {
        let isSuppressed = completed.groups.isEmpty && !completed.isWhole
        var cell = KPISummaryV1.Cell(
            month: key.month, region: key.region, tripType: key.tripType, suppressed: isSuppressed,
            complete: completed.isWhole, revisionPending: groups.isRevisionPending(at: key), sourcingSuppressed: true,
            sourcingBasis: "classified", incompleteMeasures: [])
        guard !isSuppressed else { return cell }
        let inHouse = groups.sourcing(.inHouse, at: key), contracted = groups.sourcing(.contracted, at: key)
        let unclassified = groups.sourcing(.unclassified, at: key)
        let cancelled = groups.union(of: [.cancelled], at: key), noShow = groups.union(of: [.noShow], at: key)
        cell.trips = completed.shownTrips
        cell.cancelled = cancelled.shownTrips
        cell.noShow = noShow.shownTrips
        cell.inHouse = inHouse.shownTrips
        cell.contracted = contracted.shownTrips
        cell.unclassified = unclassified.shownTrips
        cell.sourcingSuppressed = cell.inHouse == nil
        if inHouse.isWhole, contracted.isWhole {
            let classified = inHouse.trips + contracted.trips
            cell.inHousePercent = RoundedQuotient.of(inHouse.trips, times: 100, by: classified)
            cell.inHouseShare = RoundedQuotient.of(inHouse.trips, times: 10_000, by: classified)
                .map(Share.init(tenThousandths:))
        }
        if inHouse.isWhole(.cost) { cell.inHouseCost = Cents(cents: inHouse[.cost].sum) }
        if contracted.isWhole(.cost) { cell.contractedCost = Cents(cents: contracted[.cost].sum) }
        fill(&cell, of: completed)
        let isQuotientLeftOut =
            completed.isWhole(.cost) && completed.isWhole(.loadedMiles) && completed[.loadedMiles].sum > 0
            && cell.costPerLoadedMile == nil
        let counts = [
            ("trips", completed.isWhole), ("inHouse", inHouse.isWhole), ("contracted", contracted.isWhole),
            ("unclassified", unclassified.isWhole), ("cancelled", cancelled.isWhole),
            ("noShow", noShow.isWhole), ("cost", completed.isWhole(.cost)),
            ("inHouseCost", inHouse.isWhole(.cost)), ("contractedCost", contracted.isWhole(.cost)),
            ("loadedMiles", completed.isWhole(.loadedMiles)), ("unloadedMiles", completed.isWhole(.unloadedMiles)),
            ("costPerLoadedMile", !isQuotientLeftOut),
        ]
        let intervals = AuditedMeasure.intervals.map { ($0.rawValue, completed.isWhole($0)) }
        cell.incompleteMeasures = (counts + intervals).filter { !$0.1 }.map(\.0)
        return cell
    }

    /// - Parameter place: in the release's groups.
    func group(at place: Int) -> KPISummaryV1.Group {
        let group = release.groups[place]
        let leaves = group.leaves.sorted { release.rank(of: $0) < release.rank(of: $1) }
        var expected = KPISummaryV1.Group(
            month: group.month, population: group.population, regions: leaves.map(\.region),
            tripTypes: leaves.map(\.tripType), revisionPending: group.isRevisionPending, trips: group.trips)
        guard group.population.isCompleted else { return expected }
        var union = AuditedUnion()
        union.add(group, at: place, publishing: groups.published[place])
        fill(&expected.figures, of: union)
        return expected
    }

    /// The measures of completed trips. Counts and miles are shown of the groups that publish them; costs, which may be
    /// negative, and figures that are computed from several others, only where they are of all trips.
    private func fill(_ cell: inout KPISummaryV1.Cell, of union: AuditedUnion) {
        let cost = union[.cost], loaded = union[.loadedMiles], unloaded = union[.unloadedMiles]
        let showsCounts = !release.omitsMissingCounts
        if showsCounts, union.isShown(.cost) { cell.costedTrips = cost.used }
        if union.isWhole(.cost) {
            cell.totalCost = Cents(cents: cost.sum)
            if showsCounts { cell.costPerTrip = RoundedQuotient.of(cost.sum, by: cost.used).map(Cents.init(cents:)) }
        }
        if union.isShown(.loadedMiles) {
            cell.loadedMiles = RoundedQuotient.of(loaded.sum, by: 10).map(Tenths.init(tenths:))
        }
        if union.isShown(.unloadedMiles) {
            cell.unloadedMiles = RoundedQuotient.of(unloaded.sum, by: 10).map(Tenths.init(tenths:))
        }
        if union.isWhole(.loadedMiles), union.isWhole(.unloadedMiles) {
            cell.loadedMileRatio = RoundedQuotient.of(loaded.sum, times: 10_000, by: loaded.sum + unloaded.sum)
                .map(Share.init(tenThousandths:))
        }
        if showsCounts, union.isWhole(.cost), union.isWhole(.loadedMiles), union.isOfTripsWithBoth {
            cell.costPerLoadedMile = RoundedQuotient.of(cost.sum, times: 100, by: loaded.sum).map(Cents.init(cents:))
        }
        for (place, measure) in AuditedMeasure.intervals.enumerated() where union.isShown(measure) {
            cell[interval: place] = interval(measure, at: place, of: union)
        }
    }

    private func interval(_ measure: AuditedMeasure, at place: Int, of union: AuditedUnion) -> KPISummaryV1.Interval {
        let own = union[measure]
        var interval = KPISummaryV1.Interval(used: nil, excluded: nil, mean: nil, p50: nil, p90: nil)
        if !release.omitsMissingCounts {
            interval.used = own.used
            interval.excluded = own.excluded
        }
        guard union.isWhole(measure) else { return interval }
        if !release.omitsMissingCounts, !placesWithoutMean.contains(place) {
            interval.mean = RoundedQuotient.of(own.sum, times: 10, by: own.used).map(Tenths.init(tenths:))
        }
        for statistic in IntervalStatistic.percentiles {
            interval[statistic] = statistic.percent.flatMap { times.percentile($0, of: place, over: union.groups) }
        }
        return interval
    }
}
