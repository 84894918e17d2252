internal import Conditions
package import Trips

/// Keeps, for each trip, what the rules find out about fields whose values may not be stored: one of few texts, such as
/// `invoice_number present: no; vehicle_id prefix va: yes; vehicle_id present: yes`.
///
/// Each worker owns one: it learns the values it meets, and counts its codes by itself. `StoredClassifier` reads the
/// texts back.
package struct EvidenceRecorder: Sendable {
    /// The fields that it looks at: a batch's `textFields` should hold them all, in any order.
    package let fields: [CanonicalField]
    /// For each row of the last batch the place of its evidence in `texts`.
    package private(set) var codes: [Int32] = []
    private var machine: EvidenceMachine

    package init(_ ruleSet: RuleSet) {
        machine = EvidenceMachine(
            conditions: ruleSet.rules.map(\.condition), clear: EvidenceNames.clearFields, name: EvidenceNames.name)
        fields = machine.fields.compactMap(CanonicalField.init(rawValue:))
    }

    /// Evidence by code; what stands there stays. Empty text: the rules look at no hidden field.
    package var texts: [String] { machine.texts }

    /// Fills `codes` for the first `batch.count` rows.
    ///
    /// - Parameter dictionaries: one for each of `batch.textFields`, in its order. A field that the batch does not
    ///   carry counts as absent, as it does for `Classifier`.
    package mutating func record(_ batch: TripBatch, dictionaries: [TextDictionary]) {
        let columns = ruleColumns(fields, of: batch, dictionaries: dictionaries)
        machine.record(
            codes: columns.codes, dictionaries: columns.dictionaries, days: batch.day, count: batch.count, into: &codes)
    }
}

/// The columns of a batch that rules look at, in the rules' order; a field that the batch does not carry is absent.
func ruleColumns(
    _ fields: [CanonicalField], of batch: TripBatch, dictionaries: [TextDictionary]
) -> (codes: [[UInt32]], dictionaries: [TextDictionary]) {
    var codes: [[UInt32]] = []
    var own: [TextDictionary] = []
    for field in fields {
        if let place = batch.textFields.firstIndex(of: field), dictionaries.indices.contains(place) {
            codes.append(batch.text[place])
            own.append(dictionaries[place])
        } else {
            codes.append(Array(repeating: 0, count: batch.count))
            own.append(TextDictionary())
        }
    }
    return (codes, own)
}
