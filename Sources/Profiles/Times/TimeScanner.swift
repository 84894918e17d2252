/// Takes digits, words and marks from the front of a value. It holds its place only, so that no value is copied.
struct TimeScanner {
    private(set) var place: Int

    init(at place: Int = 0) { self.place = place }

    func isAtEnd(_ text: Span<UInt8>) -> Bool { place == text.count }

    func next(_ text: Span<UInt8>) -> UInt8? { place < text.count ? text[place] : nil }

    mutating func take(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard place < text.count, text[place] == byte else { return false }
        place += 1
        return true
    }

    /// Takes a letter of ASCII in either case.
    mutating func takeLetter(_ lower: UInt8, _ text: Span<UInt8>) -> Bool {
        guard place < text.count, text[place] | 0x20 == lower else { return false }
        place += 1
        return true
    }

    /// Exactly so many digits.
    mutating func digits(_ count: Int, _ text: Span<UInt8>) -> Int? {
        var value = 0
        return store(count, count, &value, text) ? value : nil
    }

    /// At least `minimum` and at most `maximum` digits.
    mutating func store(_ minimum: Int, _ maximum: Int, _ value: inout Int, _ text: Span<UInt8>) -> Bool {
        var found = 0, count = 0
        while count < maximum, place < text.count, TextShape.isDigit(text[place]) {
            found = found * 10 + Int(text[place] - 0x30)
            count += 1
            place += 1
        }
        value = found
        return count >= minimum
    }

    /// How many digits come next.
    func digitCount(_ text: Span<UInt8>) -> Int {
        var end = place
        while end < text.count, TextShape.isDigit(text[end]) { end += 1 }
        return end - place
    }

    /// Any number of digits after the decimal mark, of which six count.
    mutating func microseconds(_ text: Span<UInt8>) -> Int? {
        var value = 0, count = 0
        while place < text.count, TextShape.isDigit(text[place]) {
            if count < 6 { value = value * 10 + Int(text[place] - 0x30) }
            count += 1
            place += 1
        }
        guard count > 0 else { return nil }
        for _ in min(count, 6)..<6 { value *= 10 }
        return value
    }

    /// Blanks and tabs, no-break and narrow ones too.
    mutating func skipBlanks(_ text: Span<UInt8>) -> Bool {
        let start = place
        while place < text.count {
            let byte = text[place]
            if byte == 0x20 || byte == 0x09 {
                place += 1
            } else if byte == 0xC2, place + 1 < text.count, text[place + 1] == 0xA0 {
                place += 2
            } else if byte == 0xE2, place + 2 < text.count, text[place + 1] == 0x80,
                (0x80...0x8A).contains(text[place + 2]) || text[place + 2] == 0xAF
            {
                place += 3
            } else {
                break
            }
        }
        return place > start
    }

    /// The letters that come next, folded.
    mutating func word(_ text: Span<UInt8>) -> FoldedWord { FoldedWord(text, &place) }

    /// `AM`, `p.m.`, `a. m.` or `P`: false for the morning.
    mutating func dayPeriod(_ text: Span<UInt8>) -> Bool? {
        _ = skipBlanks(text)
        let isAfternoon: Bool
        if takeLetter(0x61, text) {
            isAfternoon = false
        } else if takeLetter(0x70, text) {
            isAfternoon = true
        } else {
            return nil
        }
        let afterLetter = place
        _ = take(0x2E, text)
        _ = skipBlanks(text)
        if takeLetter(0x6D, text) {
            _ = take(0x2E, text)
        } else {
            place = afterLetter
            _ = take(0x2E, text)
        }
        // A letter behind it makes it another word.
        if let next = next(text), (0x61...0x7A).contains(next | 0x20) || next >= 0x80, next != 0xC2, next != 0xE2 {
            return nil
        }
        return isAfternoon
    }

    /// The offset that a zone's abbreviation means, or that is stated; nil: neither.
    mutating func zone(_ text: Span<UInt8>, _ zones: ZoneAbbreviations) -> Int? {
        _ = skipBlanks(text)
        guard let first = next(text) else { return nil }
        if first == 0x2B || first == 0x2D {
            let offset = offsetSeconds(text, mayBeShort: false)
            return skipRemark(text) ? offset : nil
        }
        let word = FoldedWord(text, &place)
        guard let offset = zones.offset(of: word) else { return nil }
        if let sign = next(text), sign == 0x2B || sign == 0x2D {
            guard offset == 0, let stated = offsetSeconds(text, mayBeShort: true) else { return nil }
            return skipRemark(text) ? stated : nil
        }
        return skipRemark(text) ? offset : nil
    }

    /// ` (Eastern Standard Time)` behind an offset, as browsers write it. False: it does not end.
    private mutating func skipRemark(_ text: Span<UInt8>) -> Bool {
        let start = place
        _ = skipBlanks(text)
        guard take(0x28, text) else {
            place = start
            return true
        }
        while place < text.count {
            place += 1
            if text[place - 1] == 0x29 { return true }
        }
        return false
    }

    /// `±hh`, `±hhmm`, `±hh:mm`, and `±h` where it may be short.
    mutating func offsetSeconds(_ text: Span<UInt8>, mayBeShort: Bool) -> Int? {
        let sign: Int
        if take(0x2B, text) {
            sign = 1
        } else if take(0x2D, text) {
            sign = -1
        } else {
            return nil
        }
        var hours = 0, minutes = 0
        let count = digitCount(text)
        guard store(mayBeShort && (count == 1 || count == 3) ? 1 : 2, count == 3 && mayBeShort ? 1 : 2, &hours, text)
        else { return nil }
        if next(text) == 0x3A || next(text).map(TextShape.isDigit) ?? false {
            _ = take(0x3A, text)
            guard let found = digits(2, text) else { return nil }
            minutes = found
        }
        guard hours <= 18, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
