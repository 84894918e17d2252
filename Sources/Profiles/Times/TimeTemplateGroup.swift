import Basics

/// The values of a column that write times in one way, and the patterns that read them.
struct TimeTemplateGroup {
    private let elements: [TimeTemplate.Element]
    private(set) var count = 0
    private(set) var values: [String] = []
    /// Of each number of the date: the fewest digits.
    private var fewestDigits: [Int] = []
    private var hasLeadingZero = false
    private var fewestHourDigits = 2
    /// Whether some value is a date only if its month, or its day, comes first; of three numbers.
    private var fits: (monthFirst: Bool, dayFirst: Bool, yearFirst: Bool) = (true, true, true)

    init(_ template: TimeTemplate) {
        elements = template.elements
        fewestDigits = template.numbers.map(\.digits)
    }

    mutating func add(_ template: TimeTemplate, _ value: String) {
        count += 1
        values.append(value)
        if template.numbers.count == 3 {
            let numbers = template.numbers.map(\.value)
            let monthFirst = Self.isDay(numbers[2], numbers[0], numbers[1])
            let dayFirst = Self.isDay(numbers[2], numbers[1], numbers[0])
            let yearFirst = Self.isDay(numbers[0], numbers[1], numbers[2])
            // A slip, such as 99/99/9999, shows nothing.
            guard monthFirst || dayFirst || yearFirst else { return }
            fits = (fits.monthFirst && monthFirst, fits.dayFirst && dayFirst, fits.yearFirst && yearFirst)
        }
        for (place, number) in template.numbers.enumerated() {
            fewestDigits[place] = min(fewestDigits[place], number.digits)
            if number.digits == 2, number.value < 10, elements.contains(.short) { hasLeadingZero = true }
        }
        if template.hasTime { fewestHourDigits = min(fewestHourDigits, template.hourDigits) }
    }

    private static func isDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        // A year of two digits is taken for one of this century.
        CivilDay(year: year < 100 ? 2000 + year : year, month: month, day: day) != nil
    }

    /// What the numbers of the date are, in their order.
    private enum Order: String {
        case monthFirst = "Mdy"
        case dayFirst = "dMy"
        case yearFirst = "yMd"
        case dayThenYear = "dy"
        case yearThenDay = "yd"
    }

    /// The pattern; where day and month are in doubt, that with the month first and that with the day first. None: no order
    /// reads all values.
    var patterns: (certain: DatePattern?, dayFirst: DatePattern?) {
        if fewestDigits.isEmpty { return (pattern(nil), nil) }
        if fewestDigits.count == 2 {
            let isYearFirst = elements.first { $0 == .year || $0 == .short } == .year
            return (pattern(isYearFirst ? .yearThenDay : .dayThenYear), nil)
        }
        let firstNumber = elements.first { $0 == .year || $0 == .short }
        if elements.contains(.compactYearFirst) || firstNumber == .year {
            return (fits.yearFirst ? pattern(.yearFirst) : nil, nil)
        }
        switch (fits.monthFirst, fits.dayFirst) {
        case (true, true): return (pattern(.monthFirst), pattern(.dayFirst))
        case (true, false): return (pattern(.monthFirst), nil)
        case (false, true): return (pattern(.dayFirst), nil)
        case (false, false):
            return (fits.yearFirst && !elements.contains(.year) ? pattern(.yearFirst) : nil, nil)
        }
    }

    private func pattern(_ order: Order?) -> DatePattern? {
        let letters = Array(order?.rawValue ?? "")
        // Two letters only where values show that short numbers have a zero before them.
        let areTwo = zip(letters, fewestDigits).allSatisfy { $0.0 == "y" || $0.1 == 2 } && hasLeadingZero
        var text = "", number = 0
        for (place, element) in elements.enumerated() {
            switch element {
            case .short, .year:
                let letter = letters[number]
                let count = letter == "y" ? (element == .year ? 4 : 2) : areTwo ? 2 : 1
                text += String(repeating: letter, count: count)
                number += 1
            case .compactYearFirst: text += "yyyyMMdd"
            case .compactYearLast: text += order == .dayFirst ? "ddMMyyyy" : "MMddyyyy"
            case .month: text += "MMM"
            case .weekday: text += "EEE"
            case .hour:
                let letter = elements.contains(.dayPeriod) ? "h" : "H"
                let isCompact = place + 1 < elements.count && elements[place + 1] == .compactMinute
                text +=
                    isCompact || fewestHourDigits == 2 && (areTwo || !letters.isEmpty && !hasShortNumber)
                    ? letter + letter : letter
            case .minute, .compactMinute: text += "mm"
            case .second, .compactSecond: text += "ss"
            case .fraction: text += "SSS"
            // A blank that may be missing is read too.
            case .dayPeriod: text += " a"
            case .zone: text += " z"
            case .blank: text += " "
            case .literal(let byte): text.unicodeScalars.append(Unicode.Scalar(byte))
            case .word(let word): text += "'\(word)'"
            }
        }
        return try? DatePattern(parsing: text)
    }

    /// Whether its values have a date.
    var isOfDate: Bool { !fewestDigits.isEmpty }

    private var hasShortNumber: Bool { elements.contains(.short) }
}
