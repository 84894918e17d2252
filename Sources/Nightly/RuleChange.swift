import Releases
import Scans
import Operations
import Rules
import Store
import Trips

/// Rules that differ from those of the store: every trip is classified again, and the run reports it.
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
    /// Trips that need a replay, by the index of the test in the classifier's `missingResults`.
    private var missing: [Int: Int] = [:]

    init(_ rules: RuleSet, texts: TextTable) {
        classifier = StoredClassifier(rules)
        ruleNumbers = rules.rules.map { texts.number(of: $0.id) }
        self.texts = texts.all
    }

    /// Nil: the stored test results lack one that the rules need.
    mutating func decision(on facts: TripFacts) -> TripStore.RuleDecision? {
        let outcome = classifier.classify(facts) { number in texts[number] ?? "" }
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
