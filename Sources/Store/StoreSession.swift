package import KPIs
import Trips

/// What loading has changed since the month tallies were last written: a run loads any number of exports, then settles
/// once. If it is killed in between, the months stay marked stale and are tallied from their rows the next time.
package struct StoreSession: Sendable {
    package let shape: KPITally.Shape
    /// `Month.index` of months whose written tally was not to be trusted when the session began.
    let staleBefore: Set<Int32>
    /// `Month.index` of months the session has changed.
    package internal(set) var touched: Set<Int32> = []
    var added: KPITally
    var retracted: KPITally

    init(shape: KPITally.Shape, staleBefore: Set<Int32>) {
        self.shape = shape
        self.staleBefore = staleBefore
        added = KPITally(shape: shape)
        retracted = KPITally(shape: shape)
    }

    /// What a transaction changes; it counts once that is committed.
    struct Change {
        /// Nil: nothing was read.
        var tally: KPITally?
        var outcome: ExportWriter.Outcome
    }

    mutating func note(_ changes: consuming [Change]) {
        for change in changes {
            if let tally = change.tally {
                if added.isEmpty { added = tally } else { added.merge(tally) }
            }
            if !change.outcome.restored.isEmpty { added.merge(change.outcome.restored) }
            if !change.outcome.retracted.isEmpty { retracted.merge(change.outcome.retracted) }
            touched.formUnion(change.outcome.months)
        }
    }
}
