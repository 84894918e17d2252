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
    /// The orders of the date's numbers that the form of the values allows, and those in which all values are dates.
    private let writtenOrders: [Order]
    private var orders: [Order]
    /// Of the year in each of them.
    private var firstYears: [Order: Int] = [:]
    private var lastYears: [Order: Int] = [:]

    init(_ template: TimeTemplate) {
        elements = template.elements
        fewestDigits = template.numbers.map(\.digits)
        writtenOrders = Order.orders(of: template)
        orders = writtenOrders
    }

    mutating func add(_ template: TimeTemplate, _ value: String) {
        count += 1
        values.append(value)
        let numbers = template.numbers.map(\.value)
        let fitting = writtenOrders.filter { $0.isDay(numbers) }
        // A slip, such as 99/99/9999, shows nothing.
        guard !fitting.isEmpty || writtenOrders.isEmpty else { return }
        orders = orders.filter(fitting.contains)
        for order in orders {
            let year = order.year(of: numbers)
            firstYears[order] = min(firstYears[order] ?? year, year)
            lastYears[order] = max(lastYears[order] ?? year, year)
        }
        for (place, number) in template.numbers.enumerated() {
            fewestDigits[place] = min(fewestDigits[place], number.digits)
            if number.digits == 2, number.value < 10, elements.contains(.short) { hasLeadingZero = true }
        }
        if template.hasTime { fewestHourDigits = min(fewestHourDigits, template.hourDigits) }
    }

    /// What the numbers of the date are, in their order.
    private enum Order: String, CaseIterable {
        case monthFirst = "Mdy"
        case dayFirst = "dMy"
        case yearFirst = "yMd"
        case dayThenYear = "dy"
        case yearThenDay = "yd"

        var letters: [Character] { Array(rawValue) }

        /// Those that the digits of a value allow.
        static func orders(of template: TimeTemplate) -> [Order] {
            let written = template.elements.filter { $0 == .year || $0 == .short }
            let hasYear = written.contains(.year)
            return allCases.filter { order in
                guard order.letters.count == template.numbers.count else { return false }
                if template.elements.contains(.compactYearFirst) { return order == .yearFirst }
                if template.elements.contains(.compactYearLast) { return order != .yearFirst }
                // A number of four digits is the year.
                return !hasYear || zip(order.letters, written).allSatisfy { ($0 == "y") == ($1 == .year) }
            }
        }

        func isDay(_ numbers: [Int]) -> Bool {
            var month = 1, day = 0
            for (letter, number) in zip(letters, numbers) {
                if letter == "M" { month = number } else if letter == "d" { day = number }
            }
            return CivilDay(year: year(of: numbers), month: month, day: day) != nil
        }

        func year(of numbers: [Int]) -> Int {
            guard let place = letters.firstIndex(of: "y"), place < numbers.count else { return 0 }
            let year = numbers[place]
            return year < 100 ? year + (year < 69 ? 2000 : 1900) : year
        }
    }

    /// A pattern for each order of the numbers that may be meant. Several: no value shows which of them is the day. None: no
    /// order reads all values.
    var patterns: [DatePattern] {
        if fewestDigits.isEmpty { return [pattern(nil)].compactMap(\.self) }
        return plausibleOrders.compactMap { pattern($0) }
    }

    /// Fewer values show nothing of the years.
    private static let enoughValues = 10
    private static let mostYears = 10

    /// The trips of an export are of a few years. Days that are taken for years of two digits are spread over many.
    private var plausibleOrders: [Order] {
        let whole = orders.filter { order in
            zip(order.letters, fewestDigits).allSatisfy { $0 != "y" || $1 >= 2 }
        }
        func span(_ order: Order) -> Int { (lastYears[order] ?? 0) - (firstYears[order] ?? 0) }
        guard count >= Self.enoughValues, let least = whole.map(span).min(), least <= Self.mostYears else {
            return whole
        }
        return whole.filter { span($0) <= least + 2 }
    }

    /// Nil: no pattern can say how the values are written. They then count as values that are no date.
    private func pattern(_ order: Order?) -> DatePattern? {
        let letters = order?.letters ?? []
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
        do {
            return try DatePattern(parsing: text)
        } catch {
            return nil
        }
    }

    /// Whether its values have a date.
    var isOfDate: Bool { !fewestDigits.isEmpty }

    private var hasShortNumber: Bool { elements.contains(.short) }
}
