import Basics
package import Profiles
import Trips

/// Times as seconds, from ISO 8601 or a profile's patterns, straight from bytes.
package struct TimeReader {
    /// A time as it is written: seconds since 1970 as if its clock were UTC.
    package struct Reading: Equatable {
        package var localSeconds: Int
        /// Seconds east of UTC, where the value says so.
        package var offsetSeconds: Int?
        /// Millionths of a second beyond `localSeconds`: only versions are compared by them.
        var microseconds = 0
        /// Without a time of day it can place a trip in its month and measure nothing.
        package var hasTime: Bool
    }

    /// What a value is.
    package enum Outcome: Equatable {
        case time(Reading)
        /// A date that systems write where there is none.
        case placeholder
        case bad
    }

    let patterns: [DatePattern]
    /// Day number of the first of each month from January 1900 to December 2199.
    private let monthStarts: [Int32]

    package static let bad = Int.min
    /// A time outside these is a slip. A zone's offset cannot move one out of 1900 to 2199, which the tables span.
    package static let years = 1901...2198

    package init(patterns: [DatePattern]) {
        self.patterns = patterns
        monthStarts = Self.monthStartsOfAll
    }

    /// Worked out once: every worker of every export has ten readers, and a run may have thousands of exports.
    private static let monthStartsOfAll: [Int32] = (0...3600).map {
        CivilDay.days(year: 1900 + $0 / 12, month: $0 % 12 + 1, day: 1)
    }

    /// `yyyy-MM-dd HH:mm:ss` (or with `T`) of exactly 19 bytes; `bad` for any other form.
    ///
    /// - Precondition: 24 bytes can be read at `p`.
    @inline(__always)
    package func plain(_ p: UnsafePointer<UInt8>) -> Int {
        let seconds = Self.plainTime(p)
        let midnight = plainDate(Self.yearAndMonth(p), Self.dayDigits(p))
        return seconds == Self.bad || midnight == Self.bad ? Self.bad : midnight &+ seconds
    }

    /// `yyyy-MM-` as a word.
    @inline(__always)
    static func yearAndMonth(_ p: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self))
    }

    /// The two digits of the day after it.
    @inline(__always)
    static func dayDigits(_ p: UnsafePointer<UInt8>) -> UInt16 {
        UInt16(littleEndian: UnsafeRawPointer(p).loadUnaligned(fromByteOffset: 8, as: UInt16.self))
    }

    /// Seconds since 1970 of the midnight that a day starts with; `bad` if it is none.
    func plainDate(_ yearAndMonth: UInt64, _ dayDigits: UInt16) -> Int {
        // Digits become 0...9 and punctuation 0 under xor with the form; adding 0x76 to a digit (0x7F to punctuation)
        // then sets a byte's top bit exactly where it is not what it should be.
        let month = yearAndMonth ^ 0x2D30_302D_3030_3030
        let day = UInt64(dayDigits) ^ 0x3030
        let wrong =
            (month | (month &+ 0x7F76_767F_7676_7676)) & 0x8080_8080_8080_8080 | (day | (day &+ 0x7676)) & 0x8080
        if wrong != 0 { return Self.bad }
        // Byte i of x * 10 + (x >> 8) is the two-digit number at i.
        let months = month &* 10 &+ (month >> 8)
        let year = Int(months & 0xFF) &* 100 &+ Int((months >> 16) & 0xFF)
        let monthOfYear = Int((months >> 40) & 0xFF)
        let dayOfMonth = Int((day &* 10 &+ (day >> 8)) & 0xFF)
        guard year > 1900, year < 2199, monthOfYear >= 1, monthOfYear <= 12, dayOfMonth >= 1 else { return Self.bad }
        let index = (year &- 1900) &* 12 &+ monthOfYear &- 1
        let first = Int(monthStarts[index])
        if first &+ dayOfMonth > Int(monthStarts[index &+ 1]) { return Self.bad }
        let found = first &+ dayOfMonth &- 1
        // The slow readers decide on days that may be placeholders.
        if Placeholder.epochDays ~= found || found == Placeholder.millennium || found == Placeholder.lastSmallDate {
            return Self.bad
        }
        return found &* 86_400
    }

    /// Seconds since midnight of ` HH:mm:ss` (or with `T`) after a day of ten bytes; `bad` for any other form.
    @inline(__always)
    static func plainTime(_ p: UnsafePointer<UInt8>) -> Int {
        // As for dates: digits are 0...9 and punctuation 0 under xor with the form.
        let time =
            UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(fromByteOffset: 11, as: UInt64.self))
            ^ 0x3030_3A30_303A_3030
        let isForm = (time | (time &+ 0x7676_7F76_767F_7676)) & 0x8080_8080_8080_8080 == 0
        // Hours in byte 0, minutes in byte 3, seconds in byte 6. Adding what is missing to 128 shows a number beyond its
        // limit in its top bit.
        let numbers = (time &* 10 &+ (time >> 8)) & 0x00FF_0000_FF00_00FF
        let isWithin = (numbers &+ 0x0044_0000_4400_0068) & 0x0080_0000_8000_0080 == 0
        let divider = p[10]
        guard isForm, isWithin, divider == 0x20 || divider == 0x54 else { return bad }
        // Bits 24...47 of the product are hours * 60 + minutes.
        let minutes = ((numbers &* (60 << 24 | 1)) >> 24) & 0xFF_FFFF
        return Int(truncatingIfNeeded: minutes &* 60 &+ numbers >> 48)
    }

    /// The time of any form that is understood; nil for another form, and for a placeholder.
    package func read(_ text: ArraySlice<UInt8>) -> Reading? {
        if case .time(let time) = reading(text) { time } else { nil }
    }

    /// What a value is, in any form that is understood.
    package func reading(_ text: ArraySlice<UInt8>) -> Outcome {
        var found = iso(text)
        for pattern in patterns where found == .bad { found = match(pattern, text) }
        return found
    }
}

