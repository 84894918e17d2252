/// What the values of a column are: dates, times, times of day, and how they are written.
struct DateFinding: Equatable {
    enum Kind {
        case none, dates, times, clocks
    }

    var kind = Kind.none
    /// Whether some values are ISO 8601 (or `/Date(…)/`), which needs no pattern.
    var hasISO = false
    /// What the other values need, the most frequent form first.
    var patterns: [DatePattern] = []
    /// Forms of which no value shows which number is the day.
    var doubts: [Doubt] = []
    /// Whether the values are plain numbers, which are times only in a column whose name says so.
    var areNumbers = false
    /// The languages beside English that names of months need.
    var languages: [String] = []
    /// Abbreviations of zones without a meaning. Only those of `ZoneAbbreviations.ambiguous` may be shown.
    var unknownZones: Set<String> = []
    /// Whether some values have the day first and others the month.
    var isMixedOrder = false

    struct Doubt: Equatable {
        let monthFirst: DatePattern
        let dayFirst: DatePattern
    }

    static let none = DateFinding()

    /// Whether the values are times with a date, in a column of any name.
    var hasTime: Bool { kind == .times && !areNumbers }

    /// Whether order in time can be compared.
    var isTime: Bool { kind == .times }

    /// The forms that read the values; where day and month are in doubt, with the month first.
    func forms(decimalMark: DecimalMark = .point) -> TimeForms {
        var zones: [String: Int] = [:]
        for zone in unknownZones { zones[zone] = 0 }
        return TimeForms(
            patterns + doubts.map(\.monthFirst), names: CalendarNames(adding: languages),
            zones: ZoneAbbreviations(adding: zones), decimalMark: decimalMark, readsClocks: kind == .clocks)
    }

    /// How the values look, for a comment.
    var look: String {
        var parts = hasISO ? ["ISO 8601"] : []
        parts += patterns.map { pattern in
            switch pattern.number {
            case .epoch?: "seconds since 1970, or thousandths of them (epoch)"
            case .serial?, .serial1904?: "days of a spreadsheet (serial)"
            default: pattern.text
            }
        }
        parts += doubts.map { "\($0.monthFirst.text) or \($0.dayFirst.text)" }
        return parts.joined(separator: ", ")
    }
}
