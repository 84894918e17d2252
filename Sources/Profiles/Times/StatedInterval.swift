/// A column that has an interval itself, and how it is written there.
package struct StatedInterval: Sendable, Hashable {
    /// What its values are.
    package enum Unit: String, CaseIterable, Sendable {
        case seconds, minutes
        /// `mm:ss` or `h:mm:ss`.
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
        case .clock: Self.clock(text)
        case .hoursMinutes: Self.hoursMinutes(text)
        }
    }

    private static func clock(_ text: Span<UInt8>) -> Int? {
        var scanner = TimeScanner()
        let isNegative = scanner.take(0x2D, text)
        var first = 0, second = 0
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
        return scanner.isAtEnd(text) ? (isNegative ? -total : total) : nil
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
