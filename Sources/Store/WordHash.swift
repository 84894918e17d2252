/// A hash of words in their order, in two lanes of 64 bits. Each step is one to one in its word, so that no single
/// changed word goes unnoticed. It is no defence against forgery.
struct WordHash: Sendable {
    private(set) var high: UInt64 = 0x9E37_79B9_7F4A_7C15
    private(set) var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    init() {}

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
}
