import Trips

/// A value of a column with few, harmless values, and what it may mean.
struct ValueSkeleton: Sendable {
    let value: String
    /// Nil: somebody must say.
    let meaning: String?

    /// More distinct values than this are not a list that anybody maps by hand.
    static let maximumValues = 24
    /// A value must come at least this often: what is rare may be a slip, even a name.
    static let minimumCount = 2

    /// For the columns proposed as status, trip type and region: the distinct values of the sample. A column with a
    /// sign of PHI, or with many values, shows none.
    static func all(
        columns: [ProfileSuggestion.Column], rows: [[String]], vocabulary: Vocabulary
    ) -> [CanonicalField: [ValueSkeleton]] {
        var skeletons: [CanonicalField: [ValueSkeleton]] = [:]
        for column in columns where column.isProposed {
            guard let field = column.field, [.status, .tripType, .region].contains(field) else { continue }
            let values = ProfileSuggestion.values(of: column.position - 1, in: rows)
            skeletons[field] = of(values, field: field, vocabulary: vocabulary)
        }
        return skeletons
    }

    private static func of(_ values: [String], field: CanonicalField, vocabulary: Vocabulary) -> [ValueSkeleton]? {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        guard counts.count <= maximumValues, values.count >= counts.count * minimumCount,
            PHIColumnCheck.sign(ofValues: values) == nil
        else { return nil }
        let shown = counts.filter { $0.value >= minimumCount && isHarmless($0.key) }
        return shown.keys.sorted().map { value in
            ValueSkeleton(value: value, meaning: StandardValues.value(of: value, for: field, in: vocabulary))
        }
    }

    /// Short, printable, and not a date or a long number. NEMSIS codes have seven digits and are known.
    private static func isHarmless(_ value: String) -> Bool {
        let isCode = TextShape.digitCount(value) == 7 && value.utf8.count == 7
        return value.count <= 60 && (isCode || TextShape.digitCount(value) <= 4) && !TextShape.isDateOrTime(value)
            && value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
