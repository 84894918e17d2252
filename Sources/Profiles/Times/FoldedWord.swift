/// A word of at most 16 letters in two machine words: in lower case and without accents.
struct FoldedWord: Hashable, Sendable {
    private(set) var high: UInt64 = 0
    private(set) var low: UInt64 = 0
    /// How many letters it has; one with more than 16 is no word.
    private(set) var length = 0

    static let longest = 16

    /// The letters from a place on; the place is then behind them.
    init(_ text: Span<UInt8>, _ place: inout Int) {
        while place < text.count {
            let byte = text[place]
            if byte < 0x80 {
                guard (0x61...0x7A).contains(byte | 0x20) else { return }
                append(byte | 0x20)
                place += 1
                continue
            }
            guard place + 1 < text.count, (0xC3...0xCD).contains(byte) else { return }
            let code = UInt32(byte & 0x1F) << 6 | UInt32(text[place + 1] & 0x3F)
            if (0x300...0x36F).contains(code) {
                // An accent of its own.
                place += 2
                continue
            }
            guard let letter = Self.letter(code) else { return }
            append(letter)
            place += 2
        }
    }

    init(_ text: String) {
        var place = 0
        self.init(Array(text.utf8).span, &place)
    }

    private mutating func append(_ letter: UInt8) {
        if length < 8 {
            high |= UInt64(letter) << UInt64(56 - length * 8)
        } else if length < Self.longest {
            low |= UInt64(letter) << UInt64(120 - length * 8)
        }
        length += 1
    }

    /// Whether it is the beginning of another word, or all of it.
    func begins(_ word: FoldedWord) -> Bool {
        guard length > 0, length <= word.length, length <= Self.longest else { return false }
        let highMask = length >= 8 ? UInt64.max : ~(UInt64.max >> UInt64(length * 8))
        let lowMask = length <= 8 ? 0 : length == Self.longest ? UInt64.max : ~(UInt64.max >> UInt64(length * 8 - 64))
        return (high ^ word.high) & highMask == 0 && (low ^ word.low) & lowMask == 0
    }

    /// The letter without its accent of U+00C0 to U+017F.
    private static func letter(_ code: UInt32) -> UInt8? {
        let letter: Character? =
            switch code {
            case 0xC0...0xC6, 0xE0...0xE6, 0x100...0x105: "a"
            case 0xC7, 0xE7, 0x106...0x10D: "c"
            case 0xC8...0xCB, 0xE8...0xEB, 0x112...0x11B: "e"
            case 0xCC...0xCF, 0xEC...0xEF, 0x128...0x131: "i"
            case 0xD0, 0xF0, 0x10E...0x111: "d"
            case 0xD1, 0xF1, 0x143...0x14B: "n"
            case 0xD2...0xD6, 0xD8, 0xF2...0xF6, 0xF8, 0x14C...0x153: "o"
            case 0xD9...0xDC, 0xF9...0xFC, 0x168...0x173: "u"
            case 0xDD, 0xFD, 0xFF, 0x176...0x178: "y"
            case 0xDF, 0x15A...0x161: "s"
            case 0x11C...0x123: "g"
            case 0x139...0x142: "l"
            case 0x154...0x159: "r"
            case 0x162...0x167: "t"
            case 0x179...0x17E: "z"
            default: nil
            }
        return letter?.asciiValue
    }
}
