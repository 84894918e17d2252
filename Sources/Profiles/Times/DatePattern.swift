/// How a source writes a date, a time or both: in the letters of Unicode TR 35 that exports use
/// (`yyyy yy MM M MMM dd d EEE HH H hh h mm m ss s S a z` and literal text, quoted with `'` if it holds letters), or as a number.
///
/// `TimeForms` reads by it. Nothing is guessed beyond it (day and month are never swapped).
package struct DatePattern: Sendable, Hashable {
    /// A step of reading.
    package enum Piece: Sendable, Hashable {
        /// Four digits.
        case year4
        /// Two digits: 00–68 are 2000–2068, 69–99 are 1969–1999 (POSIX).
        case year2
        /// `digits` 2: exactly two; 1: one or two.
        case month(digits: Int)
        /// A name, short or long, in any case.
        case monthName
        case day(digits: Int)
        /// The name of a day of the week; it decides nothing.
        case weekday
        case hour24(digits: Int)
        case hour12(digits: Int)
        case minute(digits: Int)
        case second(digits: Int)
        /// One digit or more behind the decimal mark.
        case fraction
        /// `AM`, `p.m.`, `A.M`, `p`, in any case, with or without blanks before it.
        case dayPeriod
        /// An abbreviation, `Z`, or `±hh:mm`, with or without blanks before it.
        case zone
        /// One blank or more, of any kind.
        case blank
        case literal(UInt8)
    }

    /// What a value is that is a number.
    package enum Number: String, CaseIterable, Sendable {
        /// Seconds since 1970 in UTC, or so many digits more: thousandths, millionths, billionths.
        case epoch
        /// Days of a spreadsheet: 1 is 1900-01-01, and there is a 1900-02-29.
        case serial
        /// Days of a spreadsheet that counts from 1904-01-01.
        case serial1904 = "serial-1904"
        /// A time of day as a number, without its leading zeros: 930 is 9:30.
        case clockMinutes = "HHmm"
        case clockSeconds = "HHmmss"

        /// Whether it can only be a time of day.
        var isClock: Bool { self == .clockMinutes || self == .clockSeconds }
    }

    /// As written in the profile.
    package let text: String
    /// The steps; none for a number.
    package let pieces: [Piece]
    package let number: Number?

    init(text: String, pieces: [Piece]) {
        self.text = text
        self.pieces = pieces
        number = nil
    }

    package init(_ number: Number) {
        text = number.rawValue
        pieces = []
        self.number = number
    }

    /// Whether it has a time of day. Without one it can only give a date.
    package var hasTime: Bool { number != nil || parts.contains("hour") }

    /// Whether it gives a time of day without a date.
    package var isClock: Bool { number?.isClock ?? !parts.contains("year") }

    /// The parts in their order.
    var parts: [String] { number.map { [$0.rawValue] } ?? pieces.compactMap(\.partName) }

    var isMonthFirst: Bool { pieces.first(where: \.isDayOrMonth)?.partName == "month" }

    /// The character between day and month; nil if there is none.
    var dateSeparator: UInt8? {
        guard let place = pieces.firstIndex(where: \.isDayOrMonth), place + 1 < pieces.count,
            case .literal(let separator) = pieces[place + 1]
        else { return nil }
        return separator
    }

    /// Whether day and month are both numbers, and the year is behind them.
    var isOrderInDoubt: Bool {
        let order = pieces.filter { $0.isDayOrMonth || $0.partName == "year" }
        return order.last?.partName == "year" && !order.contains(.monthName)
    }

    /// Whether both are numbers, and one number may be either.
    func isUnclearBeside(_ other: DatePattern) -> Bool {
        guard let number, let second = other.number, number != second else { return false }
        return number.isClock == second.isClock && number != .epoch && second != .epoch
    }

    /// Whether both read the same texts, one taking for the day what the other takes for the month.
    func swapsDayAndMonth(of other: DatePattern) -> Bool {
        let mine = pieces.filter(\.isDayOrMonth).map(\.partName)
        let others = other.pieces.filter(\.isDayOrMonth).map(\.partName)
        return number == nil && other.number == nil && mine != others
            && pieces.map(\.withoutDayAndMonth) == other.pieces.map(\.withoutDayAndMonth)
    }
}

extension DatePattern.Piece {
    /// The part of a date or time that it gives; nil for a literal.
    var partName: String? {
        switch self {
        case .year4, .year2: "year"
        case .month, .monthName: "month"
        case .day: "day"
        case .weekday: "day of the week"
        case .hour24, .hour12: "hour"
        case .minute: "minute"
        case .second: "second"
        case .fraction: "fraction"
        case .dayPeriod: "AM or PM"
        case .zone: "zone"
        case .literal, .blank: nil
        }
    }

    /// The fewest digits it is written with; nil if it is not digits.
    var digits: Int? {
        switch self {
        case .year4: 4
        case .year2: 2
        case .fraction: 1
        case .month(let digits), .day(let digits), .hour24(let digits), .hour12(let digits), .minute(let digits),
            .second(let digits):
            digits
        case .dayPeriod, .literal, .monthName, .weekday, .zone, .blank: nil
        }
    }

    var isDayOrMonth: Bool { partName == "day" || partName == "month" }

    /// The piece with day and month as one thing, and without regard to leading zeros.
    fileprivate var withoutDayAndMonth: DatePattern.Piece {
        switch self {
        case .day, .month: .month(digits: 1)
        case .hour24: .hour24(digits: 1)
        case .hour12: .hour12(digits: 1)
        case .minute: .minute(digits: 1)
        case .second: .second(digits: 1)
        case .year4, .year2, .dayPeriod, .literal, .monthName, .weekday, .fraction, .zone, .blank: self
        }
    }
}
