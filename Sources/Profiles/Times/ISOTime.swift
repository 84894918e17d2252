import Basics

/// Times of ISO 8601 in all forms that state a day, and `/Date(…)/` of .NET.
enum ISOTime {
    /// `yyyy-MM-dd`, `yyyyMMdd`, `yyyy-DDD`, `yyyyDDD` (only before a time), `yyyy-Www-D` or `yyyyWwwD`; then optionally `T` or a
    /// blank, `HH[:]mm[[:]ss][.f…]`, and `Z` or `±hh[:]mm` or `±hh`.
    ///
    /// - Parameter readsClocks: whether a time of day alone is read: `H:mm`, with seconds and a fraction.
    static func reading(_ text: Span<UInt8>, readsClocks: Bool = false) -> TimeForms.Outcome {
        guard text.count >= 4 else { return .bad }
        var scanner = TimeScanner()
        if text[0] == 0x2F || text[0] == 0x5C { return netDate(text) }
        if readsClocks, text[1] == 0x3A || text[2] == 0x3A {
            return clock(text, &scanner)
        }
        guard let date = date(text, &scanner) else { return .bad }
        if scanner.isAtEnd(text) {
            if date.isDayOfYear, date.isBasic { return .bad }
            return TimeForms.outcome(
                year: date.year, month: date.month, day: date.day, secondOfDay: 0, offsetSeconds: nil, hasTime: false)
        }
        if !scanner.takeLetter(0x74, text) {
            guard scanner.take(0x20, text) else { return .bad }
        }
        guard let time = time(text, &scanner, isBasic: date.isBasic) else { return .bad }
        var offset: Int?
        if !scanner.isAtEnd(text) {
            if scanner.takeLetter(0x7A, text) {
                offset = 0
            } else {
                _ = scanner.take(0x20, text)
                guard let found = scanner.offsetSeconds(text, mayBeShort: false) else { return .bad }
                offset = found
            }
            guard scanner.isAtEnd(text) else { return .bad }
        }
        return TimeForms.outcome(
            year: date.year, month: date.month, day: date.day, secondOfDay: time.second, offsetSeconds: offset,
            hasTime: true, microseconds: time.microseconds, readsClocks: readsClocks)
    }

    private struct Day {
        var year: Int
        var month: Int
        var day: Int
        var isBasic: Bool
        var isDayOfYear = false
    }

    private static func date(_ text: Span<UInt8>, _ scanner: inout TimeScanner) -> Day? {
        guard let year = scanner.digits(4, text) else { return nil }
        let isBasic = !scanner.take(0x2D, text)
        if scanner.takeLetter(0x77, text) { return weekDate(year, text, &scanner, isBasic: isBasic) }
        let count = scanner.digitCount(text)
        if count == 3 {
            guard let number = scanner.digits(3, text), number >= 1, let first = CivilDay(year: year, month: 1, day: 1)
            else { return nil }
            return day(first.advanced(by: number - 1), isBasic: isBasic, inYear: year)
        }
        guard isBasic ? count == 4 : count == 2, let month = scanner.digits(2, text),
            isBasic || scanner.take(0x2D, text), let dayOfMonth = scanner.digits(2, text)
        else { return nil }
        return Day(year: year, month: month, day: dayOfMonth, isBasic: isBasic)
    }

    private static func day(_ day: CivilDay, isBasic: Bool, inYear year: Int) -> Day? {
        let parts = day.components
        guard parts.year == year else { return nil }
        return Day(year: parts.year, month: parts.month, day: parts.day, isBasic: isBasic, isDayOfYear: true)
    }

    /// The week with the year's first Thursday is its first.
    private static func weekDate(
        _ year: Int, _ text: Span<UInt8>, _ scanner: inout TimeScanner, isBasic: Bool
    ) -> Day? {
        guard let week = scanner.digits(2, text), isBasic || scanner.take(0x2D, text),
            let weekday = scanner.digits(1, text), (1...53).contains(week), (1...7).contains(weekday),
            let fourth = CivilDay(year: year, month: 1, day: 4)
        else { return nil }
        // 1970-01-01 was a Thursday: Monday is 0.
        let weekdayOfFourth = ((Int(fourth.daysSince1970) + 3) % 7 + 7) % 7
        let thursday = fourth.advanced(by: (week - 1) * 7 - weekdayOfFourth + 3)
        guard thursday.components.year == year else { return nil }
        let parts = thursday.advanced(by: weekday - 4).components
        return Day(year: parts.year, month: parts.month, day: parts.day, isBasic: isBasic)
    }

