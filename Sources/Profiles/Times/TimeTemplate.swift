import Trips

/// How one value writes a time: its parts in their order, for profiles that are proposed.
///
/// Which of two numbers is the day is not decided here.
struct TimeTemplate {
    enum Element: Hashable {
        /// A number of the date, of one or two digits.
        case short
        /// One of four digits.
        case year
        /// Eight digits without a mark between: the year first, or last.
        case compactYearFirst
        case compactYearLast
        case month, weekday
        case hour, minute, second, fraction
        /// Minutes and seconds directly behind the hour.
        case compactMinute, compactSecond
        case dayPeriod, zone, blank
        case literal(UInt8)
        case word(String)
    }

    private(set) var elements: [Element] = []
    /// The numbers of the date in their order: how many digits each has, and its value.
    private(set) var numbers: [(digits: Int, value: Int)] = []
    private(set) var hourDigits = 0
    /// The abbreviation of a zone that has no meaning.
    private(set) var unknownZone: String?

    var hasDate: Bool { !numbers.isEmpty }
    var hasTime: Bool { elements.contains(.hour) }
    var hasMonthName: Bool { elements.contains(.month) }

    /// Nil if a text is no time by its shape.
    init?(_ value: String, names: CalendarNames, zones: ZoneAbbreviations) {
        let bytes = Array(value.trimmingBlanks().utf8)
        guard (3...64).contains(bytes.count) else { return nil }
        var scanner = TimeScanner()
        let text = bytes.span
        while !scanner.isAtEnd(text) {
            guard take(text, &scanner, names, zones) else { return nil }
        }
        guard hasDate || hasTime, isWhole else { return nil }
    }

    /// Whether the date has all of its parts, or there is only a time.
    private var isWhole: Bool {
        if elements.contains(.compactYearFirst) || elements.contains(.compactYearLast) { return numbers.count == 3 }
        if !hasDate { return !hasMonthName && !elements.contains(.weekday) }
        let years = elements.count { $0 == .year }
        return years <= 1 && numbers.count == (hasMonthName ? 2 : 3)
    }

    private var isDateWhole: Bool { numbers.count == (hasMonthName ? 2 : 3) }

    private mutating func take(
        _ text: Span<UInt8>, _ scanner: inout TimeScanner, _ names: CalendarNames, _ zones: ZoneAbbreviations
    ) -> Bool {
        guard let byte = scanner.next(text) else { return false }
        if TextShape.isDigit(byte) { return takeDigits(text, &scanner) }
        if scanner.skipBlanks(text) {
            elements.append(.blank)
            return true
        }
        let isBehindTime = hasTime
        if byte == 0x2B || byte == 0x2D, isBehindTime {
            dropBlank()
            elements.append(.zone)
            return scanner.zone(text, zones) != nil
        }
        switch byte {
        case 0x3A where isDateWhole && !hasTime:
            _ = scanner.take(byte, text)
            elements.append(.literal(byte))
            return true
        case 0x2F, 0x2D, 0x2E, 0x2C:
            _ = scanner.take(byte, text)
            // The point of an abbreviated name belongs to the name.
            if byte == 0x2E, elements.last == .month || elements.last == .weekday { return true }
            elements.append(.literal(byte))
            return true
        default: return takeWord(text, &scanner, names, zones)
        }
    }

    private mutating func dropBlank() {
        if elements.last == .blank { elements.removeLast() }
    }

    // MARK: - Digits

    private mutating func takeDigits(_ text: Span<UInt8>, _ scanner: inout TimeScanner) -> Bool {
        let count = scanner.digitCount(text)
        let behind = scanner.place + count < text.count ? text[scanner.place + count] : 0
        if !hasTime, count <= 2, behind == 0x3A { return takeTime(text, &scanner, mark: 0x3A) }
        if !hasTime, isDateWhole {
            if count == 4 || count == 6 { return takeCompactTime(text, &scanner, count) }
            if count <= 2, behind == 0x2E || behind | 0x20 == 0x68 { return takeTime(text, &scanner, mark: behind) }
            return false
        }
        guard !isDateWhole else { return false }
        switch count {
        case 1, 2, 4:
            guard let value = scanner.digits(count, text) else { return false }
            numbers.append((count, value))
            elements.append(count == 4 ? .year : .short)
            return true
        case 8, 12, 14: return numbers.isEmpty && takeCompactDate(text, &scanner, count)
        default: return false
        }
    }

