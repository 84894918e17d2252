import Trips

/// A part of the stored rows that has a digest of its own: a small share of a month, of the older versions, or of the trips
/// as they were released, by trip key. A correction makes its part be read again, so parts are small: two hundred rows in
/// a month of four hundred thousand.
struct RowPart: Sendable, Hashable, Comparable {
    /// Unique. From 0 on: trips that count, by month; the next below: older versions; the next below these: trips as they
    /// were released.
    let number: Int64

    private static let sliceBits: Int64 = 11
    private static let slices: Int64 = 1 << sliceBits
    private static let keyBits: Int64 = 64 - sliceBits
    /// Parts were larger before migration 7.
    private static let formerSlices: Int64 = 16

    init(number: Int64) { self.number = number }

    /// The parts of a month's trips that count.
    static func all(ofMonth month: Int32) -> ClosedRange<RowPart> {
        let first = Int64(month) * slices
        return RowPart(number: first)...RowPart(number: first + slices - 1)
    }

    @inline(__always)
    init(_ trip: StoredTrip, in table: RowTable) {
        let slice = (trip.key.high >> Self.keyBits) + Self.slices / 2
        switch table {
        case .trips: number = Int64(trip.facts.month) * Self.slices + slice
        case .olderVersions: number = slice - Self.slices
        case .releaseChanges: number = slice - 2 * Self.slices
        }
    }

    /// The numbers of a table's parts, as an SQL condition.
    static func condition(of table: RowTable) -> String {
        switch table {
        case .trips: "part >= 0"
        case .olderVersions: "part BETWEEN -\(slices) AND -1"
        case .releaseChanges: "part < -\(slices)"
        }
    }

    var table: RowTable { number >= 0 ? .trips : number >= -Self.slices ? .olderVersions : .releaseChanges }

    /// The month of a part of `trips`, or one number for each other table. Parts of one run lie in the order of the keys.
    var run: Int64 { number >= 0 ? number / Self.slices : number >= -Self.slices ? -1 : -2 }

    /// The part that held its rows before migration 7.
    var former: RowPart { RowPart(number: run * Self.formerSlices + slice * Self.formerSlices / Self.slices) }

    /// Slices ascend with the key.
    private var slice: Int64 { number - run * Self.slices }

    /// The high words of its keys.
    var keys: ClosedRange<Int64> {
        let first = (slice - Self.slices / 2) << Self.keyBits
        return first...(first + ((1 << Self.keyBits) - 1))
    }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