    /// `HH:mm[:ss]` or `HHmm[ss]`, the last of which may have a fraction. A basic date has a basic time, or an extended one.
    private static func time(
        _ text: Span<UInt8>, _ scanner: inout TimeScanner, isBasic: Bool
    ) -> (second: Int, microseconds: Int)? {
        guard let hour = scanner.digits(2, text) else { return nil }
        let isExtended = scanner.take(0x3A, text)
        guard isExtended || isBasic else { return nil }
        guard let minute = scanner.digits(2, text) else { return nil }
        var second = 0
        if isExtended ? scanner.take(0x3A, text) : scanner.digitCount(text) > 0 {
            guard let seconds = scanner.digits(2, text) else { return nil }
            second = seconds
        } else if scanner.next(text) == 0x2E || scanner.next(text) == 0x2C {
            // Of a minute: no export is known to write it.
            return nil
        }
        guard let secondOfDay = TimeForms.secondOfDay(hour, minute, second) else { return nil }
        guard scanner.take(0x2E, text) || scanner.take(0x2C, text) else { return (secondOfDay, 0) }
        return scanner.microseconds(text).map { (secondOfDay, $0) }
    }

    private static func clock(_ text: Span<UInt8>, _ scanner: inout TimeScanner) -> TimeForms.Outcome {
        var hour = 0, second = 0, microseconds = 0
        guard scanner.store(1, 2, &hour, text), scanner.take(0x3A, text), let minute = scanner.digits(2, text) else {
            return .bad
        }
        if scanner.take(0x3A, text) {
            guard let seconds = scanner.digits(2, text) else { return .bad }
            second = seconds
            if scanner.take(0x2E, text) || scanner.take(0x2C, text) {
                guard let fraction = scanner.microseconds(text) else { return .bad }
                microseconds = fraction
            }
        }
        guard scanner.isAtEnd(text), let secondOfDay = TimeForms.secondOfDay(hour, minute, second) else { return .bad }
        return TimeForms.clock(secondOfDay, microseconds: microseconds)
    }

    /// `/Date(1735689600000)/`, also with `-0500` behind the number and with `\` before the marks: milliseconds since 1970 in UTC.
    /// The offset is that of the clock that is shown.
    private static func netDate(_ text: Span<UInt8>) -> TimeForms.Outcome {
        var scanner = TimeScanner()
        _ = scanner.take(0x5C, text)
        guard scanner.take(0x2F, text), scanner.takeLetter(0x64, text), scanner.takeLetter(0x61, text),
            scanner.takeLetter(0x74, text), scanner.takeLetter(0x65, text), scanner.take(0x28, text)
        else { return .bad }
        let isNegative = scanner.take(0x2D, text)
        var magnitude = 0
        guard scanner.store(1, 15, &magnitude, text) else { return .bad }
        var offset = 0
        if scanner.next(text) != 0x29 {
            guard let found = scanner.offsetSeconds(text, mayBeShort: false) else { return .bad }
            offset = found
        }
        guard scanner.take(0x29, text) else { return .bad }
        _ = scanner.take(0x5C, text)
        guard scanner.take(0x2F, text), scanner.isAtEnd(text) else { return .bad }
        let milliseconds = isNegative ? -magnitude : magnitude
        // What .NET writes for a DateTime that was never set: 0001-01-01.
        if milliseconds == -62_135_596_800_000 { return .placeholder }
        let seconds = milliseconds.dividedDown(by: 1000)
        return TimeForms.outcome(
            localSeconds: seconds + offset, offsetSeconds: offset, microseconds: (milliseconds - seconds * 1000) * 1000)
    }
}
