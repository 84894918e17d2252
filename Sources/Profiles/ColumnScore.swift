internal import Trips

/// How well a column fits a field, from 0 to 100: what its name is worth (`SuggestedNames`), lowered where its values are
/// not what the field wants.
///
/// From 50 a column is proposed; below 75 it has a question mark. The field's own name is worth 98, a name one letter
/// from a known one 55.
struct ColumnScore {
    static let proposed = 50
    static let sure = 75

    let field: CanonicalField
    private(set) var percent: Int
    /// Why it is so high, and why not higher.
    private(set) var reasons: [String]

    private init(_ field: CanonicalField, _ percent: Int, _ reason: String) {
        self.field = field
        self.percent = percent
        reasons = [reason]
    }

    /// The fields that a column may be, by its name and then by its values.
    static func scores(
        name: String, values: [String], dates: DateFinding, hasDateColumn: Bool, table: SynonymTable,
        names: SuggestedNames
    ) -> [ColumnScore] {
        var scores = byName(HeaderName(name), header: name, table: table, names: names)
        for index in scores.indices { scores[index].weigh(values, dates, name: name, hasDateColumn: hasDateColumn) }
        return scores
    }

    private static func byName(
        _ name: HeaderName, header: String, table: SynonymTable, names: SuggestedNames
    ) -> [ColumnScore] {
        if let field = CanonicalField(rawValue: header) { return [ColumnScore(field, 98, "canonical name")] }
        if header == SynonymTable.keyName { return [ColumnScore(.tripID, 80, "the key of each record")] }
        if let inner = SynonymTable.nameWithinContainer(header) {
            return byName(HeaderName(inner), header: inner, table: table, names: names)
        }
        let meanings = names.meanings(of: name)
        if !meanings.entries.isEmpty {
            return meanings.entries.compactMap { entry in
                guard let field = entry.field, !SynonymTable.isEstimate(name) || field == .estimatedMiles else {
                    return nil
                }
                return ColumnScore(field, entry.percent, meanings.reason)
            }
        }
        return table.nearMeaning(of: header).map { [ColumnScore($0.field, 55, "one letter from a known name")] } ?? []
    }

    private mutating func lower(to highest: Int, _ reason: String) {
        percent = min(percent, highest)
        reasons.append(reason)
    }

    /// Whether the values are what the field wants.
    private mutating func weigh(_ values: [String], _ dates: DateFinding, name: String, hasDateColumn: Bool) {
        guard !values.isEmpty else { return lower(to: 60, "no values in the sample") }
        if ProfileReader.dateFields.contains(field) {
            return weigh(dates, hasDateColumn: hasDateColumn)
        }
        if dates.hasTime { return lower(to: 20, "values are times") }
        switch field {
        case .cost, .loadedMiles, .unloadedMiles, .odometerStart, .odometerEnd, .estimatedMiles:
            let amounts = AmountColumn(values, isMoney: field == .cost)
            let kind = field == .cost ? "amounts of money" : "numbers"
            if amounts.read * 10 >= amounts.count * 9 {
                reasons.append("values are \(kind)")
            } else {
                // What a name surely means is not left out: a run then says what cannot be read.
                let isSure = percent >= Self.sure
                lower(
                    to: isSure ? 60 : 40,
                    "\(amounts.count - amounts.read) of \(amounts.count) values are not \(kind)")
            }
        case .tripID:
            let distinct = Set(values).count
            if distinct == values.count {
                reasons.append("all values differ")
            } else {
                lower(to: 70, "\(values.count - distinct) of \(values.count) values repeat: legs or corrections?")
                if distinct * 10 < values.count { lower(to: 40, "few values differ") }
            }
        case .status: weighStatus(values, name: name)
        case .tripType, .region:
            if ValueCounts(values).isMany { lower(to: 60, "many values: give a table below “lookups:”, or map them") }
            if PHIColumnCheck.sign(ofValues: values) != nil { lower(to: 40, "values look like PHI") }
        default: break
        }
    }

    private static let surelyStatus = 90
    static let unknownStatuses = "some values are not known as a status: map them"

    /// A record with an unknown status is rejected, so the column is proposed only if most values are known. Without it every
    /// record would count as a completed trip.
    private mutating func weighStatus(_ values: [String], name: String) {
        let known = values.count { StandardValues.isStatus($0) }
        // A disposition may be of the patient.
        let isNamedStatus = HeaderName(name).words.contains("status")
        if known * 2 < values.count, percent >= Self.surelyStatus || known > 0 && isNamedStatus {
            // A run without a profile reads such a name, and rejects what it does not know. What is void must not count.
            lower(to: 60, Self.unknownStatuses)
        } else if known * 2 < values.count {
            lower(to: 45, "most values are not known as a status: map them")
        } else if known * 200 < values.count * 199 {
            lower(to: 60, Self.unknownStatuses)
        } else {
            reasons.append("values are known")
        }
    }

    private mutating func weigh(_ dates: DateFinding, hasDateColumn: Bool) {
        if dates.kind == .none {
            return lower(to: 40, dates.isMixedOrder ? DateFinding.mixedOrder : "values are not dates of one kind")
        }
        if dates.kind == .clocks, TripEvent.allCases.contains(where: { $0.field == field }) {
            return hasDateColumn
                ? reasons.append("values are times of day, with the date in another column")
                : lower(to: 40, "values are times of day, and no column has their date")
        }
        if dates.doubts.isEmpty {
            reasons.append(dates.patterns.isEmpty ? "values are ISO 8601" : "values look like \(dates.look)")
        } else {
            lower(to: 60, "values look like \(dates.look): no value shows which")
        }
        if field == .serviceDate || field == .patientDOB {
            if dates.isTime { lower(to: 55, "dates with a time of day") }
        } else if !dates.isTime {
            lower(to: 40, "dates without a time of day: an interval would be whole days")
        }
    }
}
