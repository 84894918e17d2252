package import Trips

/// One rule of a rule set: which trips it is about, and who ran them.
package struct Rule: Sendable {
    /// Unique in the rule set; kept with each trip the rule decided.
    package let id: String
    /// Plain words for analysts: why a trip that matches has this sourcing.
    package let reason: String
    package let condition: Condition
    /// `inHouse` or `contracted`.
    package let sourcing: Sourcing
    /// First and last day on which the rule is in force, both included; nil: no bound.
    package let from: CivilDay?
    package let to: CivilDay?
    /// Its line in the file, from 1.
    package let line: Int

    package init(
        id: String, reason: String, condition: Condition, sourcing: Sourcing, from: CivilDay? = nil,
        to: CivilDay? = nil, line: Int
    ) {
        self.id = id
        self.reason = reason
        self.condition = condition
        self.sourcing = sourcing
        self.from = from
        self.to = to
        self.line = line
    }

    /// Whether it applies to trips of the day. Where the day is not known, only a rule without dates does.
    func isInForce(on day: CivilDay?) -> Bool { CivilDay.isInForce(from: from, to: to, on: day) }
}

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
