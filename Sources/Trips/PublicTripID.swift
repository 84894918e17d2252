/// The id of a trip outside the store: 128 random bits that do not depend on the trip.
///
/// As text: 32 lower-case hexadecimal digits. All bits are random, so it is no UUID, which fixes six of them.
package struct PublicTripID: Sendable, Hashable, LosslessStringConvertible {
    package static let digitCount = 32
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new id. Ids must not be predictable: the command uses the random source of the system.
    package init(random: inout some RandomNumberGenerator) {
        self.init(high: random.next(), low: random.next())
    }

    /// Upper-case digits are accepted too; nil unless there are exactly 32 digits.
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
