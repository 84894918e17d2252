import Basics

/// How a source writes a date or a time, in the letters of Unicode TR 35 that exports use:
/// `yyyy yy MM M dd d HH H hh h mm m ss s a` and literal text (quoted with `'` if it holds letters).
///
/// `Intake` reads by a pattern on bytes. Nothing is guessed beyond it (day and month are never swapped).
package struct DatePattern: Sendable, Hashable {
    package enum Piece: Sendable, Hashable {
        /// Four digits.
        case year4
        /// Two digits: 00–68 are 2000–2068, 69–99 are 1969–1999 (POSIX).
        case year2
        /// `digits` 2: exactly two; 1: one or two.
        case month(digits: Int)
        case day(digits: Int)
        case hour24(digits: Int)
        case hour12(digits: Int)
        case minute(digits: Int)
        case second(digits: Int)
        /// `AM`, `PM` in any case.
        case dayPeriod
        case literal(UInt8)
    }

    /// As written in the profile.
    package let text: String
    package let pieces: [Piece]

    package init(text: String, pieces: [Piece]) {
        self.text = text
        self.pieces = pieces
    }

    /// Whether it has a time of day. Without one it can only give a date.
    package var hasTime: Bool { pieces.contains { $0.partName == "hour" } }

    var isMonthFirst: Bool { pieces.first(where: \.isDayOrMonth)?.partName == "month" }

    /// The character between day and month; nil if there is none.
    var dateSeparator: UInt8? {
        guard let place = pieces.firstIndex(where: \.isDayOrMonth), place + 1 < pieces.count,
            case .literal(let separator) = pieces[place + 1]
        else { return nil }
        return separator
    }

    /// Whether both read the same texts, one taking for the day what the other takes for the month.
    func swapsDayAndMonth(of other: DatePattern) -> Bool {
        let mine = pieces.filter(\.isDayOrMonth).map(\.partName)
        let others = other.pieces.filter(\.isDayOrMonth).map(\.partName)
        return mine != others && pieces.map(\.withoutDayAndMonth) == other.pieces.map(\.withoutDayAndMonth)
    }

    /// The plain reference of the reader's byte version: the date and time of a text, or nil.
    ///
    /// The whole text must fit, apart from outer blanks, and be a day of the calendar. `secondOfDay` is nil if the
    /// pattern has no time. There is no leap second and no 24:00.
    package func read(_ text: String) -> (year: Int, month: Int, day: Int, secondOfDay: Int?)? {
        var rest = text.utf8[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        var year = 0, month = 0, day = 0, minute = 0, second = 0
        var hour: Int?, afternoon: Int?
        for piece in pieces {
            let number: Int?
            switch piece {
            case .literal(let byte):
                guard rest.popFirst() == byte else { return nil }
                continue
            case .dayPeriod:
                guard let letter = rest.popFirst(), let m = rest.popFirst(), m | 0x20 == 0x6D,
                    letter | 0x20 == 0x61 || letter | 0x20 == 0x70
                else { return nil }
                afternoon = letter | 0x20 == 0x70 ? 12 : 0
                continue
            case .year4: number = Self.number(&rest, 4...4)
            case .year2: number = Self.number(&rest, 2...2)
            case .month(let digits), .day(let digits), .hour24(let digits), .hour12(let digits), .minute(let digits),
                .second(let digits):
                number = Self.number(&rest, digits...2)
            }
            guard let number else { return nil }
            switch piece {
            case .year4: year = number
            case .year2: year = number + (number <= 68 ? 2000 : 1900)
            case .month: month = number
            case .day: day = number
            case .hour24, .hour12: hour = number
            case .minute: minute = number
            case .second: second = number
            case .literal, .dayPeriod: break
            }
        }
        guard rest.isEmpty, CivilDay(year: year, month: month, day: day) != nil else { return nil }
        guard var hour else { return (year, month, day, nil) }
        if let afternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + afternoon
        }
        // 24:00 is the next midnight, and a second 60 the next second.
        guard hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second <= 60 else { return nil }
        return (year, month, day, hour * 3600 + minute * 60 + second)
    }

    /// Takes as many digits as there are; nil if their count is out of bounds.
    private static func number(_ bytes: inout Substring.UTF8View, _ counts: ClosedRange<Int>) -> Int? {
        let digits = bytes.prefix(counts.upperBound).prefix(while: TextShape.isDigit)
        bytes = bytes.dropFirst(digits.count)
        return digits.count >= counts.lowerBound ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
    }
}

extension DatePattern.Piece {
    /// The part of a date or time that it gives; nil for a literal.
    var partName: String? {
        switch self {
        case .year4, .year2: "year"
        case .month: "month"
        case .day: "day"
        case .hour24, .hour12: "hour"
        case .minute: "minute"
        case .second: "second"
        case .dayPeriod: "AM or PM"
        case .literal: nil
        }
    }

    /// The fewest digits it is written with; nil if it is not digits.
    var digits: Int? {
        switch self {
        case .year4: 4
        case .year2: 2
        case .month(let digits), .day(let digits), .hour24(let digits), .hour12(let digits), .minute(let digits),
            .second(let digits):
            digits
        case .dayPeriod, .literal: nil
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
        case .year4, .year2, .dayPeriod, .literal: self
        }
    }
}
