/// A column that has an interval itself, and how it is written there.
package struct StatedInterval: Sendable, Hashable {
    /// What its values are.
    package enum Unit: String, CaseIterable, Sendable {
        case seconds, minutes, hours, days
        /// `mm:ss`, `h:mm:ss`, `0 days 00:08:30`, `8m 30s`, `8 min 30 s`, `PT8M30S`.
        case clock
        /// `h:mm`
        case hoursMinutes = "h:mm"
    }

    package var column: String
    package var unit: Unit

    package init(column: String, unit: Unit) {
        self.column = column
        self.unit = unit
    }

    /// Whole seconds, rounded half up; nil if it is no interval.
    ///
    /// - Parameter decimalMark: of numbers in text.
    package func seconds(_ text: Span<UInt8>, decimalMark: DecimalMark = .point) -> Int? {
        switch unit {
        case .seconds: TimeNumber.rounded(text, times: 1, decimalMark: decimalMark)
        case .minutes: TimeNumber.rounded(text, times: 60, decimalMark: decimalMark)
        case .hours: TimeNumber.rounded(text, times: 3600, decimalMark: decimalMark)
        case .days: TimeNumber.rounded(text, times: 86_400, decimalMark: decimalMark)
        case .clock: Self.clock(text)
        case .hoursMinutes: Self.hoursMinutes(text)
        }
    }

    private static func clock(_ text: Span<UInt8>) -> Int? {
        if let last = text.indices.last, text[last] > 0x39 { return withUnits(text) }
        var scanner = TimeScanner()
        let isNegative = scanner.take(0x2D, text)
        var first = 0, second = 0
        let days = isNegative ? 0 : Self.days(text, &scanner)
        guard scanner.store(1, 4, &first, text), scanner.take(0x3A, text), scanner.store(2, 2, &second, text),
            second < 60
        else { return nil }
        var total = first * 60 + second
        if scanner.take(0x3A, text) {
            guard let third = scanner.digits(2, text), third < 60 else { return nil }
            total = total * 60 + third
        }
        if scanner.take(0x2E, text) {
            guard let fraction = scanner.microseconds(text) else { return nil }
            if fraction >= 500_000 { total += 1 }
        }
        return scanner.isAtEnd(text) ? (isNegative ? -total : total + days * 86_400) : nil
    }

    /// `0 days ` at the beginning; nothing is taken where it is not there.
    private static func days(_ text: Span<UInt8>, _ scanner: inout TimeScanner) -> Int {
        var ahead = scanner, days = 0
        guard ahead.store(1, 2, &days, text), ahead.skipBlanks(text), ahead.takeLetter(0x64, text),
            ahead.takeLetter(0x61, text), ahead.takeLetter(0x79, text)
        else { return 0 }
        _ = ahead.takeLetter(0x73, text)
        _ = ahead.take(0x2C, text)
        guard ahead.skipBlanks(text) else { return 0 }
        scanner = ahead
        return days
    }

    private static let unitSeconds: [String: Int] = [
        "d": 86_400, "day": 86_400, "days": 86_400, "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600,
        "m": 60,
        "min": 60, "mins": 60, "minute": 60, "minutes": 60, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
    ]

    /// Whole numbers, each with its unit behind it, the larger unit first.
    private static func withUnits(_ text: Span<UInt8>) -> Int? {
        var scanner = TimeScanner()
        var total = 0, smallest = Int.max
        if scanner.takeLetter(0x70, text), !scanner.takeLetter(0x74, text) { return nil }
        while !scanner.isAtEnd(text) {
            var number = 0, word = ""
            guard scanner.store(1, 6, &number, text) else { return nil }
            _ = scanner.skipBlanks(text)
            while let byte = scanner.next(text), (0x61...0x7A).contains(byte | 0x20) {
                word.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
                _ = scanner.take(byte, text)
            }
            guard let seconds = unitSeconds[word], seconds < smallest else { return nil }
            total += number * seconds
            smallest = seconds
            _ = scanner.take(0x2C, text)
            _ = scanner.skipBlanks(text)
        }
        return smallest == .max ? nil : total
    }

    /// Also with seconds, as spreadsheets add them.
    private static func hoursMinutes(_ text: Span<UInt8>) -> Int? {
        var scanner = TimeScanner()
        let isNegative = scanner.take(0x2D, text)
        var hours = 0, minutes = 0
        guard scanner.store(1, 4, &hours, text), scanner.take(0x3A, text), scanner.store(2, 2, &minutes, text),
            minutes < 60
        else { return nil }
        var total = (hours * 60 + minutes) * 60
        if scanner.take(0x3A, text) {
            guard let seconds = scanner.digits(2, text), seconds < 60 else { return nil }
            total += seconds
        }
        return scanner.isAtEnd(text) ? (isNegative ? -total : total) : nil
    }
}
