/// What identifiers are remembered by while a run lasts: 64 bits of a hash with a random seed, letters folded to lower
/// case (ASCII).
///
/// With 4.2 million identifiers and a million texts looked up, one in four million runs would meet a false hit: that is
/// why a hit needs no second look.
package struct IdentifierHash: Sendable, Hashable {
    let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    @inline(__always)
    static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        let mixed = (hash ^ UInt64(lowercased(byte))) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ (mixed >> 29)
    }

    @inline(__always)
    static func finish(_ hash: UInt64) -> UInt64 {
        let product = (hash ^ 0x5899_65CC_7537_4CC3).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low ^ hash
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

/// What an identifier, or a piece of text that may be one, consists of. Only what could hardly be anything else is
/// compared: an id such as `12` or a name such as `North` stands in every report.
struct SpanFacts {
    var bytes = 0
    var digits = 0
    var letters = 0
    /// Runs of letters and digits.
    var words = 0

    static let maximumBytes = 128
    static let maximumWords = 8

    /// - At least 5 bytes;
    /// - without a letter at least 7 digits;
    /// - with letters at least a digit in one word or three in several, or, of a name, two words: `over 24 h` in a column
    ///   of notes is no identifier.
    func isTelling(isName: Bool) -> Bool {
        guard bytes >= 5, bytes <= Self.maximumBytes, words <= Self.maximumWords else { return false }
        if letters == 0 { return digits >= 7 }
        return words == 1 ? digits > 0 : digits >= 3 || isName
    }

    /// Letters and digits make words; all bytes of UTF-8 beyond ASCII count as letters.
    @inline(__always)
    static func isWordByte(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 }
}
