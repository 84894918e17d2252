/// What to write into a profile so that times of an unread form are read, by the shape of a value.
package enum TimeHint {
    /// - Parameters:
    ///   - shape: as `ValueShape` gives it.
    ///   - hasProfile: whether there is a profile to correct.
    package static func remedy(shape: String, hasProfile: Bool = false) -> String {
        let suggestion = "`tripkpi map suggest FILE --write profiles/NAME.yaml` writes a profile"
        return meaning(shape).map { hasProfile ? $0 : "\($0); \(suggestion)" }
            ?? "give their pattern below “dates:” in a profile; `tripkpi map suggest FILE --write profiles/NAME.yaml` finds the usual"
            + " ones; see docs/codes.md"
    }

    private static func meaning(_ shape: String) -> String? {
        let parts = shape.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard let first = parts.first, shape.contains("9") else { return nil }
        if parts.count == 1, let number = number(first) { return number }
        // What is read without a pattern needs none.
        if isISO(shape) {
            return
                "they are written as ISO 8601 and are no times of trips: days that the calendar does not have, or times of day with a day "
                + "such as 1899-12-30; for times of day, name the column that has their date below “dates:” in a profile, as "
                + "“date: COLUMN”"
        }
        if isClock(first) {
            return
                "they look like times of day: name the column that has their date below “dates:” in a profile, as “date: COLUMN”"
        }
        if let date = numericDate(first) {
            let time = time(parts.dropFirst())
            guard date.isYearLast else {
                return
                    "they look like dates: write “patterns: [\"\(date.monthFirst)\(time)\"]” below “dates:” in a profile"
            }
            return
                "they look like dates: write their pattern below “dates:” in a profile, “patterns: [\"\(date.monthFirst)\(time)\"]” if "
                + "the month comes first, “patterns: [\"\(date.dayFirst)\(time)\"]” if the day does; the order is not guessed"
        }
        let letters = shape.contains { $0 == "A" || $0 == "a" || $0 == "ä" }
        guard letters else { return nil }
        return
            "they look like dates with words: write their pattern below “dates:” in a profile, with MMM for the name of a month, EEE "
            + "for that of a day, a for AM or PM and z for a zone, such as “patterns: [\"d MMM yyyy h:mm a z\"]”; names that are not "
            + "English need “language: de” or another, and a zone that has several meanings “zones: {AST: \"-04:00\"}”"
    }

    /// What a plain number may be by how many digits it has.
    private static func number(_ text: String) -> String? {
        guard text.allSatisfy({ "9.,-+".contains($0) }) else { return nil }
        let whole = text.prefix { $0 == "9" || $0 == "-" || $0 == "+" }.filter { $0 == "9" }.count
        let groups = text.split { $0 == "." || $0 == "," }
        guard groups.count <= 2 else { return nil }
        switch whole {
        case 12 where groups.count == 1:
            return
                "they look like a count of time since 1970 in UTC, or like dates: write “patterns: [epoch]” or “patterns: [yyyyMMddHHmm]” "
                + "below “dates:” in a profile"
        case 9, 10: return "they look like seconds since 1970: write “patterns: [epoch]” below “dates:” in a profile"
        case 17, 18:
            return
                "they look like ten-millionths of a second since another year than 1970 (ticks), which are not read: have them exported "
                + "as dates"
        case 12, 13, 16, 19:
            return
                "they look like a count of time since 1970 in UTC: write “patterns: [epoch]” below “dates:” in a profile"
        case 5:
            return
                "they look like the days of a spreadsheet: write “patterns: [serial]” below “dates:” in a profile (serial-1904 where "
                + "it counts from 1904)"
        case 14 where groups.count == 1:
            return "they look like dates: write “patterns: [yyyyMMddHHmmss]” below “dates:” in a profile"
        case 3, 4,
            6 where groups.count == 1:
            return
                "they look like times of day: name the column that has their date below “dates:” in a profile, as “date: COLUMN”, with "
                + "“patterns: [\(whole == 6 ? "HHmmss" : "HHmm")]”"
        default: return nil
        }
    }

    /// Whether a shape is a date of ISO 8601, or a time with at most `Z` or an offset behind it.
    private static func isISO(_ shape: String) -> Bool {
        guard shape.hasPrefix("9999-99-99") else { return false }
        var rest = shape.dropFirst(10)
        guard let first = rest.popFirst() else { return true }
        if rest.last == "A" { rest.removeLast() }
        return " Aa".contains(first) && rest.hasPrefix("99:99") && rest.allSatisfy { "9:.,+-".contains($0) }
    }

    private static func isClock(_ text: String) -> Bool {
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        return (2...3).contains(groups.count) && (1...2).contains(groups[0].count) && groups[0].allSatisfy { $0 == "9" }
            && groups[1].count == 2
    }

    private static func numericDate(_ text: String) -> (monthFirst: String, dayFirst: String, isYearLast: Bool)? {
        let text = text.hasSuffix(",") ? String(text.dropLast()) : text
        for separator: Character in ["/", "-", "."] {
            let groups = text.split(separator: separator, omittingEmptySubsequences: false)
            guard groups.count == 3, groups.allSatisfy({ $0.allSatisfy { $0 == "9" } && (1...4).contains($0.count) })
            else {
                continue
            }
            func letters(_ letter: Character, _ group: Substring) -> String {
                String(repeating: letter, count: group.count)
            }
            let mark = String(separator)
            if groups[0].count == 4 {
                let pattern = [letters("y", groups[0]), letters("M", groups[1]), letters("d", groups[2])]
                return (pattern.joined(separator: mark), pattern.joined(separator: mark), false)
            }
            let year = letters("y", groups[2])
            let monthFirst = [letters("M", groups[0]), letters("d", groups[1]), year].joined(separator: mark)
            let dayFirst = [letters("d", groups[0]), letters("M", groups[1]), year].joined(separator: mark)
            return (monthFirst, dayFirst, true)
        }
        return nil
    }

    /// The rest of a pattern behind the date.
    private static func time(_ parts: ArraySlice<String>) -> String {
        guard let clock = parts.first, isClock(clock.prefix { $0 == "9" || $0 == ":" }.description) else { return "" }
        let words = parts.map { part in part.filter { $0 == "A" || $0 == "a" }.count }
        let hasPeriod = words.contains { (1...2).contains($0) }
        let groups = clock.prefix { $0 == "9" || $0 == ":" }.split(separator: ":")
        let hour = String(repeating: hasPeriod ? "h" : "H", count: groups[0].count)
        return " " + hour + ":mm" + (groups.count > 2 ? ":ss" : "") + (hasPeriod ? " a" : "")
            + (words.contains { $0 > 2 } ? " z" : "")
    }
}
