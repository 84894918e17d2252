internal import Conditions
package import Trips

/// Classifies stored trips by a rule set, which need not be the one they were loaded with.
///
/// It gives what `Classifier` gives for the original records, wherever the evidence knows the outcomes that matter; it
/// never guesses. One belongs to one thread; it learns the texts it meets.
package struct StoredClassifier: Sendable {
    /// What the rules say of a stored trip.
    package enum Outcome: Sendable, Hashable {
        /// The class, and the index of the rule that decided (nil: no rule matched).
        case classified(Sourcing, rule: Int?)
        /// It depends on a test that the evidence does not know: `unanswered[index]`.
        case unanswerable(Int)
    }

    package let ruleSet: RuleSet
    private let sourcings: [Sourcing]
    private var machine: StoredConditionMachine
    /// Scratch: the numbers of a trip's texts, then that of its evidence.
    private var ids = Array(repeating: 0, count: StoredFacts.clearFields.count + 1)

    package init(_ ruleSet: RuleSet) {
        self.ruleSet = ruleSet
        sourcings = ruleSet.rules.map(\.sourcing)
        machine = StoredConditionMachine(
            clauses: ruleSet.rules.map { .init(condition: $0.condition, from: $0.from, to: $0.to) },
            clear: EvidenceNames.clearFields, name: EvidenceNames.name)
    }

    /// The rules and tests that could not be answered so far, each pair once.
    package var unanswered: [UnansweredTest] {
        machine.unanswered.map { UnansweredTest(ruleID: ruleSet.rules[$0.clause].id, test: $0.test) }
    }

    /// The class of one trip.
    /// - Parameter text: the text of a number of `facts`; asked once for each, and never for 0.
    package mutating func classify(_ facts: StoredFacts, text: (Int) throws -> String) rethrows -> Outcome {
        ids[0] = facts.providerID
        ids[1] = facts.providerName
        ids[2] = facts.contractNumber
        ids[3] = facts.hcpcsCode
        ids[4] = facts.hcpcsModifiers
        ids[5] = facts.evidence
        switch try machine.firstMatch(day: facts.day, ids: ids, text: text) {
        case .clause(let index): return .classified(sourcings[index], rule: index)
        case .none: return .classified(.unclassified, rule: nil)
        case .unanswerable(let index): return .unanswerable(index)
        }
    }
}
