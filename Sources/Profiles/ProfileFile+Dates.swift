import StrictYAML
import Trips

extension ProfileReader {
    /// The fields that hold a date or a time.
    static let dateFields: [CanonicalField] =
        TripEvent.allCases.map(\.field) + [.serviceDate, .appointmentAt, .updatedAt, .patientDOB]

    /// `patterns`, `fields` and `zone`.
    mutating func readDates(_ value: YAMLValue) {
        let keys = mapping(value, allowed: ["patterns", "fields", "zone"])
        if let patterns = keys["patterns"] { profile.datePatterns = readPatterns(patterns) }
        if let fields = keys["fields"] {
            for entry in entries(fields) {
                guard let field = field(entry, among: Self.dateFields) else { continue }
                profile.datePatternsByField[field] = readPatterns(entry.value)
                if profile.columns[field] == nil {
                    errors.append(
                        entry.keyPlace.error(
                            "\(field.rawValue) has a date pattern and no column",
                            hint: "add it to “columns:”, or remove it here"))
                }
            }
        }
        if let zone = keys["zone"] {
            attempt { reader throws(ConfigurationError) in reader.profile.zone = try reader.zone(zone) }
        }
    }

    /// An IANA zone that exists.
    func zone(_ value: YAMLValue) throws(ConfigurationError) -> String {
        let text = try value.string()
        guard surroundings.isKnownZone(text) else {
            throw value.error("unknown time zone “\(text)”", hint: Self.zoneHint)
        }
        return text
    }

    static let zoneHint = "use an IANA name such as America/New_York (abbreviations such as EST are not zones)"

    private mutating func readPatterns(_ value: YAMLValue) -> [DatePattern] {
        var patterns: [DatePattern] = []
        attempt { reader throws(ConfigurationError) in
            for (index, text) in try value.strings().enumerated() {
                let place = value.place(ofElement: index)
                reader.attempt { _ throws(ConfigurationError) in
                    let pattern = try Self.pattern(text, at: place)
                    if let other = patterns.first(where: { $0.swapsDayAndMonth(of: pattern) }) {
                        throw place.error(
                            "“\(text)” and “\(other.text)” differ only in the order of day and month: 03/04 would be"
                                + " read by whichever comes first", hint: "keep the one the source writes")
                    }
                    patterns.append(pattern)
                }
            }
        }
        return patterns
    }

    private static func pattern(_ text: String, at place: YAMLValue.Place) throws(ConfigurationError) -> DatePattern {
        do {
            return try DatePattern(parsing: text)
        } catch {
            throw place.error(error.message, hint: error.hint)
        }
    }

    /// `duration: [unit_notified_at, arrived_at]`.
    mutating func readIntervals(_ value: YAMLValue) {
        let names = TripInterval.allCases.map(\.name)
        for entry in entries(value) {
            guard let interval = TripInterval.allCases.first(where: { $0.name == entry.key }) else {
                let hint = Spelling.hint(for: entry.key, among: names)
                errors.append(entry.keyPlace.error("unknown interval “\(entry.key)”", hint: hint))
                continue
            }
            attempt { reader throws(ConfigurationError) in
                reader.profile.intervalPairs[interval] = try Self.pair(entry.value)
            }
        }
    }

    private static func pair(_ value: YAMLValue) throws(ConfigurationError) -> EventPair {
        let ends = try value.list()
        guard ends.count == 2 else {
            throw value.error("an interval has two ends", hint: "write [unit_notified_at, completed_at]")
        }
        let start = try event(ends[0]), end = try event(ends[1])
        guard start.rawValue < end.rawValue else {
            throw value.error(
                "\(start.field.rawValue) does not come before \(end.field.rawValue)",
                hint: "put the earlier event first")
        }
        return EventPair(start, end)
    }

    private static func event(_ value: YAMLValue) throws(ConfigurationError) -> TripEvent {
        let text = try value.string()
        if let event = TripEvent.allCases.first(where: { $0.field.rawValue == text }) { return event }
        let names = TripEvent.allCases.map(\.field.rawValue)
        throw value.error("“\(text)” is not a timed event", hint: Spelling.hint(for: text, among: names))
    }
}

extension DatePattern {
    /// Whether both read the same texts, one taking for the day what the other takes for the month.
    func swapsDayAndMonth(of other: DatePattern) -> Bool {
        let mine = pieces.filter(\.isDayOrMonth).map(\.partName)
        let others = other.pieces.filter(\.isDayOrMonth).map(\.partName)
        return mine != others && pieces.map(\.withoutDayAndMonth) == other.pieces.map(\.withoutDayAndMonth)
    }
}

extension DatePattern.Piece {
    var isDayOrMonth: Bool { partName == "day" || partName == "month" }

    /// The piece with day and month as one thing, and without regard to leading zeros.
    fileprivate var withoutDayAndMonth: DatePattern.Piece {
        switch self {
        case .day, .month: .month(digits: 1)
        case .hour24: .hour24(digits: 1)
        case .hour12: .hour12(digits: 1)
        case .minute: .minute(digits: 1)
        case .second: .second(digits: 1)
        case .year4, .year2, .dayPeriod, .literal: self
        }
    }
}
