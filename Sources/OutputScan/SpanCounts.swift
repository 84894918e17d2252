/// The counts by which a piece of text is recognised as a possible identifier. Only texts that could hardly be anything
/// else are compared: an id such as `12` or a name such as `North` is in every report.
struct SpanCounts {
    var bytes = 0
    var digits = 0
    /// Only whether there are any matters.
    var letters = 0
    /// Runs of letters and digits.
    var words = 0

    static let minimumBytes = 5
    static let maximumBytes = 128
    static let maximumWords = 8

    /// - At least 5 bytes;
    /// - without a letter at least 7 digits;
    /// - with letters at least a digit in one word or three in several, or, of a name, two words: `over 24 h` in a column
    ///   of notes is no identifier.
    func isTelling(isName: Bool) -> Bool {
        guard bytes >= Self.minimumBytes, bytes <= Self.maximumBytes, words <= Self.maximumWords else { return false }
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

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

/// Eight bytes at once: which of them are digits and letters, as the highest bit of each.
struct EightBytes {
    /// Letters folded to lower case.
    let folded: UInt64
    let digits: UInt64
    let letters: UInt64

    private static let high: UInt64 = 0x8080_8080_8080_8080

    /// - Parameter word: the first byte is the lowest; zeros are neither digit nor letter.
    @inline(__always)
    init(_ word: UInt64) {
        let low = word & ~Self.high
        digits = (low &+ 0x5050_5050_5050_5050) & ~(low &+ 0x4646_4646_4646_4646) & ~word & Self.high
        let small = low | 0x2020_2020_2020_2020
        let ascii = (small &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(small &+ 0x0505_0505_0505_0505) & ~word & Self.high
        letters = ascii | (word & Self.high)
        folded = word | (ascii >> 2)
    }

    /// How many bytes are marked.
    @inline(__always)
    static func count(_ marks: UInt64) -> Int { Int(((marks >> 7) &* 0x0101_0101_0101_0101) >> 56) }
}
