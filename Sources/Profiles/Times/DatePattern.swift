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

    /// The character between day and month; nil if there is none.
    var dateSeparator: UInt8? {
        guard let place = pieces.firstIndex(where: \.isDayOrMonth), place + 1 < pieces.count,
            case .literal(let separator) = pieces[place + 1]
        else { return nil }
        return separator
    }

    /// `year`, `month` and `day` in the order in which the pattern has them.
    var dateOrder: [String] { parts.filter { ["year", "month", "day"].contains($0) } }

    /// Whether year, month and day are numbers, and no year of four digits comes first.
    var hasNumericDate: Bool {
        dateOrder.count == 3 && !pieces.contains(.monthName)
            && !(dateOrder.first == "year" && pieces.contains(.year4))
    }

    /// Whether one text fits both, with day, month and year in another order, or as another kind of number.
    func isUnclearBeside(_ other: DatePattern) -> Bool {
        guard self != other, number != nil || other.number != nil || dateOrder != other.dateOrder else { return false }
        // Fourteen digits are no number of seconds of a year that exports have.
        let isLong = [self, other].contains { $0.digitCount == 14 }
        if isLong, number == .epoch || other.number == .epoch { return false }
        return PatternOverlap.overlap(self, other)
    }

    /// How many digits its texts have; nil if they have other characters, or may have more or fewer.
    private var digitCount: Int? {
        guard number == nil, pieces.allSatisfy({ ($0.digits ?? 1) > 1 && $0.digits != nil }) else { return nil }
        return pieces.reduce(0) { $0 + ($1.digits ?? 0) }
    }

    /// Whether ISO 8601 reads its texts with the month where it has the day.
    var isISOWithDayFirst: Bool {
        guard pieces.first == .year4, dateOrder == ["year", "day", "month"], !pieces.contains(.monthName),
            let second = pieces.dropFirst().first
        else { return false }
        return second == .literal(0x2D) || second.digits != nil
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
}
