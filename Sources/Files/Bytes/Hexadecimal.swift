/// Lower-case hexadecimal digits.
package enum Hexadecimal {
    /// Two digits a byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            for half in [byte >> 4, byte & 0xF] { digits.append(half < 10 ? 0x30 + half : 0x57 + half) }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// 16 digits.
    package static func text(_ word: UInt64) -> String { text(bytes(of: word)) }

    /// The eight bytes of a word, the highest first.
    package static func bytes(of word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
}
