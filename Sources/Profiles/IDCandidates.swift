import Trips

/// Columns that may hold the id of a trip, though their names are not known to say so.
package enum IDCandidates {
    private static let words: Set<String> = [
        "id", "ids", "number", "no", "num", "nr", "key", "ref", "reference", "uuid", "guid", "record", "ticket", "case",
        "job",
        "order", "booking", "confirmation", "seq", "sequence", "index", "serial",
    ]
    /// Fields that name more than one trip as a rule, and may name just one.
    private static let nearFields: Set<CanonicalField> = [.incidentID, .invoiceNumber, .legID, .sequence]
    private static let leastValues = 5

    /// The indexes of such columns. There are none only if no name and no values speak for any.
    ///
    /// - Parameter rows: some records. So many that are all different may be ids.
    package static func columns(header: [String], rows: [[String]], table: SynonymTable = .standard) -> [Int] {
        header.indices.filter { column in
            let meaning = table.meaning(of: header[column])?.field
            let values = rows.compactMap { $0.indices.contains(column) ? $0[column].trimmingBlanks() : nil }
            let areIDs = areAllDifferent(values)
            if let meaning { return meaning == .tripID || nearFields.contains(meaning) && areIDs }
            let isNamed = !words.isDisjoint(with: HeaderName(header[column]).words)
            return isNamed && (areIDs || values.count < leastValues) || areIDs
        }
    }

    private static func areAllDifferent(_ values: [String]) -> Bool {
        let filled = values.filter { !$0.isEmpty && !DateDetection.isFiller($0) }
        guard filled.count >= leastValues, filled.count * 10 >= values.count * 9, Set(filled).count == filled.count
        else {
            return false
        }
        return filled.allSatisfy { value in
            !value.contains(" ") && TextShape.digitCount(value) > 0 && !TextShape.isDateOrTime(value)
                && !(TextShape.isAmount(value) && (value.contains(".") || value.contains("$")))
        }
    }
}
