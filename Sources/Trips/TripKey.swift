/// A trip's internal key: the first 128 bits of a keyed hash (HMAC-SHA-256) of source, trip id and leg id.
///
/// Without the key file it discloses nothing about the trip; with it, it is the same in every run. It never leaves the store.
package struct TripKey: Sendable, Hashable, Comparable {
    /// Signed, as SQLite keeps and orders integers.
    package var high: Int64
    package var low: Int64

    package init(high: Int64, low: Int64) {
        self.high = high
        self.low = low
    }

    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
