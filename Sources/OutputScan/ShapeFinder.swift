import Basics

/// Shapes of identifiers in a text: social security and phone numbers, e-mail addresses, full dates.
struct ShapeFinder {
    /// The document's own dates, which it may name.
    var ownDays: Set<CivilDay>
    /// Whether it may name any.
    var showsDates = false

    /// The first shape in a piece of text; nil without any.
    func kind(in bytes: [UInt8], _ range: Range<Int>) -> OutputFinding.Kind? {
        let text = Text(bytes: bytes, range: range)
        for at in range {
            let byte = bytes[at]
            if byte == UInt8(ascii: "@") {
                if text.isEmail(at) { return .email }
            } else if SpanCounts.isDigit(byte), text.beginsNumber(at) {
                if text.isSSN(at) { return .socialSecurityNumber }
                if let day = text.date(at) {
                    if !showsDates, !ownDays.contains(day) { return .date }
                } else if text.isPhone(at) {
                    return .phone
                }
            } else if byte == UInt8(ascii: "+"), text.isInternationalPhone(at) {
                return .phone
            }
        }
        return nil
    }

    /// One piece of text, with tests of what is at a position.
    private struct Text {
        let bytes: [UInt8]
        let range: Range<Int>

        private func byte(_ at: Int) -> UInt8 { range.contains(at) ? bytes[at] : 0 }

        private func isDigit(_ at: Int) -> Bool { SpanCounts.isDigit(byte(at)) }

        /// ASCII only: `·5` begins a number, `x5` does not.
        private func isWord(_ at: Int) -> Bool {
            let byte = byte(at)
            return byte == UInt8(ascii: "_") || (byte < 0x80 && SpanCounts.isWordByte(byte))
        }

        private func isOne(of marks: StaticString, _ at: Int) -> Bool {
            let byte = byte(at)
            return marks.withUTF8Buffer { $0.contains(byte) }
        }

        /// Whether a run of digits begins here that is not the rest of a longer number.
        func beginsNumber(_ at: Int) -> Bool {
            !isWord(at - 1) && !(isOne(of: "-./,", at - 1) && isDigit(at - 2))
        }

        /// Whether these digits are not part of a longer code, such as `12345678-90ab-…`.
        private func standsAlone(_ at: Int, _ count: Int) -> Bool {
            if isWord(at + count) || (isOne(of: "-./,", at - 1) && isWord(at - 2)) { return false }
            return !(isOne(of: "-./,", at + count) && isWord(at + count + 1))
        }

        private func digits(_ at: Int) -> Int {
            var end = at
            while end < range.upperBound, isDigit(end) { end += 1 }
            return end - at
        }

        private func ends(_ at: Int) -> Bool {
            !isWord(at) && !(isOne(of: "-./,", at) && isDigit(at + 1))
        }

        private func number(_ at: Int, _ count: Int) -> Int {
            (at..<at + count).reduce(0) { $0 * 10 + Int(byte($1) &- 0x30) }
        }

        func isSSN(_ at: Int) -> Bool {
            let first = digits(at)
            if first == 9 { return standsAlone(at, 9) }
            guard first == 3, isOne(of: "- .", at + 3), digits(at + 4) == 2, byte(at + 6) == byte(at + 3) else {
                return false
            }
            return digits(at + 7) == 4 && ends(at + 11)
        }

        func isPhone(_ at: Int) -> Bool {
            var start = at
            if byte(at) == UInt8(ascii: "1"), digits(at) == 1, isOne(of: "- .", at + 1) {
                start = byte(at + 2) == UInt8(ascii: "(") ? at + 3 : at + 2
            }
            let first = digits(start)
            if first == 10 || (first == 11 && byte(start) == UInt8(ascii: "1")) {
                let area = start + first - 10
                return standsAlone(start, first) && byte(area) >= 0x32 && byte(area + 3) >= 0x32
            }
            guard first == 3 else { return false }
            // 555-0142
            if byte(start + 3) == UInt8(ascii: "-"), digits(start + 4) == 4, ends(start + 8) { return true }
            var next = start + 3
            let isBracketed = byte(next) == UInt8(ascii: ")")
            if isBracketed { next += 1 }
            if isOne(of: "- .", next) { next += 1 } else if !isBracketed { return false }
            guard digits(next) == 3, isOne(of: "- .", next + 3), digits(next + 4) == 4, ends(next + 8) else {
                return false
            }
            let isPlain = byte(next + 3) == UInt8(ascii: " ") && !isBracketed
            return !isPlain || (byte(start) >= 0x32 && byte(next) >= 0x32)
        }

        /// `+` and 8 to 15 digits, with blanks, points, hyphens and brackets among them.
        func isInternationalPhone(_ at: Int) -> Bool {
            if isWord(at - 1) { return false }
            var count = 0
            var next = at + 1
            guard isDigit(next) || byte(next) == UInt8(ascii: "(") else { return false }
            while isDigit(next) || (isOne(of: " .-()", next) && (isDigit(next + 1) || isOne(of: "( ", next + 1))) {
                if isDigit(next) { count += 1 }
                next += 1
            }
            return (8...15).contains(count) && !isWord(next)
        }

        /// `2025-03-14`, `3/14/2025`, `14.03.2025`, `3/14/25`, `20250314`; a time may follow. Nil without a date.
        func date(_ at: Int) -> CivilDay? {
            let first = digits(at)
            if first == 8 {
                let year = number(at, 4)
                guard standsAlone(at, 8), (1900...2100).contains(year) else { return nil }
                return CivilDay(year: year, month: number(at + 4, 2), day: number(at + 6, 2))
            }
            guard isOne(of: "-/.", at + first) else { return nil }
            let mark = byte(at + first)
            let second = digits(at + first + 1)
            let last = at + first + 1 + second
            guard (1...2).contains(second), byte(last) == mark else { return nil }
            let third = digits(last + 1)
            let end = last + 1 + third
            if isDigit(end) || (isOne(of: "-./", end) && isDigit(end + 1)) { return nil }
            let middle = number(at + first + 1, second)
            if first == 4, (1...2).contains(third) {
                return day(number(at, 4), middle, number(last + 1, third))
            }
            guard (1...2).contains(first) else { return nil }
            let year: Int
            if third == 4 {
                year = number(last + 1, 4)
            } else if third == 2, mark == UInt8(ascii: "/") {
                year = 1900 + number(last + 1, 2)
            } else {
                return nil
            }
            return day(year, number(at, first), middle) ?? day(year, middle, number(at, first))
        }

        private func day(_ year: Int, _ month: Int, _ day: Int) -> CivilDay? {
            (1850...2100).contains(year) ? CivilDay(year: year, month: month, day: day) : nil
        }

        /// Something before, and a domain with a point after.
        func isEmail(_ at: Int) -> Bool {
            guard isWord(at - 1) || byte(at - 1) >= 0x80 || isOne(of: ".%+-", at - 1) else { return false }
            var end = at + 1
            var lastPoint: Int?
            while isWord(end) || isOne(of: "-.", end) || byte(end) >= 0x80 {
                if byte(end) == UInt8(ascii: ".") { lastPoint = end }
                end += 1
            }
            guard let lastPoint, lastPoint > at + 1 else { return false }
            return SpanCounts.isLetter(byte(lastPoint + 1)) && SpanCounts.isLetter(byte(lastPoint + 2))
        }
    }
}
