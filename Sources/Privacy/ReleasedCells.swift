import Basics
import KPIContract
package import KPIs
import Trips

/// The cells that may be published of released months: each is the union of the groups inside it.
///
/// In: partitions, and a tally of the released months as they were released. Out: cells and groups. What is not a group or a
/// union of groups cannot leave it.
struct ReleasedCells {
    private struct TalliedGroup {
        let month: Month
        let population: ReleasedPopulation
        let leaves: [LeafScope]
        let figures: GroupFigures
        let published: Set<ReleasedMeasure>
        let isPending: Bool
    }

    private struct MonthGroups {
        let month: Month
        let groups: [TalliedGroup]
        /// Of these nothing is shown.
        let unpublished: [ReleasedPopulation]
        let isJoined: Bool
        let isPendingElsewhere: Bool
    }

    private let months: [MonthGroups]
    private let selection: KPISelection
    private var statistics: CellBuilder
    private let withoutMean: Set<TripInterval>
    private let missingCounts: MissingCountPolicy

    /// - Parameters:
    ///   - tally: holds each of the months as it was when it was released.
    ///   - withoutMean: intervals that other means add up to (`IntervalChain`).
    init(
        _ released: [ReleasedMonth], tally: KPITally, selection: KPISelection, withoutMean: Set<TripInterval>,
        missingCounts: MissingCountPolicy
    ) {
        self.withoutMean = withoutMean
        self.missingCounts = missingCounts
        self.selection = selection
        statistics = CellBuilder(tally: tally)
        months = released.map { released in
            let partition = released.partition
            let groups = partition.sortedPopulations.flatMap { population, own in
                (own.groups ?? []).enumerated().map { index, leaves in
                    let figures = GroupFigures(leaves, population, of: released.month, in: tally)
                    let published = ReleasedMeasure.allCases.filter { measure in
                        population.isCompleted && !own.unpublishedMeasures.contains(measure)
                            && figures.isPublishable(measure, minimumCell: partition.minimumCell)
                    }
                    return TalliedGroup(
                        month: released.month, population: population, leaves: leaves, figures: figures,
                        published: Set(published), isPending: released.pending[population].contains(index))
                }
            }
            return MonthGroups(
                month: released.month, groups: groups,
                unpublished: partition.sortedPopulations.filter { $0.partition.groups == nil }.map(\.population),
                isJoined: partition.isJoined, isPendingElsewhere: released.pending.isElsewhere)
        }
    }

    /// Codes whose rows are shown: the configured ones, and Unassigned where a group may hold such trips. Whether it
    /// does is not said.
    func codes(_ count: Int, within selected: Set<UInt8>?, _ code: (LeafScope) -> UInt8) -> [UInt8] {
        let hasUnassigned = months.contains { month in
            month.groups.contains { $0.population.isCompleted && $0.leaves.contains { code($0) == 0 } }
        }
        let all = (1..<max(1, count)).map { UInt8($0) } + (hasUnassigned ? [0] : [])
        return all.filter { selected?.contains($0) ?? true }
    }

    mutating func cell(_ scope: CellScope) -> PublishedCell {
        var figures = UnionFigures(), isPending = false, inside: [TalliedGroup] = []
        for month in months where scope.month == nil || month.month == scope.month {
            if scope.region == nil, scope.tripType == nil, month.isPendingElsewhere { isPending = true }
            month.unpublished.forEach { figures.leaveOut($0) }
            if month.isJoined { figures.leaveOutSourcing() }
            for group in month.groups {
                var held = 0
                for leaf in group.leaves where holds(leaf, scope) { held += 1 }
                guard held > 0 else { continue }
                isPending = isPending || group.isPending
                if held == group.leaves.count {
                    figures.add(group.figures, of: group.population, publishing: group.published)
                    inside.append(group)
                } else {
                    figures.leaveOut(group.population)
                }
            }
        }
        var cell = figures.cell(scope, withoutMean: withoutMean, missingCounts: missingCounts) {
            percentiles(of: $0, over: inside)
        }
        cell.revisionPending = isPending
        return cell
    }

    /// Every group that has trips of the selection or may have, in the order of the contract.
    mutating func groups() -> [PublishedGroup] {
        let groups = months.flatMap(\.groups).filter { $0.leaves.contains { holds($0, CellScope()) } }
        return groups.map { group in
            var figures = UnionFigures()
            figures.add(group.figures, of: group.population, publishing: group.published)
            let scope = CellScope(month: group.month)
            var cell = figures.cell(scope, withoutMean: withoutMean, missingCounts: missingCounts) {
                percentiles(of: $0, over: [group])
            }
            cell[.trips] = .value(group.figures.trips)
            cell.revisionPending = group.isPending
            return PublishedGroup(population: group.population, leaves: group.leaves, figures: cell)
        }
    }

    private mutating func percentiles(of interval: TripInterval, over groups: [TalliedGroup]) -> [Int?] {
        let own = statistics.statistics(
            of: interval,
            over: groups.filter(\.population.isCompleted).map { ($0.month, $0.leaves, $0.population.members) })
        return own.percentileSeconds.map { $0.map(Self.rounded) }
    }

    private func holds(_ leaf: LeafScope, _ scope: CellScope) -> Bool {
        (scope.region ?? leaf.region) == leaf.region && (scope.tripType ?? leaf.tripType) == leaf.tripType
            && selection.regions?.contains(leaf.region) ?? true && selection.tripTypes?.contains(leaf.tripType) ?? true
    }

    /// Order statistics are values of single trips, so they are rounded.
    private static func rounded(_ seconds: Int) -> Int {
        (HalfUp.quotient(seconds, by: KPIDescription.releaseStepSeconds) ?? 0) * KPIDescription.releaseStepSeconds
    }
}

/// A group of the release, with the figures that a cell of exactly these trips would have.
package struct PublishedGroup: Sendable, Hashable {
    package var population: ReleasedPopulation
    /// Ascending.
    package var leaves: [LeafScope]
    /// Its scope is the month; its `trips` are those of the population, also of cancelled trips and no-shows.
    package var figures: PublishedCell
}
