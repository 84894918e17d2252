import Trips

/// A count and a sum of 128-bit hashes over rows of trips. The order of the rows does not matter, and a row that is taken
/// out leaves no trace, so the digest is kept up to date row by row.
///
/// It reveals damage, not forgery: whoever can write to the store can write a fitting digest too.
struct RowDigest: Sendable, Hashable {
    private(set) var rows = 0
    private(set) var high: UInt64 = 0
    private(set) var low: UInt64 = 0

    init() {}

    init(rows: Int, high: UInt64, low: UInt64) {
        self.rows = rows
        self.high = high
        self.low = low
    }

    var isEmpty: Bool { self == RowDigest() }

    @inline(__always)
    mutating func add(_ trip: StoredTrip) {
        let hash = WordHash(trip)
        rows &+= 1
        high &+= hash.high
        low &+= hash.low
    }

    @inline(__always)
    mutating func remove(_ trip: StoredTrip) {
        let hash = WordHash(trip)
        rows &-= 1
        high &-= hash.high
        low &-= hash.low
    }

    mutating func merge(_ other: RowDigest) {
        rows &+= other.rows
        high &+= other.high
        low &+= other.low
    }
}

extension WordHash {
    /// Of every column of a row.
    @inline(__always)
    fileprivate init(_ trip: StoredTrip) {
        self.init()
        let facts = trip.facts
        add(trip.key.high)
        add(trip.key.low)
        add(trip.exportID, facts.month)
        add(Int64(trip.recordOffset))
        add(Int64(trip.version.updatedAt))
        add(Int64(trip.version.sequence))
        add(facts.day, Int32(bitPattern: facts.warnings))
        add(
            Int64(facts.status) << 24 | Int64(facts.region) << 16 | Int64(facts.tripType) << 8
                | Int64(facts.sourcing))
        add(facts.intervals[0], facts.intervals[1])
        add(facts.intervals[2], facts.intervals[3])
        add(facts.intervals[4], facts.intervals[5])
        add(Int64(facts.costCents))
        add(Int64(facts.loadedHundredths))
        add(Int64(facts.unloadedHundredths))
        add(Int64(bitPattern: facts.patient))
        add(facts.texts[0], facts.texts[1])
        add(facts.texts[2], facts.texts[3])
        add(facts.texts[4], facts.texts[5])
        add(facts.texts[6], 0)
    }

    @inline(__always)
    private mutating func add(_ left: Int32, _ right: Int32) {
        add(Int64(left) << 32 | Int64(UInt32(bitPattern: right)))
    }
}
