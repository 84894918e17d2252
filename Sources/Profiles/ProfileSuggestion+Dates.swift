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

    private var dateColumns: [Column] { columns.filter { $0.isProposed && $0.isDate } }

    var dateLines: [String] {
        var lists = PatternLists()
        var doubts: [DateFinding.Doubt] = []
        var languages: [String] = []
        for index in clockDates?.columns ?? [] where !(columns[index].isProposed && columns[index].isDate) {
            lists.add(columns[index].dates.patterns, of: .serviceDate)
            doubts += columns[index].dates.doubts.filter { !doubts.contains($0) }
            languages += columns[index].dates.languages
        }
        for column in dateColumns {
            guard let field = column.field else { continue }
            lists.add(column.dates.patterns, of: field)
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
            lines.append("    # In doubt: every value of some column can be read either way, as")
            lines.append("    # - \(Self.quoted(doubt.monthFirst.text))")
            lines.append("    # - \(Self.quoted(doubt.dayFirst.text))")
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
                "  \(stated.interval.name): {column: \(Self.quoted(columns[stated.column].name ?? "")), unit: "
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
