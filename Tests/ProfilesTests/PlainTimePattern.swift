import Foundation

/// The plain reference of `TimeForms`: a pattern as a regular expression, and the rules of dates one by one.
struct PlainTimePattern {
    /// What a value is by a pattern.
    enum Answer: Equatable {
        case time(Reading)
        case clock(Reading)
        case bad
        /// The days that systems write where there is no date have rules and tests of their own.
        case dayOfNoDate
    }

    struct Reading: Equatable {
        var localSeconds: Int
        var offsetSeconds: Int?
        var microseconds: Int
        var hasTime: Bool
        var isEndOfDay: Bool
    }

    static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let zones = [
        "utc": 0, "gmt": 0, "z": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
        "pst": -8,
        "pdt": -7, "akst": -9, "akdt": -8, "hst": -10, "hdt": -9,
    ]
    private static let blank = "[ \\t\\u00A0\\u2000-\\u200A\\u202F]"

    private let expression: NSRegularExpression
    /// Of each group of the expression: the letter of the pattern.
    private var groups: [Character] = []
    private let hasTime: Bool
    private let isDated: Bool

    /// The runs of a letter, and other characters as runs of 0.
    static func runs(of pattern: String) -> [(letter: Character, run: Int)] {
        var runs: [(letter: Character, run: Int)] = [], isQuoted = false
        for character in pattern {
            if character == "'" {
                isQuoted.toggle()
            } else if isQuoted || !character.isLetter {
                runs.append((character, 0))
            } else if let last = runs.last, last.letter == character, last.run > 0 {
                runs[runs.count - 1].run += 1
            } else {
                runs.append((character, 1))
            }
        }
        return runs
    }

    init(_ pattern: String) throws {
        var text = "", groups: [Character] = []
        let runs = Self.runs(of: pattern)
        let blank = Self.blank
        for (place, (letter, run)) in runs.enumerated() {
            let next = place + 1 < runs.count ? runs[place + 1] : (letter: "-", run: 0)
            let isBeforeDot = next.letter == "."
            guard run > 0 || letter == " " else {
                text += NSRegularExpression.escapedPattern(for: String(letter))
                continue
            }
            switch letter {
            case "y": text += run == 2 ? "(\\d{2})" : "(\\d{4})"
            case "M" where run > 2, "E": text += "([A-Za-z]++)" + (isBeforeDot ? "" : "\\.?+")
            case "M", "d", "H", "h", "m", "s": text += run == 2 ? "(\\d{2})" : "(\\d{1,2}+)"
            case "S": text += "(\\d++)"
            case "a": text += "\(blank)*+([aApP])(?>\\.?\(blank)*+[mM]\\.?+|\\.?+)(?![A-Za-z])"
            case "z", "Z", "x":
                let minutes = "(?>(?=[:\\d]):?+\\d{2}|(?![:\\d]))"
                let short = "[+-](?>\\d{2}\(minutes)|\\d\\d{2}(?!\\d)|\\d(?!\\d)\(minutes))"
                let remark = "(?>\(blank)*+\\([^)]*+\\)|(?!\(blank)*+\\())"
                text += "\(blank)*+((?>[+-]\\d{2}\(minutes)|[A-Za-z]++(?>(?=[+-])\(short)|(?![+-]))))\(remark)"
            case " ":
                // Blanks before AM and PM, and before a zone, need not be there.
                if next.letter == " " { continue }
                text += blank + (next.run > 0 && "azZx".contains(next.letter) ? "*+" : "++")
                continue
            default: continue
            }
            groups.append(letter == "M" && run > 2 ? "N" : letter == "y" && run == 2 ? "Y" : letter)
        }
        expression = try NSRegularExpression(pattern: "\\A" + text + "\\z")
        self.groups = groups
        hasTime = groups.contains { $0 == "H" || $0 == "h" }
        isDated = groups.contains { $0 == "y" || $0 == "Y" }
    }

