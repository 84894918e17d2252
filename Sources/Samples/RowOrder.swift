/// A random order of `0 ..< count` in constant memory: a Feistel network over the next power of four, walked on until
/// it lands inside.
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
