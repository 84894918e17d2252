/// The identifiers that a run has read, as hashes. The texts of its outputs are looked up in it.
package struct IdentifierSet: Sendable {
    /// How many distinct identifiers of a run are kept: the tables then take half a GiB.
    package static let standardLimit = 1 << 25

    let hash: IdentifierHash
    private let tables: [IdentifierTable]

    init(_ hash: IdentifierHash, tables: [IdentifierTable]) {
        self.hash = hash
        self.tables = tables
    }

    package var count: Int { tables.reduce(0) { $0 + $1.count } }

    /// False if a run has read more identifiers than the limit: the set lacks the rest.
    package var isComplete: Bool { !tables.contains { $0.isFull } }

    func contains(_ code: IdentifierCode) -> Bool { tables[Int(code.shard)].contains(code.bits) }
}

/// A set of codes that are random bits: open addressing, at most two thirds full.
struct IdentifierTable: Sendable {
    /// 0 where there is none.
    private var slots = [UInt64](repeating: 0, count: 16)
    private(set) var count = 0
    /// Whether there were more of them than it may hold.
    private(set) var isFull = false

    /// - Parameter limit: no more than this many are taken.
    mutating func insert(_ code: UInt64, limit: Int) {
        var slot = place(of: code)
        guard slots[slot] != code else { return }
        guard count < limit else {
            isFull = true
            return
        }
        if (count + 1) * 3 > slots.count * 2 {
            grow()
            slot = place(of: code)
        }
        slots[slot] = code
        count += 1
    }

    func contains(_ code: UInt64) -> Bool { slots[place(of: code)] == code }

    /// Where a code is, or would be.
    @inline(__always)
    private func place(of code: UInt64) -> Int {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: code) & mask
        while slots[slot] != 0, slots[slot] != code { slot = (slot &+ 1) & mask }
        return slot
    }

    private mutating func grow() {
        let codes = slots
        slots = [UInt64](repeating: 0, count: codes.count * 2)
        for code in codes where code != 0 { slots[place(of: code)] = code }
    }
}

/// The hash of identifiers during a run: 70 bits with a random seed, letters folded to lower case (ASCII).
///
/// The probability of a false hit in one run is identifiers × different texts ÷ 2^70: for the most identifiers that are
/// kept (33.5 million) and ten million texts, three in ten million. So a hit needs no confirmation.
package struct IdentifierHash: Sendable, Hashable {
    private let first: UInt64
    private let second: UInt64

    package init(seed: UInt64) {
        first = Self.mixed(seed, 0x9E37_79B9_7F4A_7C15)
        second = Self.mixed(seed ^ 0xD1B5_4A32_D192_ED03, 0x8CB9_2BA7_2F3D_8DD7)
    }

    var start: State { State(first: first, second: second) }

    /// The hash of a text as far as it has been read: eight bytes at a time, then what is left of them.
    struct State {
        fileprivate var first: UInt64
        fileprivate var second: UInt64

        /// - Parameter word: eight bytes, the first the lowest, letters folded.
        @inline(__always)
        mutating func take(_ word: UInt64) {
            let product = (first ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
            (first, second) = (product.low ^ second, product.high ^ word)
        }

        /// - Parameters:
        ///   - rest: up to seven bytes, filled up with zeros.
        ///   - count: of all bytes.
        @inline(__always)
        func code(rest: UInt64, count: Int) -> IdentifierCode {
            var last = self
            if count & 7 != 0 { last.take(rest) }
            last.take(UInt64(truncatingIfNeeded: count) &+ 0x5899_65CC_7537_4CC3)
            last.take(0xE703_7ED1_A0B4_28DB)
            return IdentifierCode(
                shard: UInt8(truncatingIfNeeded: last.second >> 58), bits: max(1, last.first ^ (last.second << 7)))
        }
    }

    @inline(__always)
    fileprivate static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

/// The hash of one identifier.
struct IdentifierCode: Sendable, Hashable {
    static let shards = 64

    /// Which of the 64 tables it is in.
    var shard: UInt8
    /// Never 0.
    var bits: UInt64
}
