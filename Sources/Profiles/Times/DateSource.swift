/// Where an export has the date of times of day.
package enum DateSource: Sendable, Hashable {
    /// In a column of its own.
    case column(String)
    /// In three.
    case parts(year: String, month: String, day: String)

    /// The columns by their names.
    package var columns: [String] {
        switch self {
        case .column(let name): [name]
        case .parts(let year, let month, let day): [year, month, day]
        }
    }
}

/// Reads a date from three columns.
package struct DateParts: Sendable {
    private let names: CalendarNames

    package init(languages: [String]) { names = CalendarNames(adding: languages) }

    /// The midnight that the day begins with. A month may be a name; of a year of two digits, 69 to 99 are of the last century.
    package func reading(year: Span<UInt8>, month: Span<UInt8>, day: Span<UInt8>) -> TimeForms.Outcome {
        var scanner = TimeScanner()
        guard let dayOfMonth = Self.number(day, &scanner, most: 2) else { return .bad }
        scanner = TimeScanner()
        guard var years = Self.number(year, &scanner, most: 4) else { return .bad }
        if years < 100 { years += years < 69 ? 2000 : 1900 }
        scanner = TimeScanner()
        var months = 0
        if let number = Self.number(month, &scanner, most: 2) {
            months = number
        } else {
            scanner = TimeScanner()
            guard let name = names.month(scanner.word(month)) else { return .bad }
            _ = scanner.take(0x2E, month)
            guard scanner.isAtEnd(month) else { return .bad }
            months = name
        }
        return TimeForms.outcome(
            year: years, month: months, day: dayOfMonth, secondOfDay: 0, offsetSeconds: nil, hasTime: false)
    }

    /// Digits, and perhaps `.0` behind them.
    private static func number(_ text: Span<UInt8>, _ scanner: inout TimeScanner, most: Int) -> Int? {
        var value = 0
        guard scanner.store(1, most, &value, text) else { return nil }
        if scanner.take(0x2E, text) { while scanner.take(0x30, text) {} }
        return scanner.isAtEnd(text) ? value : nil
    }
}
