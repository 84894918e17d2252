internal import Conditions
package import Trips

/// Ordered rules: the first that matches decides; a trip that none matches is unclassified (SPEC §3).
///
/// `RuleSetFile` reads one and checks it; `Classifier` carries it out; `explain(day:value:)` says why.
package struct RuleSet: Sendable {
    package let name: String
    package let rules: [Rule]
    /// SHA-256, in lower-case hexadecimal, of the rule file and of every roster and list it names.
    package let version: String

    package init(name: String, rules: [Rule], version: String) {
        self.name = name
        self.rules = rules
        self.version = version
    }

    /// The id of the rule at an index that `Classifier` gave; nil for -1 (no rule fired).
    package func ruleID(at index: Int16) -> String? {
        rules.indices.contains(Int(index)) ? rules[Int(index)].id : nil
    }

    /// The fields that its rules look at, in the order of first mention.
    package var fields: [CanonicalField] {
        var fields: [CanonicalField] = []
        for name in rules.flatMap(\.condition.fields) {
            guard let field = CanonicalField(rawValue: name), !fields.contains(field) else { continue }
            fields.append(field)
        }
        return fields
    }

    /// How much of each of its fields it needs to know.
    package var textNeeds: [(field: CanonicalField, need: TextNeed)] {
        let classifier = Classifier(self)
        return classifier.fields.map { (field: $0, need: classifier.need(of: $0)) }
    }
}
