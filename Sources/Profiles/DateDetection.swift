package import Basics
import Trips

/// Finds the date patterns that read all values of a column.
package enum DateDetection {
    enum Finding: Equatable {
        /// Not all values are dates of one kind.
        case none
        /// ISO 8601, which needs no pattern.
        case iso(hasTime: Bool)
        case pattern(DatePattern)
        /// Both read all values: which number is the day is not known.
        case ambiguous(monthFirst: DatePattern, dayFirst: DatePattern)

        var hasTime: Bool {
            switch self {
            case .none: false
            case .iso(let hasTime): hasTime
            case .pattern(let pattern), .ambiguous(let pattern, _): pattern.hasTime
            }
        }
    }

    /// Takes values that are not blank. A pattern must read every one of them but for slips: values that are no date
    /// in any way of writing, at most one in twenty. Texts that stand for no value, such as `N/A`, do not count.
    static func finding(_ values: [String]) -> Finding {
        let values = values.filter { !isFiller($0) }
        let finding = findingForAll(values)
        guard finding == .none, values.count >= slipDivisor else { return finding }
        let isMostlyReadable = { (values: ArraySlice<String>) in
            let readable = values.filter(isReadable)
            return readable.count * slipDivisor >= values.count * (slipDivisor - 1) ? readable : nil
        }
        // A few values first: most columns hold no dates at all.
        guard isMostlyReadable(values.prefix(2 * slipDivisor)) != nil, let readable = isMostlyReadable(values[...])
        else { return .none }
        return findingForAll(readable)
    }

    /// What is in doubt of one column is read as other columns of the file with the same separator are proven to be written:
    /// all of them with the month first, or all with the day first. A person must check it.
    ///
    /// - Returns: the findings, and the places of those that other columns decided.
    static func settled(_ findings: [Finding]) -> (findings: [Finding], byOthers: Set<Int>) {
        var isMonthFirst: [UInt8: Set<Bool>] = [:]
        for case .pattern(let pattern) in findings where pattern.pieces.first?.isDayOrMonth == true {
            if let separator = pattern.dateSeparator {
                isMonthFirst[separator, default: []].insert(pattern.isMonthFirst)
            }
        }
        var settled = findings
        var byOthers: Set<Int> = []
        for (index, finding) in findings.enumerated() {
            guard case .ambiguous(let monthFirst, let dayFirst) = finding, let separator = monthFirst.dateSeparator,
                let orders = isMonthFirst[separator], orders.count == 1, let order = orders.first
            else { continue }
            settled[index] = .pattern(order ? monthFirst : dayFirst)
            byOthers.insert(index)
        }
        return (settled, byOthers)
    }

    /// Whether a text means that there is no date: no letter or digit, no digit but 0 (`0000-00-00`), or words for "nothing".
    static func isFiller(_ text: String) -> Bool {
        guard text.utf8.count <= 24, let first = text.utf8.first, !(0x31...0x39).contains(first) else { return false }
        let marks = text.utf8.filter { !TextShape.isDigit($0) }
        if marks.count < text.utf8.count { return text.utf8.allSatisfy { $0 == 0x30 || fillerMarks.contains($0) } }
        let letters = marks.filter { (0x61...0x7A).contains($0 | 0x20) }
        guard letters.count < 12, marks.allSatisfy({ $0 < 0x80 }) else { return false }
        return letters.isEmpty || fillers.contains(String(decoding: letters, as: UTF8.self).lowercased())
    }

    private static let fillerMarks = Set("-/:. T".utf8)
    private static let fillers: Set<String> = ["na", "nan", "nil", "none", "null", "unk", "unknown", "tbd", "blank"]

    private static let slipDivisor = 20

    private static func isReadable(_ text: String) -> Bool {
        iso(text) != nil || (mayBeDate(text) && candidates.contains { $0.read(text) != nil })
    }

    /// Whether a text begins with a digit, and has the separators of a date twice or eight digits: no pattern reads any other.
    private static func mayBeDate(_ text: String) -> Bool {
        guard let first = text.utf8.first, TextShape.isDigit(first) else { return false }
        let separators = text.utf8.filter { $0 == 0x2F || $0 == 0x2D || $0 == 0x2E }
        return separators.count >= 2 || (text.utf8.count >= 8 && text.utf8.prefix(8).allSatisfy(TextShape.isDigit))
    }

    private static func findingForAll(_ values: [String]) -> Finding {
        guard let first = values.first, values.allSatisfy({ TextShape.digitCount($0) >= 4 }) else { return .none }
        if let first = iso(first) {
            var haveTime = first.secondOfDay != nil
            let areISO = values.allSatisfy { value in
                guard let date = iso(value) else { return false }
                haveTime = haveTime && date.secondOfDay != nil
                return true
            }
            if areISO { return .iso(hasTime: haveTime) }
        }
        guard mayBeDate(first) else { return .none }
        let fits = candidates.filter { pattern in
            pattern.read(first) != nil && values.allSatisfy { pattern.read($0) != nil }
        }
        guard let best = fits.first(where: { isProven($0, by: values) }) ?? fits.last else { return .none }
        guard let swapped = fits.first(where: { $0.swapsDayAndMonth(of: best) }) else { return .pattern(best) }
        return best.isMonthFirst
            ? .ambiguous(monthFirst: best, dayFirst: swapped) : .ambiguous(monthFirst: swapped, dayFirst: best)
    }

    /// Whether a time in ISO 8601 states its offset: `Z` or a sign after the time.
    package static func hasOffset(_ text: String) -> Bool {
        guard iso(text)?.secondOfDay != nil else { return false }
        let afterDate = text.trimmingBlanks().utf8.dropFirst(11)
        return afterDate.contains { $0 == 0x2B || $0 == 0x2D || $0 | 0x20 == 0x7A }
    }

    /// The date and time of a text in ISO 8601, in the clock it is written in; nil if it is not. `secondOfDay` is nil for a date
    /// alone.
    package static func iso(_ text: String) -> (day: CivilDay, secondOfDay: Int?)? {
        var bytes = text.utf8[...]
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        guard let year = number(&bytes, 4), bytes.popFirst() == 0x2D, let month = number(&bytes, 2),
            bytes.popFirst() == 0x2D, let dayOfMonth = number(&bytes, 2),
            let day = CivilDay(year: year, month: month, day: dayOfMonth)
        else { return nil }
        guard let mark = bytes.popFirst() else { return (day, nil) }
        guard mark | 0x20 == 0x74 || mark == 0x20, let hour = number(&bytes, 2), hour < 24, bytes.popFirst() == 0x3A,
            let minute = number(&bytes, 2), minute < 60
        else { return nil }
        var second = 0
        if bytes.first == 0x3A {
            bytes.removeFirst()
            guard let seconds = number(&bytes, 2), seconds < 60 else { return nil }
            second = seconds
            if bytes.first == 0x2E || bytes.first == 0x2C { bytes = bytes.dropFirst().drop(while: TextShape.isDigit) }
        }
        guard isOffset(bytes) else { return nil }
        return (day, hour * 3600 + minute * 60 + second)
    }

    /// Takes exactly so many digits.
    private static func number(_ bytes: inout Substring.UTF8View, _ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let byte = bytes.popFirst(), TextShape.isDigit(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    /// Nothing, `Z`, or a sign with hours or hours and minutes.
    private static func isOffset(_ bytes: Substring.UTF8View) -> Bool {
        guard let mark = bytes.first else { return true }
        let rest = bytes.dropFirst()
        let digits = rest.count(where: TextShape.isDigit)
        return (mark == 0x2B || mark == 0x2D || mark | 0x20 == 0x7A)
            && rest.allSatisfy { TextShape.isDigit($0) || $0 == 0x3A }
            && [0, 2, 4].contains(digits)
    }

    /// Whether the values show leading zeros where the pattern wants two digits; a pattern that takes one or two
    /// digits needs no proof.
    private static func isProven(_ pattern: DatePattern, by values: [String]) -> Bool {
        let wantsTwo = pattern.pieces.contains { $0.isDayOrMonth && $0.digits == 2 }
        return !wantsTwo || values.contains { $0.hasPrefix("0") || $0.contains("/0") || $0.contains("-0") }
            || values.contains { $0.contains(".0") } || pattern.pieces.first == .year4
    }

    /// Patterns with two digits first; of the rest the more usual come first.
    private static let candidates: [DatePattern] = {
        let times = [
            "", " HH:mm:ss", " HH:mm", " hh:mm:ss a", " hh:mm a", " H:mm:ss", " H:mm", " h:mm:ss a", " h:mm a",
            " hh:mm:ssa", " hh:mma", "'T'HH:mm:ss", "'T'HH:mm", ", HH:mm", ", h:mm a", " HHmm",
        ]
        var dates: [String] = []
        for separator in ["/", "-", "."] {
            for year in ["yyyy", "yy"] {
                for parts in [["MM", "dd", year], ["dd", "MM", year], ["M", "d", year], ["d", "M", year]] {
                    dates.append(parts.joined(separator: separator))
                }
            }
            dates.append(["yyyy", "MM", "dd"].joined(separator: separator))
            dates.append(["yyyy", "M", "d"].joined(separator: separator))
        }
        dates.append("yyyyMMdd")
        return dates.flatMap { date in times.compactMap { try? DatePattern(parsing: date + $0) } }
    }()
}
