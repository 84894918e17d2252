import GRDB
import KPIs
import Trips

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
