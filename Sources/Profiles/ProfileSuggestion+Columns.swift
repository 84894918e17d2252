internal import Trips

extension ProfileSuggestion.Column {
    /// What one column may be, by its name first and then by whether its values agree.
    init(index: Int, header: [String], values: [String], check: HeaderCheck, table: SynonymTable) {
        let name = header[index]
        position = index + 1
        self.name = check.mayPrint(index) ? name : nil
        dates = DateDetection.finding(values)
        if name.trimmingBlanks().isEmpty {
            reasons = ["the header is blank"]
        } else if header.count(where: { $0 == name }) > 1 {
            reasons = ["the header has this name more than once"]
        } else if let meaning = table.meaning(of: name) ?? table.nearMeaning(of: name) {
            field = meaning.field
            tier = meaning.tier
            switch meaning.match {
            case .canonical: (confidencePercent, reasons) = (98, ["canonical name"])
            case .synonym: (confidencePercent, reasons) = (meaning.tier == 0 ? 90 : 80, ["known name"])
            case .misspelling: (confidencePercent, reasons) = (55, ["one letter from a known name"])
            }
            weigh(values, of: meaning.field)
            isProposed = confidencePercent >= 50
        } else if SynonymTable.isEstimate(HeaderName(name)) {
            reasons = ["an estimate: never cost or miles"]
        } else {
            switch dates {
            case .none: reasons = ["no known name"]
            case .iso(let hasTime): reasons = ["no known name; values are \(hasTime ? "times" : "dates") (ISO 8601)"]
            case .pattern(let pattern): reasons = ["no known name; values look like \(pattern.text)"]
            case .ambiguous(let first, let second):
                reasons = ["no known name; values look like \(first.text) or \(second.text)"]
            }
        }
    }

    private mutating func lower(to percent: Int, _ reason: String) {
        confidencePercent = min(confidencePercent, percent)
        reasons.append(reason)
    }

    /// Whether the values are what the field wants.
    private mutating func weigh(_ values: [String], of field: CanonicalField) {
        guard !values.isEmpty else { return lower(to: 60, "no values in the sample") }
        switch field {
        case _ where isDate: weighDates(field)
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
        if field != .serviceDate, field != .patientDOB, !dates.hasTime {
            lower(to: 40, "dates without a time of day: an interval would be whole days")
        }
    }

    /// Whether it is proposed for a field of dates.
    var isDate: Bool { field.map { ProfileReader.dateFields.contains($0) } ?? false }
}

extension ProfileSuggestion {
    /// A value of a column with few, harmless values, and what it may mean (nil: a person must say).
    typealias Value = (text: String, meaning: String?)

    /// A column with more distinct values than this is not mapped by hand.
    private static let maximumValues = 24
    /// A value must occur at least this often: a rare one may be a slip, even a name.
    private static let minimumCount = 2

    /// The distinct values of a sample; nil if they are many or show a sign of PHI.
    static func values(_ sample: [String], of field: CanonicalField, in vocabulary: Vocabulary) -> [Value]? {
        let counts = Dictionary(sample.map { ($0, 1) }, uniquingKeysWith: +)
        guard counts.count <= maximumValues, sample.count >= counts.count * minimumCount,
            PHIColumnCheck.sign(ofValues: sample) == nil
        else { return nil }
        return counts.filter { $0.value >= minimumCount && isHarmless($0.key) }.keys.sorted().map {
            ($0, StandardValues.value(of: $0, for: field, in: vocabulary))
        }
    }

    /// Short, printable, and not a date or a long number. NEMSIS codes have seven digits and are known.
    private static func isHarmless(_ value: String) -> Bool {
        let isCode = TextShape.digitCount(value) == 7 && value.utf8.count == 7
        return value.count <= 60 && (isCode || TextShape.digitCount(value) <= 4) && !TextShape.isDateOrTime(value)
            && value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
