package import KPIs
package import Trips

/// Decides which late trips a revision adds to the groups of a released month (SPEC §5.3.6).
///
/// A late trip is one that no release has counted, in whatever month. A revision adds late trips and changes nothing that
/// was released. It adds those of a group together, and only if they could be a group of their own: of every published
/// measure, and of every published part by sourcing, none of them has a value, or at least `minimumCell` trips of
/// `minimumCell` patients. So every trip belongs to one block, its first release or one revision, and whoever keeps all
/// releases can compute figures of unions of blocks and nothing smaller. Groups are never divided.
package struct RevisionRule: Sendable {
    private let partition: ReleasePartition
    private let month: Month
    private let released: KPITally
    private let withLateTrips: KPITally
    private let rule: PartitionRule

    /// - Parameters:
    ///   - partition: as the month is released.
    ///   - released: a tally that holds the month as it is released.
    ///   - withLateTrips: the same with all late trips of the month.
    ///   - rule: that of new releases; groups made by a revision need its threshold.
    package init(
        _ partition: ReleasePartition, of month: Month, released: KPITally, withLateTrips: KPITally,
        rule: PartitionRule = PartitionRule()
    ) {
        self.partition = partition
        self.month = month
        self.released = released
        self.withLateTrips = withLateTrips
        self.rule = PartitionRule(
            minimumCell: max(rule.minimumCell, partition.minimumCell), keptMargin: rule.keptMargin)
    }

    /// - Parameter lateTrips: of the month, all of them.
    package func revision(adding lateTrips: [TripContribution]) -> MonthRevision {
        let new = rule.partition(of: month, in: withLateTrips)
        let completed = revised(partition.completed, by: new.completed, TripPopulation.completed, lateTrips)
        let cancelled = revised(partition.cancelled, by: new.cancelled, [.cancelled], lateTrips)
        let noShow = revised(partition.noShow, by: new.noShow, [.noShow], lateTrips)
        return MonthRevision(
            partition: ReleasePartition(
                minimumCell: partition.minimumCell, completed: completed.partition, cancelled: cancelled.partition,
                noShow: noShow.partition),
            completed: completed.leaves, cancelled: cancelled.leaves, noShow: noShow.leaves,
            groups: completed.groups + cancelled.groups + noShow.groups,
            waiting: completed.waiting + cancelled.waiting + noShow.waiting)
    }

    private func revised(
        _ old: PopulationPartition, by new: PopulationPartition, _ populations: [TripPopulation],
        _ lateTrips: [TripContribution]
    ) -> (partition: PopulationPartition, leaves: Set<LeafScope>, groups: Int, waiting: Int) {
        let late = lateTrips.filter { populations.contains($0.population) }
        guard let groups = old.groups else {
            // Nothing of it was published, so it is released as for the first time.
            return (new, new.groups == nil ? [] : Set(released.allLeaves), new.groups?.count ?? 0, 0)
        }
        let inGroups = Set(groups.joined())
        var tallies: [[LeafScope]: LateTripTally] = [:]
        var groupOf: [LeafScope: [LeafScope]] = [:]
        for group in groups {
            for leaf in group { groupOf[leaf] = group }
        }
        for trip in late {
            // A leaf that was released as empty: its late trips may become a group.
            let group = groupOf[trip.leaf] ?? [trip.leaf]
            tallies[group, default: LateTripTally(minimumCell: rule.minimumCell)].add(trip)
        }
        let taken = tallies.filter { group, tally in
            guard inGroups.contains(group[0]) else { return tally.isEnough }
            return tally.isPublishable(before: figures(group, released), after: figures(group, withLateTrips))
        }.keys
        return (
            PopulationPartition(groups: groups + taken.filter { !inGroups.contains($0[0]) }),
            Set(taken.joined()), taken.count, tallies.count - taken.count
        )
    }

    private func figures(_ leaves: [LeafScope], _ tally: KPITally) -> GroupFigures {
        GroupFigures(leaves, of: month, in: tally, minimumCell: partition.minimumCell)
    }
}

/// What a revision does to a month.
package struct MonthRevision: Sendable, Hashable {
    /// The old groups, and groups where no trips were before.
    package let partition: ReleasePartition
    /// Leaves whose late completed trips are added.
    package let completed: Set<LeafScope>
    package let cancelled: Set<LeafScope>
    package let noShow: Set<LeafScope>
    /// How many groups get late trips.
    package let groups: Int
    /// How many groups, or leaves that were released as empty, have too few late trips and wait for more.
    package let waiting: Int

    package var isEmpty: Bool { completed.isEmpty && cancelled.isEmpty && noShow.isEmpty }

    /// Whether a late trip is added.
    package func adds(_ trip: TripContribution) -> Bool {
        switch trip.population {
        case .inHouse, .contracted, .unclassified: completed.contains(trip.leaf)
        case .cancelled: cancelled.contains(trip.leaf)
        case .noShow: noShow.contains(trip.leaf)
        }
    }
}
