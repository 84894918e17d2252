import Audit
import Classification
import Operations
import Store
import Trips

/// Rules that are not those of the store: every trip is classified anew, and the run says so.
struct RuleChange {
    let store: TripStore
    let plan: NightlyPlan
    let tell: (RunEvent) -> Void
    /// Asked now and then; throws to stop, and then nothing has changed.
    var checkpoint: () throws -> Void = {}
    /// Told how many versions of trips are done.
    var progress: (Int) -> Void = { _ in }
    /// Where it is written down before anything changes.
    var audit: AuditRecorder?

    private static let rowsBetweenChecks = 4096

    /// - Returns: how many trips have another class or another rule, by month; nil if the rules are the same.
    @discardableResult
    func carryOut() throws -> [Month: Int]? {
        let before = try store.rules().version
        guard before != plan.rules.version else { return nil }
        let trips = try store.totals().trips
        if trips > 0 {
            try audit?.record(.classify) { entry in
                entry.configuration = plan.auditedConfiguration
                entry.counts = [("trips", trips)]
            }
            tell(.rulesChanged(before: before, after: plan.rules.version, trips: trips))
        }
        var rules = StoredRules(plan.rules, texts: store.texts)
        var done = 0
        return try store.reclassify(
            rulesName: plan.rules.name, rulesVersion: plan.rules.version,
            decide: { facts in
                done += 1
                if done.isMultiple(of: Self.rowsBetweenChecks) {
                    try checkpoint()
                    progress(done)
                }
                return rules.decision(on: facts)
            }, check: { try rules.check() })
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

    /// The same with the rule's id.
    func decision(_ decision: TripStore.Decision) -> RuleSetDifference.Decision {
        RuleSetDifference.Decision(
            sourcing: decision.sourcing, ruleID: decision.rule == 0 ? nil : texts[decision.rule] ?? "")
    }

    /// The versions of trips of which the evidence does not know what the rules ask.
    var unanswerable: [UnansweredTest: Int] {
        let tests = classifier.unanswered
        return Dictionary(unanswered.map { (tests[$0.key], $0.value) }, uniquingKeysWith: +)
    }

    func check() throws(UnanswerableRules) {
        if let refusal = UnanswerableRules(trips: unanswerable) { throw refusal }
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
