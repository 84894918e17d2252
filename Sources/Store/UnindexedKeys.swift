import GRDB
import Trips

/// The keys of a store's first trips while there is no index of them: made once over all of them, it costs a third of
/// what it costs trip by trip.
///
/// A record of a trip that is there already is put off until the index is made, since only that finds the other.
struct UnindexedKeys {
    /// A bit for each of the values that some bits of a key can have, set once a trip came with them. A trip that only
    /// shares these bits with an earlier one is put off too, and then taken in as the new one that it is: with
    /// `bitsPerTrip` no more than one in as many.
    private var seen: [UInt64]
    private let mask: UInt64
    private var trips = 0
    private var postponed: [StoredTrip] = []
    private let limit: Int

    private static let bitsPerTrip = 64
    private static let mostPostponed = 1 << 16

    /// - Parameter limit: of trips, for the sake of memory.
    init(_ db: Database, limit: Int) throws {
        self.limit = limit
        var words = 1
        while words * UInt64.bitWidth < limit * Self.bitsPerTrip { words *= 2 }
        seen = [UInt64](repeating: 0, count: words)
        mask = UInt64(words * UInt64.bitWidth - 1)
        try db.execute(sql: "DROP INDEX trips_by_key")
    }

    /// Whether the trip has to wait.
    @inline(__always)
    mutating func postpones(_ trip: StoredTrip) -> Bool {
        // Keys are pseudonyms: all of their bits are as good as chance.
        let place = UInt64(bitPattern: trip.key.low) & mask
        let word = Int(place / 64), bit = 1 << (place % 64) as UInt64
        if seen[word] & bit == 0 {
            seen[word] |= bit
            trips += 1
            return false
        }
        postponed.append(trip)
        return true
    }

    var isFull: Bool { trips >= limit || postponed.count >= Self.mostPostponed }

    /// Makes the index.
    ///
    /// - Returns: what was put off.
    consuming func index(_ db: Database) throws -> [StoredTrip] {
        seen = []
        try db.execute(sql: StoreSchema.keyIndex)
        return postponed
    }
}
