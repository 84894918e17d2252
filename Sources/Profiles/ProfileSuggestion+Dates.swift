internal import Trips

// The lines of a proposed profile about dates and times.
extension ProfileSuggestion {
    /// Patterns that may be in one list, and those that some field needs for itself: texts of both would fit them.
    private struct PatternLists {
        var general: [DatePattern] = []
        var byField: [(field: CanonicalField, patterns: [DatePattern])] = []

        mutating func add(_ patterns: [DatePattern], of field: CanonicalField) {
            let new = patterns.filter { !general.contains($0) }
            let conflict = new.contains { pattern in
                general.contains { $0.parts != pattern.parts && PatternOverlap.overlap($0, pattern) }
            }
            if conflict { byField.append((field, patterns)) } else { general += new }
        }
    }

    /// The columns that are proposed for dates and times, with the fields whose patterns read them. The date of times of day is
    /// read as `service_date`.
    private var dateColumns: [(field: CanonicalField, column: Column)] {
        let dates = clockDates?.wholeDates ?? []
        return columns.indices.compactMap { index in
            let column = columns[index]
            if column.isProposed, column.isDate, let field = column.field { return (field, column) }
            return dates.contains(index) ? (.serviceDate, column) : nil
        }
    }

    /// The patterns of each field, in the order of the columns.
    private var patternsByField: [(field: CanonicalField, patterns: [DatePattern])] {
        var found: [(field: CanonicalField, patterns: [DatePattern])] = []
        for (field, column) in dateColumns {
            let place = found.firstIndex { $0.field == field } ?? found.endIndex
            if place == found.endIndex { found.append((field, [])) }
            found[place].patterns += column.dates.patterns.filter { !found[place].patterns.contains($0) }
        }
        return found
    }

    /// What a person must settle before dates and times can be read.
    var dateProblems: [String] {
        let dates = dateColumns.map(\.column.dates)
        var problems: [String] = []
        if dates.contains(where: { !$0.doubts.isEmpty }) {
            problems.append(
                "day and month cannot be distinguished, no value shows which number is the day: give the pattern of the right order "
                    + "below “dates:”")
        }
        let isUnclear = patternsByField.contains { entry in
            entry.patterns.contains { first in entry.patterns.contains { first.isUnclearBeside($0) } }
        }
        if isUnclear {
            problems.append(
                "the columns of the dates of times of day have day and month in different orders: have them exported in one order"
            )
        }
        return problems + Self.zoneProblems(dates)
    }

    var dateLines: [String] {
        var lists = PatternLists()
        var doubts: [DateFinding.Doubt] = []
        var languages: [String] = []
        for (field, patterns) in patternsByField { lists.add(patterns, of: field) }
        for (_, column) in dateColumns {
            for doubt in column.dates.doubts where !doubts.contains(doubt) { doubts.append(doubt) }
            for language in column.dates.languages where !languages.contains(language) { languages.append(language) }
        }
        let zone = "zone: America/New_York  # fill in the zone of times without an offset"
        let dateSource = clockDates?.lines(columns) ?? []
        guard !lists.general.isEmpty || !doubts.isEmpty || !dateSource.isEmpty else {
            return ["", "# dates:", "#   \(zone)"]
        }
        var lines = ["", "dates:", "  # \(zone)"] + dateSource
        if !languages.isEmpty {
            lines.append("  language: [\(languages.sorted().joined(separator: ", "))]  # of the names of months")
        }
        if lists.general.isEmpty, !doubts.isEmpty { lines.append("  patterns: []") }
        if !lists.general.isEmpty { lines.append("  patterns:") }
        lines += lists.general.map { "    - \(Self.quoted($0.text))" + Self.remark($0) }
        for doubt in doubts {
            lines.append("    # In doubt: every value of some column can be read with each of")
            lines += doubt.candidates.map { "    # - \(Self.quoted($0.text))" }
            lines.append("    # Ask the source, and move the right one into the list.")
        }
        if !lists.byField.isEmpty { lines.append("  fields:") }
        for (field, patterns) in lists.byField {
            lines.append("    \(field.rawValue): [\(patterns.map { Self.quoted($0.text) }.joined(separator: ", "))]")
        }
        return lines
    }

    var intervalLines: [String] {
        guard !statedIntervals.isEmpty else { return [] }
        return ["", "intervals:"]
            + statedIntervals.map { stated in
                "  \(stated.interval.name): {column: \(Self.quoted(columns[stated.column].uniqueName)), unit: "
                    + "\(stated.unit.rawValue)}  # ? \(place(stated.column)), by its name and values"
            }
    }

    private static func remark(_ pattern: DatePattern) -> String {
        switch pattern.number {
        case .epoch?: "  # seconds since 1970 in UTC, or thousandths of them"
        case .serial?: "  # days of a spreadsheet; “serial-1904” where it counts from 1904"
        case .clockMinutes?: "  # as numbers: 930 is 9:30"
        case .clockSeconds?: "  # as numbers: 93000 is 9:30"
        case .serial1904?, nil: ""
        }
    }
}
