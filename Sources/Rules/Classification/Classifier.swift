package import Trips

/// Classifies batches of trips by a rule set. Each worker owns one: it learns the values it meets.
package struct Classifier: Sendable {
    /// The text fields whose codes it needs: a batch's `textFields` must hold them all, in any order.
    package let fields: [CanonicalField]
    /// For each row of the last batch the index of the rule that decided, or -1.
    package private(set) var ruleIndexes: [Int16] = []

    private var machine: ConditionMachine
    /// Sourcing raw value by rule index + 1.
    private let outcomes: [UInt8]

    package init(_ ruleSet: RuleSet) {
        machine = ConditionMachine(clauses: ruleSet.clauses)
        fields = machine.fields.compactMap(CanonicalField.init(rawValue:))
        outcomes = [Sourcing.unclassified.rawValue] + ruleSet.rules.map(\.sourcing.rawValue)
    }

    /// Whether only the presence of a field matters, or its value.
    package func need(of field: CanonicalField) -> TextNeed {
        machine.need(of: field.rawValue)
    }

    /// Fills `batch.sourcing` and `ruleIndexes` for the first `batch.count` rows.
    ///
    /// - Parameter dictionaries: one for each of `batch.textFields`, in its order. A field that the batch does not
    ///   carry counts as absent.
    package mutating func classify(_ batch: inout TripBatch, dictionaries: [TextDictionary]) {
        let count = batch.count
        let columns = ruleColumns(fields, of: batch, dictionaries: dictionaries)
        machine.firstMatches(
            codes: columns.codes, dictionaries: columns.dictionaries, days: batch.day, count: count,
            into: &ruleIndexes)
        for row in 0..<count { batch.sourcing[row] = outcomes[Int(ruleIndexes[row]) + 1] }
    }
}

/// The columns of a batch that rules test, in the rules' order; a field that the batch does not carry is absent.
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
