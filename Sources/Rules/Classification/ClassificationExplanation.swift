package import Basics
package import Trips

/// Why a trip has its sourcing: every rule in order with the outcomes of its tests. It names no value of the trip.
package struct ClassificationExplanation: Sendable, CustomStringConvertible {
    /// The result of one rule.
    package enum Outcome: String, Sendable {
        /// The first rule that matched.
        case decided
        /// It matches too, but an earlier rule decided.
        case wouldMatch = "would match too"
        case notMatched = "not matched"
        /// The trip's day lies outside the rule's dates, or is not known.
        case notInForce = "not in force on the day of the trip"
        /// It depends on a test result that is not stored; so do all later rules that match.
        case notKnown = "not known, the value was not kept"
        /// It matches, and whether an earlier rule decided is not known.
        case decidesUnless = "decides unless an earlier rule does"
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
    /// Nil: not known, because a test result is not stored.
    package let sourcing: Sourcing?
    /// Nil: no rule matched, or it is not known which.
    package let decidingRuleID: String?
    package let steps: [Step]

    /// Plain text, a rule with its tests at a time.
    package var description: String {
        let deciding = steps.first { $0.outcome == .decided }
        var lines = [
            sourcing.map { $0.name + ": " + (deciding.map { "rule \($0.ruleID) — \($0.reason)" } ?? "no rule matched") }
                ?? "not known: the rules ask for values that were not kept; load the export again",
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
    /// Explains one trip by `Condition.holds`.
    /// - Parameters:
    ///   - day: the trip's local day.
    ///   - value: the trip's value of a field; nil where it has none.
    package func explain(day: CivilDay?, value: (CanonicalField) -> String?) -> ClassificationExplanation {
        explain(day: day) { condition in
            condition.trace(for: { name in CanonicalField(rawValue: name).flatMap(value) }, on: day)
        }
    }

    /// Explains one stored trip.
    /// - Parameters:
    ///   - value: the trip's value of one of `StoredText.publicFields`; nil where it has none.
    ///   - testResults: what `TestResultRecorder` wrote about the other fields.
    package func explain(
        day: CivilDay, value: (CanonicalField) -> String?, testResults: String
    ) -> ClassificationExplanation {
        let results = StoredTestResults(text: testResults)
        return explain(day: day) { condition in
            condition.trace { test in
                guard test.isOfStoredField else { return results.outcome(of: test.storedName, field: test.field) }
                return test.accepts(CanonicalField(rawValue: test.field).flatMap(value) ?? "", on: day)
            }
        }
    }

    private func explain(day: CivilDay?, trace: (Condition) -> ConditionTrace) -> ClassificationExplanation {
        var decided: Rule?
        var isKnown = true
        var steps: [ClassificationExplanation.Step] = []
        for rule in rules {
            let trace = trace(rule.condition)
            let outcome: ClassificationExplanation.Outcome =
                switch trace.holds {
                case _ where !rule.isInForce(on: day): .notInForce
                case false?: .notMatched
                case true? where decided != nil: .wouldMatch
                case true?: isKnown ? .decided : .decidesUnless
                case nil: .notKnown
                }
            if outcome == .decided { decided = rule }
            if outcome == .notKnown, decided == nil { isKnown = false }
            steps.append(
                ClassificationExplanation.Step(
                    ruleID: rule.id, reason: rule.reason, sourcing: rule.sourcing, outcome: outcome, trace: trace))
        }
        return ClassificationExplanation(
            ruleSetName: name, ruleSetVersion: version,
            sourcing: isKnown ? decided?.sourcing ?? .unclassified : nil, decidingRuleID: decided?.id, steps: steps)
    }
}
