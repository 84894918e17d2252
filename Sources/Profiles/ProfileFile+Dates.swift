internal import StrictYAML
internal import Trips

extension ProfileReader {
    /// The fields that hold a date or a time.
    static let dateFields: [CanonicalField] =
        TripEvent.allCases.map(\.field) + [.serviceDate, .appointmentAt, .updatedAt, .patientDOB]

    /// `patterns`, `fields`, `date`, `zone`, `language` and `zones`.
    mutating func readDates(_ value: YAMLValue) {
        let keys = log.mapping(value, allowed: ["patterns", "fields", "date", "zone", "language", "zones"])
        if let date = keys.optional("date") { readDateSource(date) }
        if let languages = keys.optional("language") { readLanguages(languages) }
        for entry in keys.optional("zones").map(log.entries) ?? [] {
            guard let (name, offset) = log.attempt(try Self.zoneOffset(entry)) else { continue }
            profile.zoneOffsets[name] = offset
        }
        if let patterns = keys.optional("patterns") { profile.datePatterns = datePatterns(patterns) }
        for entry in keys.optional("fields").map(log.entries) ?? [] {
            guard let field = field(entry, among: Self.dateFields) else { continue }
            profile.datePatternsByField[field] = datePatterns(entry.value)
            // The column of the date of other times is read as this field too.
            if profile.columns[field] == nil, field != .serviceDate || !hasDateColumns {
                log.add(
                    entry.keyPlace.error(
                        "\(field.rawValue) has a date pattern and no column",
                        hint: "add it to “columns:”, or remove it here"))
            }
        }
        profile.zone = log.attempt(try keys.optional("zone").map(zone))
    }

    /// Whether times of day have their date in another column.
    private var hasDateColumns: Bool { profile.dateSource != nil || !profile.dateColumns.isEmpty }

    private mutating func readLanguages(_ value: YAMLValue) {
        guard let codes = log.attempt(try value.strings()) else { return }
        let known = CalendarNames.knownLanguages
        for (index, code) in codes.enumerated() where code != "en" {
            if known.contains(code) {
                profile.languages.append(code)
            } else {
                log.add(value.place(ofElement: index).unknown("language", code, among: known))
            }
        }
    }

    /// `EST: "-05:00"`.
    private static func zoneOffset(_ entry: YAMLValue.Entry) throws(ConfigurationError) -> (String, Int)? {
        guard entry.key.wholeMatch(of: /[A-Za-z]{1,8}/) != nil else {
            throw entry.keyPlace.error(
                "“\(entry.key)” is no abbreviation of a zone", hint: "write up to 8 letters, such as AST")
        }
        let text = try entry.value.string()
        guard let match = text.wholeMatch(of: /([+-])([0-9]{2}):?([0-9]{2})/), let hours = Int(match.output.2),
            let minutes = Int(match.output.3), hours <= 18, minutes < 60
        else {
            throw entry.value.error(
                "the zone \(entry.key) has no offset", hint: "write it in quotes, with its sign: \"-04:00\"")
        }
        return (entry.key, (match.output.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
    }

    private func zone(_ value: YAMLValue) throws(ConfigurationError) -> String {
        let text = try value.string()
        guard isKnownZone(text) else { throw value.error("unknown time zone “\(text)”", hint: Self.zoneHint) }
        return text
    }

    private static let clockHint =
        "give them, such as MM/dd/yyyy hh:mm:ss a; if another column has the date, name it: “dates: {date: COLUMN}”"

    static let zoneHint = "use an IANA name such as America/New_York (abbreviations such as EST are not zones)"

    private func datePatterns(_ value: YAMLValue) -> [DatePattern] {
        var patterns: [DatePattern] = []
        let texts = log.attempt(try value.strings()) ?? []
        for (index, text) in texts.enumerated() {
            let place = value.place(ofElement: index)
            let pattern: DatePattern
            do throws(DatePatternError) {
                pattern = try DatePattern(parsing: text)
            } catch {
                log.add(place.error(error.message, hint: error.hint))
                continue
            }
            if pattern.isClock, !hasDateColumns {
                log.add(
                    place.error(
                        "the date pattern “\(text)” has no year, month and day", hint: Self.clockHint))
            } else if pattern.isISOWithDayFirst {
                log.add(
                    place.error(
                        "“\(text)” has the day before the month, and 2025-03-04 is always read as ISO 8601 writes it",
                        hint: "have the source write the month first"))
            } else if let other = patterns.first(where: { $0.isUnclearBeside(pattern) }) {
                log.add(
                    place.error(
                        "one text fits “\(text)” and “\(other.text)”, which read it as different dates or times",
                        hint:
                            "keep the one that the source writes; if two columns differ, give each its own list below “fields:”"
                    ))
            } else {
                patterns.append(pattern)
            }
        }
        return patterns
    }

    /// A column, or columns for `year`, `month` and `day`, or a column for each of some fields.
    private mutating func readDateSource(_ value: YAMLValue) {
        guard case .mapping = value.content else {
            profile.dateSource = log.attempt(try Self.columnName(value)).map { .column($0) }
            return
        }
        let entries = log.entries(value)
        let parts = ["year", "month", "day"]
        guard entries.contains(where: { parts.contains($0.key) }) else {
            for entry in entries {
                guard let field = field(entry, among: TripEvent.allCases.map(\.field)) else { continue }
                profile.dateColumns[field] = log.attempt(try Self.columnName(entry.value))
            }
            return
        }
        let keys = log.mapping(value, allowed: parts)
        let year = log.attempt(try Self.columnName(try keys.required("year")))
        let month = log.attempt(try Self.columnName(try keys.required("month")))
        let day = log.attempt(try Self.columnName(try keys.required("day")))
        guard let year, let month, let day else { return }
        profile.dateSource = .parts(year: year, month: month, day: day)
    }

    private static func columnName(_ value: YAMLValue) throws(ConfigurationError) -> String {
        let name = try value.string()
        if name.trimmingBlanks().isEmpty {
            throw value.error("a column name is blank", hint: "write the name as in the header")
        }
        return name
    }

    /// `duration: [unit_notified_at, arrived_at]`, or `response: {column: response_seconds, unit: seconds}`.
    mutating func readIntervals(_ value: YAMLValue) {
        for entry in log.entries(value) {
            guard let interval = TripInterval.allCases.first(where: { $0.name == entry.key }) else {
                log.add(entry.keyPlace.unknown("interval", entry.key, among: TripInterval.allCases.map(\.name)))
                continue
            }
            if case .mapping = entry.value.content {
                profile.statedIntervals[interval] = statedInterval(entry.value)
            } else {
                profile.intervalPairs[interval] = log.attempt(try Self.pair(entry.value))
            }
        }
    }

    private func statedInterval(_ value: YAMLValue) -> StatedInterval? {
        let keys = log.mapping(value, allowed: ["column", "unit"])
        let column = log.attempt(try Self.columnName(try keys.required("column")))
        let unit: StatedInterval.Unit? = log.attempt(try keys.required("unit").choice("unit of an interval"))
        guard let column, let unit else { return nil }
        return StatedInterval(column: column, unit: unit)
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
