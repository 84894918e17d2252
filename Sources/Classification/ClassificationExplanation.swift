package import Conditions
package import Trips

/// Why a trip is what it is: every rule in order and what each of its tests said. It names no value of the trip.
package struct ClassificationExplanation: Sendable, CustomStringConvertible {
    /// What became of one rule.
    package enum Outcome: String, Sendable {
        /// The first rule that matched.
        case decided
        /// It matches too, but an earlier rule decided.
        case wouldMatch = "would match too"
        case notMatched = "not matched"
        /// The trip's day lies outside the rule's dates, or is not known.
        case notInForce = "not in force on the day of the trip"
    }

    package struct Step: Sendable {
        package let ruleID: String
        package let reason: String
        package let sourcing: Sourcing
        package let outcome: Outcome
        package let trace: ConditionTrace
    }

    package let ruleSetName: String
    package let ruleSetVersion: String
    package let sourcing: Sourcing
    /// Nil: no rule matched.
    package let decidingRuleID: String?
    package let steps: [Step]

    /// Plain text, a rule with its tests at a time.
    package var description: String {
        let deciding = steps.first { $0.outcome == .decided }
        var lines = [
            "\(sourcing.name): "
                + (deciding.map { "rule \($0.ruleID) — \($0.reason)" } ?? "no rule matched"),
            "rules \(ruleSetName), version \(ruleSetVersion.prefix(12))",
        ]
        for (index, step) in steps.enumerated() {
            lines.append("\(index + 1). \(step.ruleID) → \(step.sourcing.name): \(step.outcome.rawValue)")
            lines += step.trace.lines(indent: 3)
        }
        return lines.joined(separator: "\n")
    }
}

extension RuleSet {
    /// Explains one trip, by the plain meaning of the conditions.
    /// - Parameters:
    ///   - day: the trip's local day.
    ///   - value: the trip's value of a field; nil where it has none.
    package func explain(day: CivilDay?, value: (CanonicalField) -> String?) -> ClassificationExplanation {
        var decided: Rule?
        var steps: [ClassificationExplanation.Step] = []
        for rule in rules {
            let trace = rule.condition.trace(
                for: { name in CanonicalField(rawValue: name).flatMap(value) }, on: day)
            let outcome: ClassificationExplanation.Outcome
            if !rule.isInForce(on: day) {
                outcome = .notInForce
            } else if !trace.holds {
                outcome = .notMatched
            } else {
                outcome = decided == nil ? .decided : .wouldMatch
            }
            if outcome == .decided { decided = rule }
            steps.append(
                ClassificationExplanation.Step(
                    ruleID: rule.id, reason: rule.reason, sourcing: rule.sourcing, outcome: outcome, trace: trace))
        }
        return ClassificationExplanation(
            ruleSetName: name, ruleSetVersion: version, sourcing: decided?.sourcing ?? .unclassified,
            decidingRuleID: decided?.id, steps: steps)
    }
}
