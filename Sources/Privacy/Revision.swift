package import KPIs
package import Trips

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

    init(_ all: [TripChange], _ trips: ChangedTrips, _ choice: RevisionChoice) throws(TripOutsideTally) {
        let visible = choice.taken.filter { !choice.isInvisible($0) }
        let first = try FirstPartitions(trips)
        var changed = Set(first.partitions.keys)
        for trip in trips.trips where visible.contains(trip.index) || trip.isNew && first.publishes(trip.current) {
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
                // Into a population that is not published it goes for good.
                changes[trip.index].released = trip.current.flatMap { trips.isHidden($0) ? nil : $0 }
            } else if choice.taken.contains(trip.index), isOf(trip.current), var current = trip.current {
                // In no published figure. Whose trips a group has stays as it was when it was released.
                current.patient = trip.released?.patient ?? current.patient
                changes[trip.index].released = current
            } else if trip.isNew, first.publishes(trip.current) {
                changes[trip.index].released = trip.current
            } else if first.publishes(changes[trip.index].released) {
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
                        facts.flatMap { trips.group(of: $0)?.group }
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
