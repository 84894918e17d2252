package import KPIs
package import Trips

/// Decides which groups of a released month take up the corrections made since (SPEC §5.3.6).
///
/// A reader can subtract the old figures of a group from the new ones. So a group is revised only if each difference is
/// about enough trips: of every published measure of the group, and of every published part by sourcing, no trip has
/// changed or at least `minimumCell` trips of `minimumCell` patients have. A group stays a group: it is never divided, and
/// what is merged stays merged. A group that is not revised keeps its figures.
package struct RevisionRule: Sendable {
    private let partition: ReleasePartition
    private let month: Month
    private let released: KPITally
    private let current: KPITally
    private let keptMargin: KeptMargin

    /// - Parameters:
    ///   - partition: as the month is released.
    ///   - released: a tally that holds the month as it is released.
    ///   - current: a tally that holds the month as the store has it now.
    package init(
        _ partition: ReleasePartition, of month: Month, released: KPITally, current: KPITally,
        keptMargin: KeptMargin = .region
    ) {
        self.partition = partition
        self.month = month
        self.released = released
        self.current = current
        self.keptMargin = keptMargin
    }

    /// - Parameter changes: of all trips of the month that have changed since the release.
    package func revision(for changes: [ContributionChange]) -> MonthRevision {
        let rule = PartitionRule(minimumCell: partition.minimumCell, keptMargin: keptMargin)
        let new = rule.partition(of: month, in: current)
        let completed = revised(partition.completed, by: new.completed, TripPopulation.completed, changes)
        let cancelled = revised(partition.cancelled, by: new.cancelled, [.cancelled], changes)
        let noShow = revised(partition.noShow, by: new.noShow, [.noShow], changes)
        return MonthRevision(
            partition: ReleasePartition(
                minimumCell: partition.minimumCell, completed: completed.partition, cancelled: cancelled.partition,
                noShow: noShow.partition),
            completed: completed.leaves, cancelled: cancelled.leaves, noShow: noShow.leaves,
            groups: completed.groups + cancelled.groups + noShow.groups,
            pending: completed.pending + cancelled.pending + noShow.pending)
    }

    private func revised(
        _ old: PopulationPartition, by new: PopulationPartition, _ populations: [TripPopulation],
        _ changes: [ContributionChange]
    ) -> (partition: PopulationPartition, leaves: Set<LeafScope>, groups: Int, pending: Int) {
        guard let groups = old.groups else {
            // Nothing of it was published, so there is nothing to subtract from.
            return (new, new.groups == nil ? [] : Set(current.allLeaves), new.groups?.count ?? 0, 0)
        }
        let inGroups = Set(groups.joined())
        /// Where nothing was: a leaf that is large enough becomes a group of its own.
        let added = current.allLeaves.filter { !inGroups.contains($0) && isEnough([$0], populations) }
        var numbers: [LeafScope: Int] = [:]
        for (number, group) in groups.enumerated() {
            for leaf in group { numbers[leaf] = number }
        }
        var tallies = Array(repeating: ChangeTally(minimumCell: partition.minimumCell), count: groups.count)
        for change in changes {
            let released = change.released.filter { populations.contains($0.population) }
            let now = change.current.flatMap { populations.contains($0.population) ? $0 : nil }
            for number in Set((released + [now].compactMap(\.self)).compactMap { numbers[$0.leaf] }) {
                tallies[number].add(
                    before: released.filter { numbers[$0.leaf] == number },
                    after: now.flatMap { numbers[$0.leaf] == number ? $0 : nil })
            }
        }
        let changed = groups.indices.filter { tallies[$0].hasChanges }
        let taken = changed.filter { number in
            isEnough(groups[number], populations)
                && tallies[number].isPublishable(
                    before: figures(groups[number], released), after: figures(groups[number], current))
        }
        return (
            PopulationPartition(groups: groups + added.map { [$0] }),
            Set(taken.flatMap { groups[$0] } + added), taken.count + added.count, changed.count - taken.count
        )
    }

    private func figures(_ leaves: [LeafScope], _ tally: KPITally) -> GroupFigures {
        GroupFigures(leaves, of: month, in: tally, minimumCell: partition.minimumCell)
    }

    private func isEnough(_ leaves: [LeafScope], _ populations: [TripPopulation]) -> Bool {
        let sums = current.sums(of: leaves, in: month)
        guard populations.reduce(0, { $0 + sums.trips(of: $1) }) >= partition.minimumCell else { return false }
        return switch current.patientCount(of: leaves, in: month, populations) {
        case .unknown: true
        case .exactly(let count): count >= partition.minimumCell
        case .atLeastCap: partition.minimumCell <= PatientCount.cap
        case nil: false
        }
    }
}

/// What a revision does to a month.
package struct MonthRevision: Sendable, Hashable {
    /// The old groups, and groups where no trips were before.
    package let partition: ReleasePartition
    /// Leaves whose completed trips count as they are now. Those of all other leaves count as before.
    package let completed: Set<LeafScope>
    package let cancelled: Set<LeafScope>
    package let noShow: Set<LeafScope>
    /// How many groups take up their changes.
    package let groups: Int
    /// How many changed groups keep their figures.
    package let pending: Int

    package var isEmpty: Bool { completed.isEmpty && cancelled.isEmpty && noShow.isEmpty }

    /// Whether the release counts such a trip as the store has it now.
    package func takesUp(_ trip: TripContribution) -> Bool {
        switch trip.population {
        case .inHouse, .contracted, .unclassified: completed.contains(trip.leaf)
        case .cancelled: cancelled.contains(trip.leaf)
        case .noShow: noShow.contains(trip.leaf)
        }
    }

    /// What the release counts of a trip after the revision.
    package func released(_ change: ContributionChange) -> [TripContribution] {
        change.released.filter { !takesUp($0) } + [change.current].compactMap(\.self).filter(takesUp)
    }
}
