import Rules
import Store
import Trips

/// A rule set over the facts of stored trips.
struct StoredRules {
    private var classifier: StoredClassifier
    private let texts: [Int32: String]
    /// Number of each rule's id, by index.
    private let ruleNumbers: [Int32]
    /// Trips that need a replay, by the index of the test in the classifier's `missingResults`.
    private var missing: [Int: Int] = [:]

    init(_ rules: RuleSet, texts: TextTable) {
        classifier = StoredClassifier(rules)
        ruleNumbers = rules.rules.map { texts.number(of: $0.id) }
        self.texts = texts.all
    }

    /// Nil: the stored test results lack one that the rules need.
    mutating func decision(on facts: TripFacts) -> TripStore.RuleDecision? {
        let texts = texts
        return decision(on: facts) { texts[$0] ?? "" }
    }

    /// - Parameter text: the text of a number; for texts that are newer than the rules' own.
    mutating func decision(on facts: TripFacts, text: (Int32) throws -> String) rethrows -> TripStore.RuleDecision? {
        let outcome = try classifier.classify(facts, text: text)
        switch outcome {
        case .classified(let sourcing, let rule):
            return TripStore.RuleDecision(sourcing: sourcing, rule: rule.map { ruleNumbers[$0] } ?? 0)
        case .needsReplay(let test):
            missing[test, default: 0] += 1
            return nil
        }
    }

    /// The same with the rule's id.
    func decision(_ decision: TripStore.RuleDecision) -> RuleSetDifference.Decision {
        RuleSetDifference.Decision(
            sourcing: decision.sourcing, ruleID: decision.rule == 0 ? nil : texts[decision.rule] ?? "")
    }

    /// The versions of trips whose stored test results lack one that the rules need.
    var needingReplay: [MissingTestResult: Int] {
        let tests = classifier.missingResults
        return Dictionary(missing.map { (tests[$0.key], $0.value) }, uniquingKeysWith: +)
    }

    func check() throws(RulesNeedingReplay) {
        if let refusal = RulesNeedingReplay(trips: needingReplay) { throw refusal }
    }
}
