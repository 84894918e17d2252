import GRDB
import Trips

/// The keys of a store's first trips while there is no index of them: made once over all of them, it costs a third of
/// what it costs trip by trip.
///
/// A record of a trip that is there already is put off until the index is made, since only that finds the other.
struct UnindexedKeys {
    /// Half of the keys: another trip with the same half is put off too, and then taken in as the new one that it is.
    private var seen: Set<Int64> = []
    private var postponed: [StoredTrip] = []
    private let limit: Int

    private static let mostPostponed = 1 << 16

    /// - Parameter limit: of trips, for the sake of memory.
    init(_ db: Database, limit: Int) throws {
        self.limit = limit
        try db.execute(sql: "DROP INDEX trips_by_key")
    }

    /// Whether the trip has to wait.
    @inline(__always)
    mutating func postpones(_ trip: StoredTrip) -> Bool {
        if seen.insert(trip.key.low).inserted { return false }
        postponed.append(trip)
        return true
    }

    var isFull: Bool { seen.count >= limit || postponed.count >= Self.mostPostponed }

    /// Makes the index.
    ///
    /// - Returns: what was put off.
    consuming func index(_ db: Database) throws -> [StoredTrip] {
        seen = []
        try db.execute(sql: StoreSchema.keyIndex)
        return postponed
    }
}
