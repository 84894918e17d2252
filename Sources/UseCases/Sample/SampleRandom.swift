/// SplitMix64 (Steele, Lea, Flood 2014), seeded again for every record from the seed and the record's number. Any record
/// can therefore be made at any time without the records before it.
struct SampleRandom {
    private var state: UInt64

    @inline(__always)
    init(seed: UInt64, stream: UInt64, index: Int) {
        let offset = UInt64(truncatingIfNeeded: index) &* 0xA24B_AED4_963E_E407
        state = Self.mix(seed &+ stream &* 0xD1B5_4A32_D192_ED03) ^ offset
        state = Self.mix(state)
    }

    @inline(__always)
    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    @inline(__always)
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// 0 ..< bound; the bias of at most bound / 2^32 does not matter here.
    @inline(__always)
    mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: bound)) >> 32)
    }
}

/// A lognormal distribution around a median, in integers: 33 quantiles with straight lines between them, cut at 0.4 %
/// and 99.6 %.
struct LognormalShape {
    /// Quantiles in permille of the median, at 0/32, 1/32 … 32/32.
    private let permille: [Int]

    /// Sigma 0.35: steps that crews control.
    static let narrow = LognormalShape(permille: [
        395, 521, 585, 630, 669, 702, 733, 762, 790, 817, 843, 869, 894, 920, 946, 973, 1000, 1028, 1057, 1087, 1118,
        1151, 1187, 1225, 1266, 1312, 1364, 1424, 1496, 1586, 1711, 1919, 2530,
    ])

    /// Sigma 0.5: driving times and distances.
    static let wide = LognormalShape(permille: [
        266, 394, 464, 517, 563, 604, 642, 678, 714, 749, 783, 818, 853, 888, 924, 962, 1000, 1040, 1082, 1126, 1173,
        1223, 1277, 1336, 1401, 1474, 1558, 1657, 1777, 1933, 2153, 2538, 3766,
    ])

    @inline(__always)
    func draw(median: Int, _ random: inout SampleRandom) -> Int {
        let position = random.below(32 << 10)
        let low = permille[position >> 10], high = permille[(position >> 10) + 1]
        return median * (low + (high - low) * (position & 1023) >> 10) / 1000
    }
}

/// A random order of `0 ..< count` in constant memory: a Feistel network over the next power of four, applied again until
/// the result is in range.
struct RowOrder {
    private let count: Int
    private let halfBits: UInt64
    private let keys: [UInt64]

    init(count: Int, seed: UInt64) {
        self.count = count
        var bits: UInt64 = 1
        while 1 << (2 * bits) < count { bits += 1 }
        halfBits = bits
        var random = SampleRandom(seed: seed, stream: 9, index: count)
        keys = (0..<4).map { _ in random.next() }
    }

    func index(at position: Int) -> Int {
        var value = UInt64(position)
        repeat { value = permuted(value) } while value >= UInt64(count)
        return Int(value)
    }

    private func permuted(_ value: UInt64) -> UInt64 {
        let mask = (1 << halfBits) - 1 as UInt64
        var left = value >> halfBits, right = value & mask
        for key in keys { (left, right) = (right, left ^ (SampleRandom.mix(right &+ key) & mask)) }
        return left << halfBits | right
    }
}
