/// SplitMix64 (Steele, Lea, Flood 2014), started anew for every record from the seed and the record's number, so that
/// any record can be made again at any time without the ones before it.
struct SampleRandom {
    private var state: UInt64

    @inline(__always)
    init(seed: UInt64, stream: UInt64, index: Int) {
        let place = UInt64(truncatingIfNeeded: index) &* 0xA24B_AED4_963E_E407
        state = Self.mix(seed &+ stream &* 0xD1B5_4A32_D192_ED03) ^ place
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

    /// True in `share` of a million cases.
    @inline(__always)
    mutating func happens(perMillion share: Int) -> Bool { below(1_000_000) < share }
}