    private mutating func takeCompactDate(_ text: Span<UInt8>, _ scanner: inout TimeScanner, _ count: Int) -> Bool {
        var ahead = scanner
        guard let first = ahead.digits(4, text), let second = ahead.digits(2, text) else { return false }
        // 19 to 21 may be a day before its month and a year of this or the last century.
        let isYearFirst = (1900...2199).contains(first) && (1...12).contains(second) || count > 8
        for digits in isYearFirst ? [4, 2, 2] : [2, 2, 4] {
            guard let value = scanner.digits(digits, text) else { return false }
            numbers.append((digits, value))
        }
        elements.append(isYearFirst ? .compactYearFirst : .compactYearLast)
        return count == 8 || takeCompactTime(text, &scanner, count - 8)
    }

    private mutating func takeCompactTime(_ text: Span<UInt8>, _ scanner: inout TimeScanner, _ count: Int) -> Bool {
        hourDigits = 2
        elements += count == 6 ? [.hour, .compactMinute, .compactSecond] : [.hour, .compactMinute]
        for _ in 0..<count / 2 where scanner.digits(2, text) == nil { return false }
        return takeFraction(text, &scanner)
    }

    private mutating func takeTime(_ text: Span<UInt8>, _ scanner: inout TimeScanner, mark: UInt8) -> Bool {
        hourDigits = scanner.digitCount(text)
        guard scanner.digits(hourDigits, text) != nil, scanner.take(mark, text) else { return false }
        elements += [.hour, mark == 0x3A || mark == 0x2E ? .literal(mark) : .word(mark == 0x68 ? "h" : "H")]
        guard scanner.digits(2, text) != nil else { return mark | 0x20 == 0x68 }
        elements.append(.minute)
        guard mark == 0x3A || mark == 0x2E, scanner.take(mark, text) else { return true }
        elements.append(.literal(mark))
        guard scanner.digits(2, text) != nil else { return false }
        elements.append(.second)
        return takeFraction(text, &scanner)
    }

    private mutating func takeFraction(_ text: Span<UInt8>, _ scanner: inout TimeScanner) -> Bool {
        guard elements.last == .second || elements.last == .compactSecond, let mark = scanner.next(text),
            mark == 0x2E || mark == 0x2C || mark == 0x3A
        else { return true }
        var ahead = scanner
        _ = ahead.take(mark, text)
        guard ahead.microseconds(text) != nil else { return true }
        scanner = ahead
        elements += [.literal(mark), .fraction]
        return true
    }

    // MARK: - Words

    /// Words beside the parts of a time: nothing else of a value gets into a profile.
    private static let fillers: Set<String> = ["de", "del", "of", "at", "on", "um", "uhr", "kl", "h", "hrs", "t"]

    private mutating func takeWord(
        _ text: Span<UInt8>, _ scanner: inout TimeScanner, _ names: CalendarNames, _ zones: ZoneAbbreviations
    ) -> Bool {
        if hasTime, !elements.contains(.dayPeriod) {
            var ahead = scanner
            if ahead.dayPeriod(text) != nil {
                scanner = ahead
                dropBlank()
                elements.append(.dayPeriod)
                return true
            }
        }
        let start = scanner.place
        let word = scanner.word(text)
        guard word.length > 0 else { return false }
        if !hasMonthName, numbers.count <= 2, names.month(word) != nil {
            elements.append(.month)
            return true
        }
        if !elements.contains(.weekday), names.isWeekday(word) {
            elements.append(.weekday)
            return true
        }
        let letters = text.extracting(start..<scanner.place)
        let written = String(decoding: letters.indices.map { letters[$0] }, as: UTF8.self)
        if hasTime, !elements.contains(.zone) {
            var ahead = TimeScanner(at: start)
            if ahead.zone(text, zones) != nil {
                scanner = ahead
                dropBlank()
                elements.append(.zone)
                return true
            }
            if (2...5).contains(written.utf8.count), written == written.uppercased() {
                dropBlank()
                elements.append(.zone)
                unknownZone = written
                return true
            }
        }
        guard Self.fillers.contains(written.lowercased()) else { return false }
        elements.append(.word(written))
        return true
    }
}
