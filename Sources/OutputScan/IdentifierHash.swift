/// What identifiers are remembered by while a run lasts: 70 bits of a hash with a random seed, letters folded to lower
/// case (ASCII).
///
/// The odds of a false hit in one run are identifiers × different texts ÷ 2^70: for all that are remembered at most
/// (33.5 million) and ten million texts, three in ten million. That is why a hit needs no second look.
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

/// What stands for an identifier.
struct IdentifierCode: Sendable, Hashable {
    static let shards = 64

    /// Which of the 64 tables it is in.
    var shard: UInt8
    /// Never 0.
    var bits: UInt64
}