// MARK: - Every other form

extension TimeReader {
    private func reading(
        year: Int, month: Int, day: Int, secondOfDay: Int, offsetSeconds: Int?, hasTime: Bool, microseconds: Int = 0
    ) -> Outcome {
        if Placeholder.isOne(year: year, month: month, day: day, secondOfDay: secondOfDay, hasTime: hasTime) {
            return .placeholder
        }
        guard Self.years.contains(year), let civil = CivilDay(year: year, month: month, day: day) else { return .bad }
        return .time(
            Reading(
                localSeconds: Int(civil.daysSince1970) * 86_400 + secondOfDay, offsetSeconds: offsetSeconds,
                microseconds: microseconds, hasTime: hasTime))
    }

    /// The second of a day; nil if it is none. 24:00 is the next midnight, and a second 60 the next second.
    private static func secondOfDay(_ hour: Int, _ minute: Int, _ second: Int) -> Int? {
        guard hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second <= 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// `yyyy-MM-dd`, then optionally `T` or a blank, `HH:mm[:ss[.f…]]`, and `Z` or `±hh[:]mm` or `±hh`.
    private func iso(_ text: ArraySlice<UInt8>) -> Outcome {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.take(0x2D), let month = scanner.digits(2), scanner.take(0x2D),
            let day = scanner.digits(2)
        else { return .bad }
        if scanner.isAtEnd {
            return reading(year: year, month: month, day: day, secondOfDay: 0, offsetSeconds: nil, hasTime: false)
        }
        guard scanner.take(0x54) || scanner.take(0x74) || scanner.take(0x20), let hour = scanner.digits(2),
            scanner.take(0x3A), let minute = scanner.digits(2)
        else { return .bad }
        var second = 0, microseconds = 0
        if scanner.take(0x3A) {
            guard let seconds = scanner.digits(2) else { return .bad }
            second = seconds
            if scanner.take(0x2E) || scanner.take(0x2C) {
                guard let fraction = scanner.microseconds() else { return .bad }
                microseconds = fraction
            }
        }
        var offset: Int?
        if !scanner.isAtEnd {
            guard let found = scanner.offsetSeconds(), scanner.isAtEnd else { return .bad }
            offset = found
        }
        guard let secondOfDay = Self.secondOfDay(hour, minute, second) else { return .bad }
        return reading(
            year: year, month: month, day: day, secondOfDay: secondOfDay, offsetSeconds: offset, hasTime: true,
            microseconds: microseconds)
    }

    private func match(_ pattern: DatePattern, _ text: ArraySlice<UInt8>) -> Outcome {
        var scanner = DigitScanner(text)
        var year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0
        var isAfternoon: Bool?
        for piece in pattern.pieces {
            switch piece {
            case .year4: guard scanner.store(4, 4, &year) else { return .bad }
            case .year2:
                guard scanner.store(2, 2, &year) else { return .bad }
                year += year < 69 ? 2000 : 1900
            case .month(let digits): guard scanner.store(digits, 2, &month) else { return .bad }
            case .day(let digits): guard scanner.store(digits, 2, &day) else { return .bad }
            case .hour24(let digits): guard scanner.store(digits, 2, &hour) else { return .bad }
            case .hour12(let digits):
                guard scanner.store(digits, 2, &hour), (1...12).contains(hour) else { return .bad }
            case .minute(let digits): guard scanner.store(digits, 2, &minute) else { return .bad }
            case .second(let digits): guard scanner.store(digits, 2, &second) else { return .bad }
            case .dayPeriod:
                guard let period = scanner.dayPeriod() else { return .bad }
                isAfternoon = period
            case .literal(let byte): guard scanner.take(byte) else { return .bad }
            }
        }
        guard scanner.isAtEnd else { return .bad }
        if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
        guard let secondOfDay = Self.secondOfDay(hour, minute, second) else { return .bad }
        return reading(
            year: year, month: month, day: day, secondOfDay: secondOfDay, offsetSeconds: nil,
            hasTime: pattern.hasTime)
    }
}

/// Takes digits and marks from the front of a value.
private struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        return store(count, count, &value) ? value : nil
    }

    /// At least `minimum` and at most `maximum` digits.
    mutating func store(_ minimum: Int, _ maximum: Int, _ value: inout Int) -> Bool {
        var found = 0, count = 0
        while count < maximum, let byte = rest.first, (0x30...0x39).contains(byte) {
            found = found * 10 + Int(byte - 0x30)
            count += 1
            rest = rest.dropFirst()
        }
        value = found
        return count >= minimum
    }

    /// Any number of digits after the decimal mark, of which six count.
    mutating func microseconds() -> Int? {
        var value = 0, count = 0
        while let byte = rest.first, (0x30...0x39).contains(byte) {
            if count < 6 { value = value * 10 + Int(byte - 0x30) }
            count += 1
            rest = rest.dropFirst()
        }
        guard count > 0 else { return nil }
        for _ in min(count, 6)..<6 { value *= 10 }
        return value
    }

    mutating func dayPeriod() -> Bool? {
        guard rest.count >= 2, let first = rest.first, (rest[rest.startIndex + 1] | 0x20) == 0x6D else { return nil }
        rest = rest.dropFirst(2)
        switch first | 0x20 {
        case 0x61: return false
        case 0x70: return true
        default: return nil
        }
    }

    mutating func offsetSeconds() -> Int? {
        if take(0x5A) || take(0x7A) { return 0 }
        _ = take(0x20)
        let sign: Int
        if take(0x2B) {
            sign = 1
        } else if take(0x2D) {
            sign = -1
        } else {
            return nil
        }
        guard let hours = digits(2) else { return nil }
        var minutes = 0
        if !isAtEnd {
            _ = take(0x3A)
            guard let found = digits(2) else { return nil }
            minutes = found
        }
        guard hours <= 18, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}

/// The dates that systems write where there is none: the first and last days of their calendars.
private enum Placeholder {
    /// 1970-01-01, and the day before, on which the epoch began by the clocks west of UTC.
    static let epochDays = -1...0
    /// 2000-01-01
    static let millennium = 10_957
    /// 2079-06-06, the last day of a `smalldatetime`.
    static let lastSmallDate = 39_968

    /// Of the first days only midnight is one, of the epoch the hour at which it began in any zone, and of 2000-01-01 only a midnight
    /// that is written.
    static func isOne(year: Int, month: Int, day: Int, secondOfDay: Int, hasTime: Bool) -> Bool {
        switch (year, month, day) {
        case (0, 0, 0), (1, 1, 1), (9999, _, _), (2079, 6, 6): true
        case (1899, 12, 30), (1899, 12, 31), (1900, 1, 0), (1900, 1, 1), (1753, 1, 1): secondOfDay == 0
        case (1970, 1, 1): secondOfDay % 3600 == 0 && secondOfDay <= 14 * 3600
        case (1969, 12, 31): secondOfDay % 3600 == 0 && secondOfDay >= 12 * 3600
        case (2000, 1, 1): hasTime && secondOfDay == 0
        default: false
        }
    }
}
