package import Trips

/// Ordered rules: the first that matches decides; a trip that none matches is unclassified.
///
/// `RuleSetFile` reads and checks one, `Classifier` applies it, `explain(day:value:)` gives the reason.
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

    /// The fields that its rules test, in the order of first mention.
    package var fields: [CanonicalField] {
        Condition.any(rules.map(\.condition)).fields.compactMap(CanonicalField.init(rawValue:))
    }

    /// How much of each of its fields it needs to know.
    package var textNeeds: [(field: CanonicalField, need: TextNeed)] {
        let classifier = Classifier(self)
        return classifier.fields.map { (field: $0, need: classifier.need(of: $0)) }
    }

    var clauses: [ConditionMachine.Clause] {
        rules.map { ConditionMachine.Clause(condition: $0.condition, from: $0.from, to: $0.to) }
    }
}
