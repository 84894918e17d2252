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

/// What a transaction changes in the tallies and totals of a store.
struct StoreChange: Sendable {
    /// All trips of a loaded export, older versions and copies included; nil: no export was loaded, or a supplement, whose records
    /// are no trips.
    var tally: KPITally?
    /// Tallied versions that do not count, or no longer.
    private(set) var retracted: KPITally
    /// Versions that count again.
    private(set) var restored: KPITally
    /// `Month.index` of every month in which a trip was added, changed or removed.
    var months: Set<Int32> = []
    var totals = StoreTotals()
    private let shape: KPITally.Shape
    private var retractedRows = TripBatch(capacity: 1024, textFields: [])
    private var restoredRows = TripBatch(capacity: 1024, textFields: [])

    init(shape: KPITally.Shape) {
        self.shape = shape
        retracted = KPITally(shape: shape)
        restored = KPITally(shape: shape)
    }

    mutating func retract(_ trip: StoredTrip) throws {
        months.insert(trip.facts.month)
        try retractedRows.append(stored: trip.facts, for: shape)
        if retractedRows.count == retractedRows.capacity { flush() }
    }

    mutating func restore(_ trip: StoredTrip) throws {
        months.insert(trip.facts.month)
        try restoredRows.append(stored: trip.facts, for: shape)
        if restoredRows.count == restoredRows.capacity { flush() }
    }

    private mutating func flush() {
        if retractedRows.count > 0 { retracted.add(retractedRows) }
        if restoredRows.count > 0 { restored.add(restoredRows) }
        retractedRows.count = 0
        restoredRows.count = 0
    }

    /// Writes the totals, and marks the months stale.
    mutating func finish(_ db: Database) throws {
        flush()
        try db.execute(
            sql: "UPDATE store SET trips = trips + ?, copies = copies + ?, superseded = superseded + ?",
            arguments: [totals.trips, totals.copies, totals.superseded])
        try TripStore.markStale(months, db)
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
