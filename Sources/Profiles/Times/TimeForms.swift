package import Basics
import Trips

/// The forms of times that a column may have: reads a time from bytes.
///
/// ISO 8601 and `/Date(…)/` are always read, other forms by the patterns of the profile.
package struct TimeForms: Sendable {
    /// A time as it is written: seconds since 1970 as if its clock were UTC.
    package struct Reading: Equatable, Sendable {
        package var localSeconds: Int
        /// Seconds east of UTC, where the value says so.
        package var offsetSeconds: Int?
        /// Millionths of a second beyond `localSeconds`: only versions are compared by them.
        package var microseconds = 0
        /// Without a time of day it can place a trip in its month and measure nothing.
        package var hasTime: Bool
        /// Whether it is written as 24:00: `localSeconds` is the next midnight.
        package var isEndOfDay = false

        /// The day on the clock that it is written by.
        package var localDay: CivilDay {
            CivilDay(daysSince1970: Int32(clamping: localSeconds.dividedDown(by: 86_400)))
        }
    }

    /// What a value is.
    package enum Outcome: Equatable, Sendable {
        case time(Reading)
        /// A time of day without a date: its `localSeconds` are those since midnight.
        case clock(Reading)
        /// A date that systems write where there is none.
        case placeholder
        case bad
    }

    /// A time outside these is a slip. A zone's offset cannot move one out of 1900 to 2199, which the tables span.
    package static let years = 1901...2198

    package let patterns: [DatePattern]
    private let names: CalendarNames
    private let zones: ZoneAbbreviations
    private let decimalMark: UInt8
    /// Whether times of day without a date are read.
    private let readsClocks: Bool
    /// Whether some text fits two forms that read it in different ways: then the order of the forms decides.
    private let isInOrder: Bool
    /// Whether a text of ISO 8601 may fit a pattern.
    private let mayBeISO: Bool
    /// The pattern that fitted last; nil: none, or ISO 8601.
    private var last: Int?
    /// Of each pattern, whether its order says which number is the day.
    private let areByOrder: [Bool]

    /// - Parameter patterns: in the order in which they are tried.
    package init(
        _ patterns: [DatePattern], names: CalendarNames = .english, zones: ZoneAbbreviations = .standard,
        decimalMark: DecimalMark = .point, readsClocks: Bool = false
    ) {
        self.patterns = patterns
        self.names = names
        self.zones = zones
        self.decimalMark = decimalMark == .comma ? 0x2C : 0x2E
        self.readsClocks = readsClocks
        isInOrder = PatternOverlap.isOrderDecisive(patterns)
        mayBeISO = patterns.contains(where: PatternOverlap.mayBeISO)
        areByOrder = patterns.map(\.hasNumericDate)
    }

    /// Whether the value that `nextReading` read last was read by a pattern whose order says which number is the day. False where
    /// that is not known.
    package var lastWasByOrder: Bool { !mayBeISO && (last.map { areByOrder[$0] } ?? false) }

    /// Whether some pattern reads AM and PM.
    package var readsDayPeriods: Bool { patterns.contains { $0.pieces.contains(.dayPeriod) } }

    /// What a value is: ISO 8601 first, then the patterns in their order.
    package func reading(_ text: Span<UInt8>) -> Outcome {
        var found = ISOTime.reading(text, readsClocks: readsClocks)
        var place = 0
        while found == .bad, place < patterns.count {
            found = match(patterns[place], text)
            place += 1
        }
        return found
    }

    /// As `reading`. The form that fitted last is tried first, where the order decides nothing.
    package mutating func nextReading(_ text: Span<UInt8>) -> Outcome {
        if isInOrder { return reading(text) }
        if mayBeISO || last == nil {
            let found = ISOTime.reading(text, readsClocks: readsClocks)
            if found != .bad { return found }
        }
        if let last {
            let found = match(patterns[last], text)
            if found != .bad { return found }
            if !mayBeISO {
                let found = ISOTime.reading(text, readsClocks: readsClocks)
                if found != .bad {
                    self.last = nil
                    return found
                }
            }
        }
        for place in patterns.indices where place != last {
            let found = match(patterns[place], text)
            if found != .bad {
                last = place
                return found
            }
        }
        return .bad
    }

    package func reading(_ text: String) -> Outcome { reading(Array(text.trimmingBlanks().utf8).span) }

    /// The time of a value; nil for another form, and for a placeholder.
    package func read(_ text: Span<UInt8>) -> Reading? {
        if case .time(let time) = reading(text) { time } else { nil }
    }

    // MARK: - Outcomes

    static func outcome(
        year: Int, month: Int, day: Int, secondOfDay: Int, offsetSeconds: Int?, hasTime: Bool, microseconds: Int = 0,
        readsClocks: Bool = false
    ) -> Outcome {
        if hasTime, secondOfDay > 0, PlaceholderDates.isDateOfClocks(year: year, month: month, day: day) {
            if readsClocks { return clock(secondOfDay, microseconds: microseconds, offsetSeconds: offsetSeconds) }
            return PlaceholderDates.isOne(
                year: year, month: month, day: day, secondOfDay: secondOfDay, hasTime: hasTime)
                ? .placeholder : .bad
        }
        if PlaceholderDates.isOne(year: year, month: month, day: day, secondOfDay: secondOfDay, hasTime: hasTime) {
            return .placeholder
        }
        guard years.contains(year), let civil = CivilDay(year: year, month: month, day: day) else { return .bad }
        return .time(
            Reading(
                localSeconds: Int(civil.daysSince1970) * 86_400 + secondOfDay, offsetSeconds: offsetSeconds,
                microseconds: microseconds, hasTime: hasTime, isEndOfDay: secondOfDay == 86_400))
    }

    /// Of seconds since 1970 of a clock.
    static func outcome(localSeconds: Int, offsetSeconds: Int?, microseconds: Int) -> Outcome {
        let day = localSeconds.dividedDown(by: 86_400)
        let date = CivilDay(daysSince1970: Int32(clamping: day)).components
        return outcome(
            year: date.year, month: date.month, day: date.day, secondOfDay: localSeconds - day * 86_400,
            offsetSeconds: offsetSeconds, hasTime: true, microseconds: microseconds)
    }

    static func clock(_ secondOfDay: Int, microseconds: Int = 0, offsetSeconds: Int? = nil) -> Outcome {
        .clock(
            Reading(
                localSeconds: secondOfDay, offsetSeconds: offsetSeconds, microseconds: microseconds, hasTime: true,
                isEndOfDay: secondOfDay == 86_400))
    }

    /// The second of a day; nil if it is none. 24:00 is the next midnight, and a second 60 the next second.
    static func secondOfDay(_ hour: Int, _ minute: Int, _ second: Int) -> Int? {
        guard hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second <= 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// The hour of a day by a clock of twelve hours. Some systems write 0:05 AM and 13:05 PM, which have one meaning too.
    private static func hour(_ hour: Int, isAfternoon: Bool) -> Int? {
        switch (hour, isAfternoon) {
        case (1...12, _): hour % 12 + (isAfternoon ? 12 : 0)
        case (0, false), (13...23, true): hour
        default: nil
        }
    }

    // MARK: - Patterns

    private func match(_ pattern: DatePattern, _ text: Span<UInt8>) -> Outcome {
        if let number = pattern.number {
            return TimeNumber.reading(text, as: number, decimalMark: decimalMark, readsClocks: readsClocks)
        }
        var year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, microseconds = 0
        var isAfternoon: Bool?, offset: Int?
        var isDated = false, hasTime = false
        var scanner = TimeScanner()
        let pieces = pattern.pieces
        for (place, piece) in pieces.enumerated() {
            switch piece {
            case .year4:
                guard scanner.store(4, 4, &year, text) else { return .bad }
                isDated = true
            case .year2:
                guard scanner.store(2, 2, &year, text) else { return .bad }
                year += year < 69 ? 2000 : 1900
                isDated = true
            case .month(let digits): guard scanner.store(digits, 2, &month, text) else { return .bad }
            case .monthName:
                guard let found = names.month(scanner.word(text)) else { return .bad }
                month = found
                if place + 1 == pieces.count || pieces[place + 1] != .literal(0x2E) { _ = scanner.take(0x2E, text) }
            case .weekday:
                guard names.isWeekday(scanner.word(text)) else { return .bad }
                if place + 1 == pieces.count || pieces[place + 1] != .literal(0x2E) { _ = scanner.take(0x2E, text) }
            case .day(let digits): guard scanner.store(digits, 2, &day, text) else { return .bad }
            case .hour24(let digits):
                guard scanner.store(digits, 2, &hour, text) else { return .bad }
                hasTime = true
            case .hour12(let digits):
                guard scanner.store(digits, 2, &hour, text) else { return .bad }
                hasTime = true
            case .minute(let digits): guard scanner.store(digits, 2, &minute, text) else { return .bad }
            case .second(let digits): guard scanner.store(digits, 2, &second, text) else { return .bad }
            case .fraction:
                guard let found = scanner.microseconds(text) else { return .bad }
                microseconds = found
            case .dayPeriod:
                guard let period = scanner.dayPeriod(text) else { return .bad }
                isAfternoon = period
            case .zone:
                guard let found = scanner.zone(text, zones) else { return .bad }
                offset = found
            case .blank: guard scanner.skipBlanks(text) else { return .bad }
            case .literal(let byte): guard scanner.take(byte, text) else { return .bad }
            }
        }
        guard scanner.isAtEnd(text) else { return .bad }
        if let isAfternoon {
            guard let found = Self.hour(hour, isAfternoon: isAfternoon) else { return .bad }
            hour = found
        }
        guard let secondOfDay = Self.secondOfDay(hour, minute, second) else { return .bad }
        if !isDated {
            return readsClocks ? Self.clock(secondOfDay, microseconds: microseconds, offsetSeconds: offset) : .bad
        }
        return Self.outcome(
            year: year, month: month, day: day, secondOfDay: secondOfDay, offsetSeconds: offset, hasTime: hasTime,
            microseconds: microseconds, readsClocks: readsClocks)
    }
}

extension Int {
    /// The quotient, rounded down; the divisor is above 0.
    func dividedDown(by divisor: Int) -> Int { self >= 0 ? self / divisor : (self - divisor + 1) / divisor }
}
