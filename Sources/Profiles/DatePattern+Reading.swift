import Trips

extension DatePattern {
    /// The plain reference of the reader's byte version: what a text says under this pattern, or nil.
    ///
    /// The whole text must fit, apart from outer blanks, and be a day of the calendar. `secondOfDay` is nil if the
    /// pattern has no time. There is no leap second and no 24:00.
    package func read(_ text: String) -> (year: Int, month: Int, day: Int, secondOfDay: Int?)? {
        var rest = DatePatternText(text)
        var found = DatePatternValues()
        for piece in pieces {
            guard found.take(piece, from: &rest) else { return nil }
        }
        guard rest.isAtEnd, CivilDay(year: found.year, month: found.month, day: found.day) != nil else { return nil }
        guard hasTime else { return (found.year, found.month, found.day, nil) }
        guard let seconds = found.secondOfDay else { return nil }
        return (found.year, found.month, found.day, seconds)
    }
}

/// The text not yet read.
private struct DatePatternText {
    private var bytes: ArraySlice<UInt8>

    init(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        self.bytes = bytes
    }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func next() -> UInt8? { bytes.popFirst() }

    /// A number of at least `minimum` and at most `maximum` digits, as many as there are.
    mutating func number(_ minimum: Int, _ maximum: Int) -> Int? {
        var value = 0
        var count = 0
        while count < maximum, let byte = bytes.first, (0x30...0x39).contains(byte) {
            value = value * 10 + Int(byte - 0x30)
            count += 1
            bytes.removeFirst()
        }
        return count >= minimum ? value : nil
    }
}

private struct DatePatternValues {
    var year = 0
    var month = 0
    var day = 0
    var hour = 0
    var minute = 0
    var second = 0
    var isAfternoon: Bool?

    /// Nil if there is no such time of day.
    var secondOfDay: Int? {
        var hour = hour
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Reads one piece; false if the text does not fit.
    mutating func take(_ piece: DatePattern.Piece, from text: inout DatePatternText) -> Bool {
        switch piece {
        case .literal(let byte): return text.next() == byte
        case .dayPeriod:
            guard let letter = text.next(), let m = text.next(), m | 0x20 == 0x6D else { return false }
            guard letter | 0x20 == 0x61 || letter | 0x20 == 0x70 else { return false }
            isAfternoon = letter | 0x20 == 0x70
            return true
        case .year4: return text.number(4, 4).map { year = $0 } != nil
        case .year2: return text.number(2, 2).map { year = $0 <= 68 ? 2000 + $0 : 1900 + $0 } != nil
        case .month(let digits): return text.number(digits, 2).map { month = $0 } != nil
        case .day(let digits): return text.number(digits, 2).map { day = $0 } != nil
        case .hour24(let digits), .hour12(let digits): return text.number(digits, 2).map { hour = $0 } != nil
        case .minute(let digits): return text.number(digits, 2).map { minute = $0 } != nil
        case .second(let digits): return text.number(digits, 2).map { second = $0 } != nil
        }
    }
}
