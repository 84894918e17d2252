internal import Trips

/// Finds the date patterns that read all values of a column.
enum DateDetection {
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

    /// Looks at values that are not blank. A pattern must read every one of them but for slips: values that are no date
    /// in any way of writing, at most one in twenty.
    static func finding(_ values: [String]) -> Finding {
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

    /// What is in doubt of one column is read as the other columns of the file are proven to be written: all of them with the
    /// month first, or all with the day first.
    static func settled(_ findings: [Finding]) -> [Finding] {
        let proven = findings.compactMap { finding -> Bool? in
            guard case .pattern(let pattern) = finding, pattern.pieces.first?.isDayOrMonth == true else { return nil }
            return pattern.isMonthFirst
        }
        guard let isMonthFirst = proven.first, proven.allSatisfy({ $0 == isMonthFirst }) else { return findings }
        return findings.map { finding in
            guard case .ambiguous(let monthFirst, let dayFirst) = finding else { return finding }
            return .pattern(isMonthFirst ? monthFirst : dayFirst)
        }
    }

    private static let slipDivisor = 20

    private static func isReadable(_ text: String) -> Bool {
        isISO(text) != nil || candidates.contains { $0.read(text) != nil }
    }

    private static func findingForAll(_ values: [String]) -> Finding {
        guard let first = values.first, values.allSatisfy({ TextShape.digitCount($0) >= 4 }) else { return .none }
        if values.allSatisfy({ isISO($0) != nil }) {
            return .iso(hasTime: values.allSatisfy { isISO($0) == true })
        }
        let fits = candidates.filter { pattern in
            pattern.read(first) != nil && values.allSatisfy { pattern.read($0) != nil }
        }
        guard let best = fits.first(where: { isProven($0, by: values) }) ?? fits.last else { return .none }
        guard let swapped = fits.first(where: { $0.swapsDayAndMonth(of: best) }) else { return .pattern(best) }
        return best.isMonthFirst
            ? .ambiguous(monthFirst: best, dayFirst: swapped) : .ambiguous(monthFirst: swapped, dayFirst: best)
    }

    /// Whether a text is ISO 8601: true with a time, false for a date alone, nil if it is not.
    static func isISO(_ text: String) -> Bool? {
        let text = text.trimmingBlanks()
        guard text.utf8.count >= 10, CivilDay(text.prefix(10)) != nil else { return nil }
        let rest = text.dropFirst(10)
        if rest.isEmpty { return false }
        let time = /[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]*)?)?(?:[-+Zz]([0-9:]*))?/
        guard let (_, hour, minute, second, offset) = rest.wholeMatch(of: time)?.output,
            hour < "24", minute < "60", second ?? "" < "60",
            [0, 2, 4].contains(offset?.filter { $0 != ":" }.count ?? 0)
        else { return nil }
        return true
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
