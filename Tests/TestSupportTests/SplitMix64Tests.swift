import TestSupport
import Testing

@Suite struct SplitMix64Tests {
    /// First outputs for seed 1234567, as the reference C program prints them.
    @Test func givesTheReferenceSequence() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
        #expect(random.next() == 9_817_491_932_198_370_423)
    }

    @Test func seedsDecideTheSequence() {
        var one = SplitMix64(seed: 1)
        var same = SplitMix64(seed: 1)
        var other = SplitMix64(seed: 2)
        let ones = (0..<8).map { _ in Int.random(in: 0..<1_000_000, using: &one) }
        #expect(ones == (0..<8).map { _ in Int.random(in: 0..<1_000_000, using: &same) })
        #expect(ones != (0..<8).map { _ in Int.random(in: 0..<1_000_000, using: &other) })
    }
}
