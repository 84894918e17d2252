package import Basics
package import KPIs
import Trips

/// What a revision does to the release.
package struct Revision: Sendable {
    /// What the release counts of each changed trip from now on; in the order of the changes.
    package let changes: [TripChange]
    /// The months whose release changes; ascending.
    package let months: [RevisedMonth]
    /// Groups whose figures change.
    package let groups: Int
    /// Groups with changes that are too few, and wait for more.
    package let waiting: Int
    /// Groups that stay as they are, since with the changes they would have too few patients or publish less.
    package let frozen: Int
    /// Changes that are not taken up, since a removed and an added trip may be the same.
    package let renumbered: Int

    init(
        _ all: [TripChange], _ trips: ChangedTrips, _ choice: RevisionChoice, frozen: Int
    ) throws(TripOutsideTally) {
        self.frozen = frozen
        renumbered = choice.renumbered
        let visible = choice.taken.filter { !choice.isInvisible($0) }
        let first = try FirstPartitions(trips)
        var changed = Set(first.partitions.keys)
        for trip in trips.trips
        where visible.contains(trip.index) || (trip.awaitsFirstRelease && first.publishes(trip.current, trips)) {
            // Where the release counted the trip without showing it, too.
            for facts in [all[trip.index].released, trip.current].compactMap(\.self) {
                changed.insert(Month(index: facts.month))
            }
        }
        var changes = all
        for trip in trips.trips {
            let isOf = { (facts: TripFacts?) in facts.map { changed.contains(Month(index: $0.month)) } ?? false }
            if visible.contains(trip.index) {
                changes[trip.index].isRevised = true
                // A trip that moves to a population that is not published leaves the release for good.
                changes[trip.index].released = trip.current.flatMap { trips.isPopulationUnpublished($0) ? nil : $0 }
            } else if choice.taken.contains(trip.index), isOf(trip.current), var current = trip.current {
                // In no published figure. Whose trips a group has stays as it was when it was released.
                current.patient = trip.released?.patient ?? current.patient
                changes[trip.index].released = current
            } else if trip.awaitsFirstRelease, first.publishes(trip.current, trips) {
                changes[trip.index].released = trip.current
            } else if first.publishes(changes[trip.index].released, trips) {
                // It is not in that population any more, and was in no published figure.
                changes[trip.index].released = trip.released
            }
        }
        self.changes = changes
        let tallies = try trips.tallies { changes[$0.index].released }
        func groups(of indices: Set<Int>) -> Set<ReleasedGroup> {
            Set(
                indices.flatMap { index in
                    [trips.trips[index].released, trips.trips[index].current].compactMap { facts in
                        facts.flatMap { trips.group(of: $0) }
                    }
                })
        }
        let revised = groups(of: visible)
        months = changed.sorted().compactMap { month in
            guard let tally = tallies[month], let known = trips.months[month] else { return nil }
            return RevisedMonth(
                month: month, partition: first.partition(of: known, adding: revised.filter { $0.month == month }),
                tally: tally)
        }
        self.groups = revised.count + first.groupCount
        let waiting = trips.candidates.subtracting(choice.taken)
        self.waiting = groups(of: waiting).count
    }
}

/// A month as it is released after a revision.
package struct RevisedMonth: Sendable {
    package let month: Month
    package let partition: ReleasePartition
    package let tally: KPITally
}

/// Cancelled trips and no-shows of released months that were too few to be published, and are enough now. They are divided into
/// groups as for a first release, since no release has counted any of their trips.
struct FirstPartitions {
    private(set) var partitions: [Month: [ReleasedPopulation: PopulationPartition]] = [:]

    init(_ trips: ChangedTrips) throws(TripOutsideTally) {
        for (month, tally) in try trips.tallies({ $0.awaitsFirstRelease ? $0.current : nil }) {
            guard let known = trips.months[month]?.partition else { continue }
            let rule = PartitionRule(minimumCell: trips.minimumCell(month), keptMargin: trips.rule.keptMargin)
            // Unclassified trips have costs, miles and times: among those that come again under other ids, a first
            // publication could show those of a single trip.
            for (population, own) in known.sortedPopulations where own.groups == nil && !population.isCompleted {
                let new = rule.partition(of: population, of: month, in: tally)
                if new.groups != nil { partitions[month, default: [:]][population] = new }
            }
        }
    }

    var groupCount: Int {
        partitions.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + ($1.groups?.count ?? 0) } }
    }

    /// Whether the trip is in such a population.
    func publishes(_ trip: TripFacts?, _ trips: ChangedTrips) -> Bool {
        guard let trip, let population = trips.population(of: trip) else { return false }
        return partitions[Month(index: trip.month)]?[population] != nil
    }

    /// A month's groups: those of its release, these, and leaves that were released as empty and have trips now.
    func partition(of known: RevisableMonth, adding revised: Set<ReleasedGroup>) -> ReleasePartition {
        var populations = known.partition.populations
        for (population, own) in populations {
            guard let old = own.groups else {
                populations[population] = partitions[known.month]?[population] ?? own
                continue
            }
            let leaves = Set(old.joined())
            let added = revised.filter { $0.population == population && !leaves.contains($0.leaves[0]) }
            populations[population] = PopulationPartition(
                groups: old + added.map(\.leaves), unpublishedMeasures: own.unpublishedMeasures)
        }
        var partition = ReleasePartition(
            minimumCell: known.partition.minimumCell, populations: populations,
            isOfEarlierRule: known.partition.isOfEarlierRule)
        partition.addIntervalPairs(known.partition.intervalPairs ?? [])
        return partition
    }
}
