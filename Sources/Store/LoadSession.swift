import GRDB
package import KPIs
import Trips

/// What loading has changed since the month tallies were last written. A run loads any number of exports, then refreshes
/// the tallies once. If it is killed in between, the months stay stale and the next run tallies them from their rows.
package struct LoadSession: Sendable {
    package let shape: KPITally.Shape
    /// `Month.index` of months that were stale when the session began.
    let staleBefore: Set<Int32>
    let completion: TripCompletion
    /// `Month.index` of months the session has changed.
    package private(set) var touched: Set<Int32> = []
    private(set) var added: KPITally
    private(set) var retracted: KPITally

    init(shape: KPITally.Shape, staleBefore: Set<Int32>, _ completion: TripCompletion) {
        self.shape = shape
        self.completion = completion
        self.staleBefore = staleBefore
        added = KPITally(shape: shape)
        retracted = KPITally(shape: shape)
    }

    /// Adds the changes of a transaction that is committed.
    mutating func add(_ changes: consuming [StoreChange]) {
        for change in changes {
            if let tally = change.tally {
                if added.isEmpty { added = tally } else { added.merge(tally) }
            }
            if !change.restored.isEmpty { added.merge(change.restored) }
            if !change.retracted.isEmpty { retracted.merge(change.retracted) }
            touched.formUnion(change.months)
        }
    }
}

/// The numbers of trips and of older versions, which the published counts are made of.
package struct StoreTotals: Sendable, Hashable {
    package var trips = 0
    /// Older versions with the same facts as the newest of their trip.
    package var copies = 0
    package var superseded = 0

    /// Replaces what one state of a trip adds to the totals by what another adds.
    mutating func replace(_ before: WholeTrip, by after: WholeTrip) {
        trips += (after.counted == nil ? 0 : 1) - (before.counted == nil ? 0 : 1)
        let old = before.own.losers, new = after.own.losers
        copies += new.copies - old.copies
        superseded += new.superseded - old.superseded
    }
}
