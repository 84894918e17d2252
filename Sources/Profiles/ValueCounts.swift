import Basics
internal import Trips

/// The values of a column of few values, and which of them may be shown: not one of fewer than `MinimumCell.standard`
/// patients, or records where no column names patients. It may be a slip, and a small count.
struct ValueCounts {
    /// A column with more values that occur so often is not mapped by hand.
    static let maximumValues = 24

    /// Those that occur often enough, in order.
    private let often: [String]
    /// Whether there are too many values to list, or too many of them are rare.
    let isMany: Bool

    init(_ values: [String]) {
        let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        let frequent = counts.filter { $0.value >= MinimumCell.standard }
        often = frequent.keys.sorted()
        let records = frequent.values.reduce(0, +)
        isMany =
            often.count > Self.maximumValues
            || (counts.count > Self.maximumValues && records * 5 < values.count * 4)
    }

    /// Values that may be shown, in order, and how many of the others that occur often have each shape.
    ///
    /// - Parameters:
    ///   - values: with the patient of each, nil where none is named.
    ///   - namesPatients: whether a column names patients.
    static func listed(
        _ values: [(text: String, patient: String?)], of field: CanonicalField, namesPatients: Bool
    ) -> (shown: [String], hiddenShapes: [String: Int]) {
        let counts = ValueCounts(values.map(\.text))
        guard !counts.isMany else { return ([], [:]) }
        var patients: [String: Set<String>] = [:]
        for value in values {
            if let patient = value.patient { patients[value.text, default: []].insert(patient) }
        }
        let often = counts.often.filter { !namesPatients || patients[$0, default: []].count >= MinimumCell.standard }
        let shown = often.filter { ValueWords.mayShow($0, of: field) }
        let hidden = Set(often).subtracting(shown).map { (ValueShape.of($0.utf8), 1) }
        return (shown, Dictionary(hidden, uniquingKeysWith: +))
    }
}
