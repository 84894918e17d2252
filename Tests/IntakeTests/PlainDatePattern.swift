import Basics
import Profiles
import Trips

/// The plain reference of `TimeForms`: reads by the pieces of a pattern that are digits, one after another.
enum PlainDatePattern {
    /// The date and time of a text, or nil. `secondOfDay` is nil if the pattern has no time.
    static func read(
        _ text: String, by pattern: DatePattern
    ) -> (year: Int, month: Int, day: Int, secondOfDay: Int?)? {
        var rest = text.utf8[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        var year = 0, month = 0, day = 0, minute = 0, second = 0
        var hour: Int?, afternoon: Int?
        for piece in pattern.pieces {
            let number: Int?
            switch piece {
            case .literal(let byte):
                guard rest.popFirst() == byte else { return nil }
                continue
            case .blank:
                guard rest.popFirst() == 0x20 else { return nil }
                while rest.first == 0x20 { rest.removeFirst() }
                continue
            case .dayPeriod:
                while rest.first == 0x20 { rest.removeFirst() }
                guard let match = String(Substring(rest)).prefixMatch(of: /(?i)([ap])(?:\.?[ ]*m\.?|\.?)/)
                else { return nil }
                rest = rest.dropFirst(match.output.0.utf8.count)
                if let next = rest.first, (0x61...0x7A).contains(next | 0x20) { return nil }
                afternoon = match.output.1.lowercased() == "p" ? 12 : 0
                continue
            case .monthName, .weekday, .fraction, .zone: return nil
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
            default: break
            }
        }
        guard rest.isEmpty, CivilDay(year: year, month: month, day: day) != nil else { return nil }
        guard var hour else { return (year, month, day, nil) }
        if let afternoon {
            if hour == 0, afternoon == 12 { return nil }
            if hour > 12, afternoon == 0 || hour > 23 { return nil }
            hour = hour > 12 ? hour : hour % 12 + afternoon
        }
        // 24:00 is the next midnight, and a second 60 the next second.
        guard hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second <= 60 else { return nil }
        return (year, month, day, hour * 3600 + minute * 60 + second)
    }

    /// Takes as many digits as there are; nil if their count is out of bounds.
    private static func number(_ bytes: inout Substring.UTF8View, _ counts: ClosedRange<Int>) -> Int? {
        let digits = bytes.prefix(counts.upperBound).prefix { (0x30...0x39).contains($0) }
        bytes = bytes.dropFirst(digits.count)
        return digits.count >= counts.lowerBound ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
    }
}
