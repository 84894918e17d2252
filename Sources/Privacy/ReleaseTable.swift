import KPIContract
package import KPIs
package import Trips

/// A month of the release: its partition, as it was released or is about to be.
package struct ReleasedMonth: Sendable, Hashable {
    package var month: Month
    package var partition: ReleasePartition
    /// Whose trips have changed since: a revision may take the changes up.
    package var pending: PendingGroups
    /// Whether the groups have been revised since they were made.
    package var isRevised = false

    package init(month: Month, partition: ReleasePartition, pending: PendingGroups = PendingGroups()) {
        self.month = month
        self.partition = partition
        self.pending = pending
    }
}

/// The cells that may be published of released months: each is the union of the groups inside it.
///
/// In: partitions, and a tally of the released months as they were released. Out: cells. What is not a group, or a part
/// of one, or a union of such, cannot leave it.
struct ReleaseTable {
    private struct MonthGroups {
        let month: Month
        let groups: [(leaves: [LeafScope], figures: GroupFigures, isPending: Bool)]
        /// Nil: nothing of the population is shown.
        let cancelled: [CountedGroup]?
        let noShow: [CountedGroup]?
        let isPendingElsewhere: Bool
    }

    /// A group of cancelled trips or of no-shows.
    private struct CountedGroup {
        let leaves: [LeafScope]
        let trips: Int
        let isPending: Bool
    }

    private let months: [MonthGroups]
    private let selection: KPISelection
    private let tally: KPITally
    private var statistics: CellBuilder
    private let withoutMean: Set<TripInterval>

    /// - Parameters:
    ///   - tally: holds each of the months as it was when it was released.
    ///   - withoutMean: intervals that other means add up to (`IntervalChain`).
    init(
        _ released: [ReleasedMonth], tally: KPITally, selection: KPISelection,
        withoutMean: Set<TripInterval>
    ) {
        self.withoutMean = withoutMean
        self.tally = tally
        self.selection = selection
        statistics = CellBuilder(tally: tally)
        months = released.filter { selection.months?.contains($0.month) ?? true }.map { released in
            func counts(_ population: ReleasedPopulation, _ member: TripPopulation) -> [CountedGroup]? {
                released.partition[population].groups?.enumerated().map { index, leaves in
                    CountedGroup(
                        leaves: leaves, trips: tally.sums(of: leaves, in: released.month).trips(of: member),
                        isPending: released.pending[population].contains(index))
                }
            }
            return MonthGroups(
                month: released.month,
                groups: (released.partition.completed.groups ?? []).enumerated().map { index, leaves in
                    let figures = GroupFigures(leaves, of: released.month, in: tally, released.partition)
                    return (leaves, figures, released.pending.completed.contains(index))
                },
                cancelled: counts(.cancelled, .cancelled), noShow: counts(.noShow, .noShow),
                isPendingElsewhere: released.pending.isElsewhere)
        }
    }

    /// Codes whose rows are shown: the configured ones, and Unassigned where a group may hold such trips. Whether it
    /// does is not said.
    func codes(_ count: Int, within selected: Set<UInt8>?, _ code: (LeafScope) -> UInt8) -> [UInt8] {
        let hasUnassigned = months.contains { month in
            month.groups.contains { $0.leaves.contains { code($0) == 0 } }
        }
        let all = (1..<max(1, count)).map { UInt8($0) } + (hasUnassigned ? [0] : [])
        return all.filter { selected?.contains($0) ?? true }
    }

    /// - Parameter month: nil: of all months.
    mutating func cell(_ scope: CellScope) -> PublishedCell {
        let months = months.filter { scope.month == nil || $0.month == scope.month }
        var figures = UnionFigures()
        var isComplete = true, isPending = false, hasGroup = false
        /// Of each interval, the leaves of the groups that publish it.
        var leavesByInterval = Array(
            repeating: [(month: Month, leaves: [LeafScope])](), count: TripInterval.allCases.count)
        for month in months {
            if scope.region == nil, scope.tripType == nil, month.isPendingElsewhere { isPending = true }
            for group in month.groups where group.leaves.contains(where: { holds($0, scope) }) {
                isPending = isPending || group.isPending
                guard group.leaves.allSatisfy({ holds($0, scope) }) else {
                    isComplete = false
                    continue
                }
                hasGroup = true
                figures.add(group.figures)
                for interval in TripInterval.allCases where group.figures.intervals[interval.rawValue].isPublished {
                    leavesByInterval[interval.rawValue].append((month.month, group.leaves))
                }
            }
        }
        let cancelled = count(months.map(\.cancelled), scope), noShow = count(months.map(\.noShow), scope)
        isPending = isPending || cancelled.isPending || noShow.isPending
        guard hasGroup || isComplete else {
            var cell = PublishedCell(scope)
            cell.suppressed = true
            cell.complete = false
            cell.sourcingSuppressed = true
            cell.revisionPending = isPending
            return cell
        }
        var cell = figures.cell(scope, withoutMean: withoutMean) { interval in
            let own = statistics.statistics(of: interval, over: leavesByInterval[interval.rawValue])
            return (own.p50Seconds.map(Self.rounded), own.p90Seconds.map(Self.rounded))
        }
        cell.complete = isComplete
        cell.revisionPending = isPending
        cell["cancelled"] = cancelled.trips
        cell["noShow"] = noShow.trips
        let incomplete = [("cancelled", cancelled.isComplete), ("noShow", noShow.isComplete)].filter { !$0.1 }.map(\.0)
        cell.incompleteMeasures = incomplete + cell.incompleteMeasures
        return cell
    }

    /// Groups of more than one leaf that have trips of the selection or may have.
    var mergedGroups: [MergedLeaves] {
        months.flatMap { month in
            month.groups.filter { $0.leaves.count > 1 && $0.leaves.contains { holds($0, CellScope()) } }.map {
                MergedLeaves(month: month.month, leaves: $0.leaves, trips: $0.figures.sums.trips)
            }
        }
    }

    /// The groups of a population inside a cell; suppressed if there is none, and the cell is not known to be empty.
    private func count(
        _ months: [[CountedGroup]?], _ scope: CellScope
    ) -> (trips: PublishedValue<Int>, isComplete: Bool, isPending: Bool) {
        var trips = 0, isComplete = true, hasGroup = false, isPending = false
        for groups in months {
            guard let groups else {
                isComplete = false
                continue
            }
            for group in groups where group.leaves.contains(where: { holds($0, scope) }) {
                isPending = isPending || group.isPending
                if group.leaves.allSatisfy({ holds($0, scope) }) {
                    hasGroup = true
                    trips += group.trips
                } else {
                    isComplete = false
                }
            }
        }
        return (hasGroup || isComplete ? .value(trips) : .suppressed, isComplete, isPending)
    }

    private func holds(_ leaf: LeafScope, _ scope: CellScope) -> Bool {
        (scope.region ?? leaf.region) == leaf.region && (scope.tripType ?? leaf.tripType) == leaf.tripType
            && selection.regions?.contains(leaf.region) ?? true && selection.tripTypes?.contains(leaf.tripType) ?? true
    }

    /// Order statistics are values of single trips, so they are rounded.
    private static func rounded(_ seconds: Int) -> Int {
        (HalfUp.quotient(seconds, by: Publishable.percentileStepSeconds) ?? 0) * Publishable.percentileStepSeconds
    }
}

/// A group of several leaves: readers see its trips, and not how they are divided.
package struct MergedLeaves: Sendable, Hashable {
    package var month: Month
    package var leaves: [LeafScope]
    package var trips: Int
}
