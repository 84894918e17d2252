/// What a trip is called outside the store: 128 random bits that come from nothing the trip says or is known by.
///
/// As text: 32 lower-case hexadecimal digits. All bits are random, so it is no UUID, which gives six of them away.
package struct PublicTripID: Sendable, Hashable, LosslessStringConvertible {
    package static let digitCount = 32
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new one. Whoever can foretell what `random` gives can tell ids in advance: the command uses the system's.
    package init(random: inout some RandomNumberGenerator) {
        self.init(high: random.next(), low: random.next())
    }

    /// Upper-case digits are taken too; nil unless there are 32 digits and nothing else.
    package init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == Self.digitCount,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }),
            let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    package var description: String { Self.digits(high) + Self.digits(low) }

    private static func digits(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
