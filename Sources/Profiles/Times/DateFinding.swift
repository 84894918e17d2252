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

    /// What shows which number is the day.
    var orderSource = OrderSource.ownValues

    enum OrderSource: Equatable {
        case ownValues, otherForm, otherColumns
    }

    /// A form in which several orders of day, month and year read all values.
    struct Doubt: Equatable {
        let candidates: [DatePattern]

        /// The candidate in the order of patterns with the same character between day and month, if these have one order; else
        /// nil.
        func candidate(inOrderOf proven: [DatePattern]) -> DatePattern? {
            guard let first = candidates.first else { return nil }
            let orders = Set(
                proven.filter { $0.hasNumericDate && $0.dateSeparator == first.dateSeparator }.map(\.dateOrder))
            guard orders.count == 1, let order = orders.first else { return nil }
            return candidates.first { $0.dateOrder == order }
        }
    }

    static let none = DateFinding()

    /// Whether the values are times with a date, in a column of any name.
    var hasTime: Bool { kind == .times && !areNumbers }

    /// Whether order in time can be compared.
    var isTime: Bool { kind == .times }

    /// The forms that read the values; where the order is in doubt, in the first that may be meant.
    func forms(decimalMark: DecimalMark = .point) -> TimeForms {
        var zones: [String: Int] = [:]
        for zone in unknownZones { zones[zone] = 0 }
        return TimeForms(
            patterns + doubts.compactMap(\.candidates.first), names: CalendarNames(adding: languages),
            zones: ZoneAbbreviations(adding: zones), decimalMark: decimalMark, readsClocks: kind == .clocks)
    }

    /// What a person must check of the order of day and month; nil: the values of the form itself show it.
    var orderDoubt: String? {
        switch orderSource {
        case .ownValues: nil
        case .otherForm: "only values in another form show which number is the day"
        case .otherColumns: "only other columns show which number is the day"
        }
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
        parts += doubts.map { $0.candidates.map(\.text).joined(separator: " or ") }
        return parts.joined(separator: ", ")
    }

    private static let enoughTimes = 20

    /// Whether many times of many hours are all from 1:00 to 12:59, and none has AM or PM.
    func isOfTwelveHours(_ values: [String]) -> Bool {
        let forms = forms()
        guard kind == .clocks || kind == .times, !forms.readsDayPeriods, values.count >= Self.enoughTimes else {
            return false
        }
        var hours: Set<Int> = []
        for value in values {
            switch forms.reading(value) {
            case .time(let time), .clock(let time):
                guard time.offsetSeconds == nil else { return false }
                let second = time.localSeconds - time.localSeconds.dividedDown(by: 86_400) * 86_400
                guard (3600..<13 * 3600).contains(second) else { return false }
                hours.insert(second / 3600)
            case .placeholder, .bad: continue
            }
        }
        return hours.count >= 6
    }
}
