import GRDB
import Trips

/// A hash of words in their order, in two lanes of 64 bits. Each step is one to one in its word, so that no single
/// changed word goes unnoticed. It is no defence against forgery.
struct WordHash: Sendable, Hashable {
    private(set) var high: UInt64 = 0x9E37_79B9_7F4A_7C15
    private(set) var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    init() {}

    init(high: Int64, low: Int64) {
        self.high = UInt64(bitPattern: high)
        self.low = UInt64(bitPattern: low)
    }

    @inline(__always)
    mutating func add(_ word: Int64) {
        let word = UInt64(bitPattern: word)
        let first = (high ^ word) &* 0x9E37_79B1_85EB_CA87
        high = first ^ first >> 32
        let second = (low &+ word) &* 0xD6E8_FEB8_6659_FD93
        low = second ^ second >> 29
    }

    /// The length, then eight bytes a word.
    mutating func add(_ bytes: some Sequence<UInt8>, count: Int) {
        add(Int64(count))
        var word: UInt64 = 0, filled = 0
        for byte in bytes {
            word = word << 8 | UInt64(byte)
            filled += 1
            if filled == 8 {
                add(Int64(bitPattern: word))
                word = 0
                filled = 0
            }
        }
        add(Int64(bitPattern: word))
    }

    /// A value with its type.
    mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .null: add(1)
        case .int64(let number):
            add(2)
            add(number)
        case .double(let number):
            add(3)
            add(Int64(bitPattern: number.bitPattern))
        case .string(let text):
            add(4)
            add(text.utf8, count: text.utf8.count)
        case .blob(let data):
            add(5)
            add(data, count: data.count)
        }
    }

    /// Every column of a row.
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
        for lane in 0..<3 { add(facts.intervals[2 * lane], facts.intervals[2 * lane + 1]) }
        add(Int64(facts.costCents))
        add(Int64(facts.loadedHundredths))
        add(Int64(facts.unloadedHundredths))
        add(Int64(bitPattern: facts.patient))
        for lane in 0..<3 { add(facts.texts[2 * lane], facts.texts[2 * lane + 1]) }
        add(facts.texts[6], 0)
    }

    @inline(__always)
    private mutating func add(_ left: Int32, _ right: Int32) {
        add(Int64(left) << 32 | Int64(UInt32(bitPattern: right)))
    }
}

/// A count and a sum of 128-bit hashes over rows of trips. The order of the rows does not matter, and a removed row leaves
/// no trace, so the digest is updated row by row.
///
/// It reveals damage, not forgery: whoever can write to the store can write a matching digest too.
struct RowDigest: Sendable, Hashable {
    private(set) var rows = 0
    private(set) var high: UInt64 = 0
    private(set) var low: UInt64 = 0

    init() {}

    /// The columns `row_count, high, low` of a row of `row_digests`.
    init(_ row: IntegerStatement, from column: Int32) {
        rows = Int(row.column(column))
        high = UInt64(bitPattern: row.column(column + 1))
        low = UInt64(bitPattern: row.column(column + 2))
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