    func answer(_ text: String, readsClocks: Bool) -> Answer {
        let whole = NSRange(text.startIndex..., in: text)
        guard let match = expression.firstMatch(in: text, range: whole) else { return .bad }
        var numbers: [Character: Int] = [:], isAfternoon: Bool?, offset: Int?, microseconds = 0
        for (place, letter) in groups.enumerated() {
            guard let range = Range(match.range(at: place + 1), in: text) else { return .bad }
            let part = text[range].lowercased()
            switch letter {
            case "N":
                let found = Self.months.indices.filter { Self.months[$0].hasPrefix(part) }
                guard part.count >= 3, found.count == 1 else { return .bad }
                numbers["M"] = found[0] + 1
            case "E": guard part.count >= 2, Self.weekdays.contains(where: { $0.hasPrefix(part) }) else { return .bad }
            case "Y": numbers["y"] = Int(part).map { $0 + ($0 < 69 ? 2000 : 1900) }
            case "S": microseconds = Int((part + "000000").prefix(6)) ?? 0
            case "a": isAfternoon = part == "p"
            case "z", "Z", "x":
                guard let found = Self.offset(part) else { return .bad }
                offset = found
            default: numbers[letter] = Int(part)
            }
        }
        var hour = numbers["H"] ?? numbers["h"] ?? 0
        if let isAfternoon {
            guard hour < 24, hour <= 12 || isAfternoon, hour > 0 || !isAfternoon else { return .bad }
            hour = hour > 12 ? hour : hour % 12 + (isAfternoon ? 12 : 0)
        }
        let minute = numbers["m"] ?? 0, second = numbers["s"] ?? 0
        guard hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second <= 60 else { return .bad }
        let ofDay = hour * 3600 + minute * 60 + second
        var reading = Reading(
            localSeconds: ofDay, offsetSeconds: offset, microseconds: microseconds, hasTime: hasTime,
            isEndOfDay: ofDay == 86_400)
        guard isDated else { return readsClocks ? .clock(reading) : .bad }
        guard let year = numbers["y"], let month = numbers["M"], let day = numbers["d"] else { return .bad }
        if Self.isDayOfNoDate(year, month, day) { return .dayOfNoDate }
        guard (1901...2198).contains(year), let days = Self.days(year, month, day) else { return .bad }
        reading.localSeconds += days * 86_400
        return .time(reading)
    }

    /// Seconds east of UTC of `EST`, `+05:30` or `GMT-3`.
    private static func offset(_ text: String) -> Int? {
        let word = text.prefix { $0.isLetter }, rest = text.dropFirst(word.count)
        var hours = 0
        if !word.isEmpty {
            guard let known = zones[String(word)] else { return nil }
            hours = known
        }
        guard let sign = rest.first else { return hours * 3600 }
        guard hours == 0 else { return nil }
        let digits = rest.filter(\.isNumber)
        // Two of hours and two of minutes; of an odd number the first alone is hours.
        let split = digits.count % 2 == 0 ? 2 : 1
        guard let hour = Int(digits.prefix(split)), hour <= 18 else { return nil }
        let minute = Int(digits.dropFirst(split)) ?? 0
        guard minute < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hour * 3600 + minute * 60)
    }

    private static func isDayOfNoDate(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        [
            [0, 0, 0], [1, 1, 1], [1753, 1, 1], [1899, 12, 30], [1899, 12, 31], [1900, 1, 0], [1900, 1, 1],
            [1969, 12, 31],
            [1970, 1, 1], [2000, 1, 1], [2079, 6, 6],
        ].contains([year, month, day]) || year == 9999
    }

    /// Days since 1970, counted year by year.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
        var days = lengths[..<(month - 1)].reduce(0, +) + day - 1
        for other in min(year, 1970)..<max(year, 1970) { days += (isLeap(other) ? 366 : 365) * (year < 1970 ? -1 : 1) }
        return days
    }
}
