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

    @inline(__always)
    init(_ trip: StoredTrip, in table: RowTable) {
        let slice = Self.slice(of: trip.key.high)
        switch table {
        case .trips: number = Int64(trip.facts.month) * Self.slices + slice
        case .olderVersions: number = slice - Self.slices
        case .releaseChanges: number = slice - 2 * Self.slices
        }
    }

    /// Slices ascend with the key.
    @inline(__always)
    private static func slice(of keyHigh: Int64) -> Int64 { (keyHigh >> 60) + 8 }

    /// The numbers of a table's parts, as an SQL condition.
    static func condition(of table: RowTable) -> String {
        switch table {
        case .trips: "part >= 0"
        case .olderVersions: "part BETWEEN -\(slices) AND -1"
        case .releaseChanges: "part < -\(slices)"
        }
    }

    private var table: RowTable { number >= 0 ? .trips : number >= -Self.slices ? .olderVersions : .releaseChanges }

    /// The statement that finds the rows by the least and the greatest high word of their keys.
    var sql: String {
        let month = table == .trips ? "month = \(number / Self.slices) AND " : ""
        return "SELECT \(TripColumns.names) FROM \(table.rawValue) WHERE \(month)key_high BETWEEN ? AND ?"
    }

    /// The high words of its keys.
    var keys: ClosedRange<Int64> {
        let slice = ((number % Self.slices) + Self.slices) % Self.slices
        let first = (slice - 8) << 60
        return first...(first + ((1 << 60) - 1))
    }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
