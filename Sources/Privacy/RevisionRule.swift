package import Basics
package import KPIs

/// Decides which changed trips of released months a revision takes up.
///
/// A reader may keep all releases and subtract them. The rule therefore groups trips by the published figures that hold
/// their values, for each quantity (trips, cost, miles, each interval) by itself:
/// - Sets: the values that a figure gains at this revision, those that it loses, those that move from one figure to
///   another, and those that stay.
/// - A revision takes up a change only if each of its sets has no trip, or at least `minimumCell` trips of `minimumCell`
///   patients. What a reader can compute is a sum over some of these sets.
/// - A trip is revised at most once. Later changes of it reach the staff set only.
/// - Groups are never divided. A group that would have too few patients, or publish less than before, is frozen.
/// - Removed trips and added trips may be the same under other ids: where some are equal, their numbers must not differ by
///   1 to `minimumCell` - 1.
package struct RevisionRule: Sendable {
    private let months: [Month: RevisableMonth]
    private let rule: PartitionRule

    /// - Parameter rule: that of new releases; what a revision takes up needs its threshold too.
    package init(_ months: [RevisableMonth], rule: PartitionRule = PartitionRule()) {
        self.months = Dictionary(months.map { ($0.month, $0) }, uniquingKeysWith: { first, _ in first })
        self.rule = rule
    }

    /// - Parameter changes: of all the months, each trip once.
    /// - Throws: `TripOutsideTally` for a trip that no tally of these months can hold.
    package func revision(of changes: [TripChange]) throws(TripOutsideTally) -> Revision {
        let trips = try ChangedTrips(changes, months, rule)
        var published: [ReleasedGroup: PublishedDetail] = [:]
        trips.add(try trips.tallies { $0.released }, to: &published)
        var detail = published
        trips.add(try trips.tallies { $0.isCandidate ? $0.current : $0.released }, to: &detail)
        let unrevised = try trips.tallies { $0.isRevised ? nil : $0.released }
        var frozen: Set<ReleasedGroup> = []
        while true {
            let choice = try RevisionChoice(
                trips, published: published, detail, frozen: frozen, unrevised: unrevised)
            let tallies = try trips.tallies { choice.taken.contains($0.index) ? $0.current : $0.released }
            let weakened = trips.weakened(tallies, published: published)
            let known = detail
            trips.add(tallies, to: &detail)
            if !weakened.isSubset(of: frozen) {
                frozen.formUnion(weakened)
            } else if known == detail {
                return try Revision(changes, trips, choice, frozen: frozen.count)
            }
        }
    }
}

/// A month as it is released, and its trips that have not changed since.
package struct RevisableMonth: Sendable {
    package let month: Month
    package let partition: ReleasePartition
    /// Of the trips that have not changed.
    package let unchanged: KPITally

    package init(month: Month, partition: ReleasePartition, unchanged: KPITally) {
        self.month = month
        self.partition = partition
        self.unchanged = unchanged
    }
}
