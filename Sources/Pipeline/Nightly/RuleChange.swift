import Classification
import Operations
import Store
import Trips

/// Rules that are not those of the store: every trip is classified anew, and the run says so.
struct RuleChange {
    let store: TripStore
    let plan: NightlyPlan
    let tell: (RunEvent) -> Void

    /// - Returns: how many trips have another class or another rule; nil if the rules are the same.
    @discardableResult
    func carryOut() throws -> Int? {
        let before = try store.rules().version
        guard before != plan.rules.version else { return nil }
        let trips = try store.totals().trips
        if trips > 0 { tell(.rulesChanged(before: before, after: plan.rules.version, trips: trips)) }
        var rules = StoredRules(plan.rules, texts: store.texts)
        return try store.reclassify(
            rulesName: plan.rules.name, rulesVersion: plan.rules.version, decide: { rules.decision(on: $0) },
            check: { try rules.check() })
    }
}

/// A rule set over the facts of stored trips.
struct StoredRules {
    private var classifier: StoredClassifier
    private let texts: [Int32: String]
    /// Number of each rule's id, by index.
    private let ruleNumbers: [Int32]
    /// Trips that could not be told, by the place of the test in the classifier's `unanswered`.
    private var unanswered: [Int: Int] = [:]

    init(_ rules: RuleSet, texts: TextTable) {
        classifier = StoredClassifier(rules)
        ruleNumbers = rules.rules.map { texts.number(of: $0.id) }
        self.texts = texts.all
    }

    /// Nil where the evidence does not know what the rules ask.
    mutating func decision(on facts: TripFacts) -> TripStore.Decision? {
        let outcome = classifier.classify(StoredFacts(facts)) { number in texts[Int32(number)] ?? "" }
        switch outcome {
        case .classified(let sourcing, let rule):
            return TripStore.Decision(sourcing: sourcing, rule: rule.map { ruleNumbers[$0] } ?? 0)
        case .unanswerable(let test):
            unanswered[test, default: 0] += 1
            return nil
        }
    }

    /// Throws if there was a trip of which the evidence does not know what the rules ask.
    func check() throws(UnanswerableRules) {
        let tests = classifier.unanswered
        let trips = Dictionary(unanswered.map { (tests[$0.key], $0.value) }, uniquingKeysWith: +)
        if let refusal = UnanswerableRules(trips: trips) { throw refusal }
    }
}

extension StoredFacts {
    init(_ facts: TripFacts) {
        self.init(
            day: facts.day, providerID: Int(facts[.providerID]), providerName: Int(facts[.providerName]),
            contractNumber: Int(facts[.contractNumber]), hcpcsCode: Int(facts[.hcpcsCode]),
            hcpcsModifiers: Int(facts[.hcpcsModifiers]), evidence: Int(facts[.evidence]))
    }
}
