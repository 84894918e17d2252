import Trips

/// A part of the stored rows that has a digest of its own: a sixteenth of a month, of the older versions, or of the trips
/// as they were released, by trip key.
/// A part is small enough to be checked in any night, whatever the size of the store.
struct RowPart: Sendable, Hashable, Comparable {
    /// Unique. From 0 on: trips that count, by month; the sixteen below: older versions; the sixteen below these: trips as
    /// they were released.
    let number: Int64

    private static let slices: Int64 = 16

    init(number: Int64) { self.number = number }

    /// The parts of a month's trips that count.
    static func all(ofMonth month: Int32) -> [RowPart] {
        (0..<slices).map { RowPart(number: Int64(month) * slices + $0) }
    }

    /// The part of a trip that counts.
    @inline(__always)
    init(counted trip: StoredTrip) { number = Int64(trip.facts.month) * Self.slices + Self.slice(of: trip.key.high) }

    /// The part of an older version.
    @inline(__always)
    init(older trip: StoredTrip) { number = Self.slice(of: trip.key.high) - Self.slices }

    /// The part of a trip as it was released.
    @inline(__always)
    init(released trip: StoredTrip) { number = Self.slice(of: trip.key.high) - 2 * Self.slices }

    /// Slices ascend with the key.
    @inline(__always)
    private static func slice(of keyHigh: Int64) -> Int64 { (keyHigh >> 60) + 8 }

    /// The tables, each with the SQL condition that its parts meet.
    static let conditions = [
        "trips": "part >= 0", "older_versions": "part BETWEEN -\(slices) AND -1",
        "release_changes": "part < -\(slices)",
    ]

    /// The statement that finds the rows by the least and the greatest high word of their keys.
    var sql: String {
        let place =
            switch number {
            case 0...: "trips WHERE month = \(number / Self.slices) AND"
            case (-Self.slices)...: "older_versions WHERE"
            default: "release_changes WHERE"
            }
        return "SELECT \(TripColumns.names) FROM \(place) key_high BETWEEN ? AND ?"
    }

    /// The high words of its keys.
    var keys: ClosedRange<Int64> {
        let slice = ((number % Self.slices) + Self.slices) % Self.slices
        let first = (slice - 8) << 60
        return first...(first + ((1 << 60) - 1))
    }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
