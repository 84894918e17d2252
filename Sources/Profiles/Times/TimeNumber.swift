import Basics

/// Times that are numbers: seconds since 1970, days of a spreadsheet, and times of day without a colon.
enum TimeNumber {
    /// What a number is by its digits.
    private struct Digits {
        var isNegative = false
        /// At most 19 digits.
        var whole = 0
        var wholeCount = 0
        /// Trillionths beyond `whole`.
        var trillionths = 0
        var fractionCount = 0
        var hasExponent = false
    }

    private static let trillion = 1_000_000_000_000

    static func reading(
        _ text: Span<UInt8>, as number: DatePattern.Number, decimalMark: UInt8, readsClocks: Bool
    ) -> TimeForms.Outcome {
        // Numbers of JSON have a point in any case.
        guard let digits = digits(text, decimalMark: decimalMark, orMark: 0x2E) else { return .bad }
        switch number {
        case .epoch: return epoch(digits)
        case .serial, .serial1904: return serial(digits, is1904: number == .serial1904, readsClocks: readsClocks)
        case .clockMinutes, .clockSeconds:
            return readsClocks ? clock(digits, hasSeconds: number == .clockSeconds) : .bad
        }
    }

    private static func digits(_ text: Span<UInt8>, decimalMark: UInt8, orMark other: UInt8) -> Digits? {
        var scanner = TimeScanner()
        var digits = Digits()
        if scanner.take(0x2D, text) {
            digits.isNegative = true
        } else {
            _ = scanner.take(0x2B, text)
        }
        digits.wholeCount = scanner.digitCount(text)
        // Numbers of nineteen digits that begin with a 9 may be beyond 64 bits.
        guard digits.wholeCount <= 18 || digits.wholeCount == 19 && scanner.next(text) != 0x39,
            scanner.store(1, 19, &digits.whole, text)
        else { return nil }
        if scanner.take(decimalMark, text) || scanner.take(other, text) {
            var value = 0, count = 0
            while let byte = scanner.next(text), TextShape.isDigit(byte) {
                if count < 12 { value = value * 10 + Int(byte - 0x30) }
                count += 1
                _ = scanner.take(byte, text)
            }
            for _ in min(count, 12)..<12 { value *= 10 }
            digits.trillionths = value
            digits.fractionCount = count
        }
        if scanner.takeLetter(0x65, text) {
            _ = scanner.take(0x2B, text)
            var exponent = 0
            digits.hasExponent = true
            guard scanner.store(1, 2, &exponent, text), shift(&digits, by: exponent) else { return nil }
        }
        return scanner.isAtEnd(text) ? digits : nil
    }

    /// A number times a factor, rounded half up; nil if it is none, or beyond 10 digits. With a decimal comma, 1.200 is none:
    /// it may be 1200.
    static func rounded(_ text: Span<UInt8>, times factor: Int, decimalMark: DecimalMark) -> Int? {
        let mark: UInt8 = decimalMark == .comma ? 0x2C : 0x2E
        guard let digits = digits(text, decimalMark: mark, orMark: mark), digits.whole < 10_000_000_000
        else { return nil }
        let total = digits.whole * factor + (digits.trillionths * factor + trillion / 2) / trillion
        return digits.isNegative ? -total : total
    }

    /// Moves the point. The digits of the unit must be there: what a program rounded to fewer is no time.
    private static func shift(_ digits: inout Digits, by exponent: Int) -> Bool {
        guard digits.wholeCount == 1, exponent <= min(12, digits.fractionCount) else { return false }
        var power = 1
        for _ in 0..<exponent { power *= 10 }
        let rest = trillion / power
        digits.whole = digits.whole * power + digits.trillionths / rest
        digits.trillionths = digits.trillionths % rest * power
        return true
    }

    /// The unit is found by the size: a time of a trip has nine or ten digits of seconds, and so many more in a smaller unit.
    private static func epoch(_ digits: Digits) -> TimeForms.Outcome {
        var unit = 1, limit = 100_000_000_000
        while digits.whole >= limit, unit < 1_000_000_000 {
            unit *= 1000
            limit = limit.multipliedReportingOverflow(by: 1000).overflow ? .max : limit * 1000
        }
        // 0 and -1 are what programs write where there is no time.
        if digits.whole == 0 || digits.isNegative && digits.whole == 1 { return .placeholder }
        // Until 1973 a number may be anything; in a smaller unit, until 2001: ten-millionths since another year look so.
        guard digits.whole / unit >= (unit == 1 ? 100_000_000 : 1_000_000_000) else { return .bad }
        var seconds = digits.whole / unit
        var microseconds = unit == 1 ? digits.trillionths / 1_000_000 : digits.whole % unit * 1_000_000 / unit
        if digits.isNegative {
            seconds = -seconds
            if microseconds > 0 {
                seconds -= 1
                microseconds = 1_000_000 - microseconds
            }
        }
        return TimeForms.outcome(localSeconds: seconds, offsetSeconds: 0, microseconds: microseconds)
    }

    /// The fraction of a day is rounded to the second, as a spreadsheet shows it.
    private static func serial(_ digits: Digits, is1904: Bool, readsClocks: Bool) -> TimeForms.Outcome {
        // With an exponent the fraction of the day may have been rounded away.
        guard !digits.isNegative, !digits.hasExponent, digits.whole < 1_000_000 else { return .bad }
        let second = (digits.trillionths / 1000 * 86_400 + 500_000_000) / 1_000_000_000
        if digits.whole == 0, readsClocks { return TimeForms.clock(second) }
        if is1904 {
            // 1904-01-01
            return outcome(day: digits.whole - 24_107, second: second)
        }
        switch digits.whole {
        // The blank cell, shown as 1900-01-00.
        case 0: return second == 0 ? .placeholder : .bad
        case 60: return .bad
        // Spreadsheets count a 1900-02-29, which is their day 60 and is in no calendar.
        case 1..<60: return outcome(day: digits.whole - 25_568, second: second)
        default: return outcome(day: digits.whole - 25_569, second: second)
        }
    }

    private static func outcome(day: Int, second: Int) -> TimeForms.Outcome {
        TimeForms.outcome(localSeconds: day * 86_400 + second, offsetSeconds: nil, microseconds: 0)
    }

    private static func clock(_ digits: Digits, hasSeconds: Bool) -> TimeForms.Outcome {
        guard !digits.isNegative, digits.trillionths == 0, digits.wholeCount <= (hasSeconds ? 6 : 4) else {
            return .bad
        }
        let minutes = hasSeconds ? digits.whole / 100 : digits.whole
        let second = hasSeconds ? digits.whole % 100 : 0
        // A single 0 is what systems write where there is no time: midnight has all its zeros.
        if digits.whole == 0, digits.wholeCount == 1 { return .placeholder }
        guard let secondOfDay = TimeForms.secondOfDay(minutes / 100, minutes % 100, second) else { return .bad }
        return TimeForms.clock(secondOfDay)
    }
}
