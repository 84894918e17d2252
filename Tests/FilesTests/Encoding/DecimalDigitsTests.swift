import Files
import Testing

@Suite struct DecimalDigitsTests {
    private func text(_ number: UInt32) -> String {
        withUnsafeBytes(of: (DecimalDigits.eight(number) | DecimalDigits.characters).littleEndian) {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func expected(_ number: UInt32) -> String {
        String(repeating: "0", count: 8 - String(number).count) + String(number)
    }

    /// The upper and the lower half are worked out beside each other: each of the 10⁴ values of one beside all kinds of the
    /// other.
    @Test func allNumbersOfFourDigitsInBothHalves() {
        var wrong: [UInt32] = []
        for half in UInt32(0)..<10_000 {
            for other: UInt32 in [0, 9, 10, 99, 100, 999, 1_000, 5_555, 9_999, (half &* 7_919) % 10_000] {
                for number in [half * 10_000 + other, other * 10_000 + half] where text(number) != expected(number) {
                    wrong.append(number)
                }
            }
        }
        #expect(wrong.isEmpty)
    }
}
