import Trips

extension ProfileSuggestion {
    /// What one column may be, by its name first and then by whether its values agree.
    static func column(
        _ index: Int, header: [String], values: [String], check: HeaderCheck, table: SynonymTable
    ) -> Column {
        let name = header[index]
        var column = Column(
            position: index + 1, name: check.mayPrint(index) ? name : nil, field: nil, confidencePercent: 0,
            reasons: [], isProposed: false, tier: 0, dates: DateEvidence.finding(values))
        guard !name.trimmingBlanks().isEmpty else {
            column.reasons = ["the header is blank"]
            return column
        }
        guard header.filter({ $0 == name }).count == 1 else {
            column.reasons = ["the header has this name more than once"]
            return column
        }
        guard let meaning = table.meaning(of: name) ?? table.nearMeaning(of: name) else {
            column.reasons = [reasonAgainst(name, dates: column.dates)]
            return column
        }
        column.field = meaning.field
        column.tier = meaning.tier
        switch meaning.match {
        case .canonical: column.take(98, "canonical name")
        case .synonym: column.take(meaning.tier == 0 ? 90 : 80, "known name")
        case .misspelling: column.take(55, "one letter from a known name")
        }
        column.weigh(values)
        column.isProposed = column.confidencePercent >= 50
        return column
    }

    private static func reasonAgainst(_ name: String, dates: DateEvidence.Finding) -> String {
        if SynonymTable.isEstimate(HeaderName(name)) { return "an estimate: never cost or miles" }
        switch dates {
        case .none: return "no known name"
        case .iso(let hasTime): return "no known name; values are \(hasTime ? "times" : "dates") (ISO 8601)"
        case .pattern(let pattern): return "no known name; values look like \(pattern.text)"
        case .ambiguous(let first, let second): return "no known name; values look like \(first.text) or \(second.text)"
        }
    }
}

extension ProfileSuggestion.Column {
    fileprivate mutating func take(_ percent: Int, _ reason: String) {
        confidencePercent = percent
        reasons.append(reason)
    }

    private mutating func lower(to percent: Int, _ reason: String) {
        confidencePercent = min(confidencePercent, percent)
        reasons.append(reason)
    }

    /// Whether the values are what the field wants.
    fileprivate mutating func weigh(_ values: [String]) {
        guard let field else { return }
        guard !values.isEmpty else {
            return lower(to: 60, "no values in the sample")
        }
        switch field {
        case _ where ProfileReader.dateFields.contains(field): weighDates(field)
        case .cost, .loadedMiles, .unloadedMiles, .odometerStart, .odometerEnd, .estimatedMiles:
            let fitting = values.count { TextShape.isAmount($0) }
            let kind = field == .cost ? "amounts of money" : "numbers"
            if fitting * 10 >= values.count * 9 {
                reasons.append("values are \(kind)")
            } else {
                lower(to: 40, "\(values.count - fitting) of \(values.count) values are not \(kind)")
            }
        case .tripID:
            let distinct = Set(values).count
            if distinct == values.count {
                reasons.append("all values differ")
            } else {
                lower(to: 75, "\(values.count - distinct) of \(values.count) values repeat: legs or corrections?")
            }
        case .status:
            let known = values.count { StandardValues.status[$0.lowercased()] != nil }
            if known * 2 < values.count { lower(to: 60, "most values are not known as a status: map them") }
        default: break
        }
    }

    private mutating func weighDates(_ field: CanonicalField) {
        switch dates {
        case .none: return lower(to: 40, "values are not dates of one kind")
        case .iso: reasons.append("values are ISO 8601")
        case .pattern(let pattern): reasons.append("values look like \(pattern.text)")
        case .ambiguous(let first, let second):
            lower(to: 60, "values look like \(first.text) or like \(second.text): which one, no value tells")
        }
        let isDay = field == .serviceDate || field == .patientDOB
        if !isDay, !dates.hasTime {
            lower(to: 40, "dates without a time of day: an interval would be whole days")
        }
    }
}
