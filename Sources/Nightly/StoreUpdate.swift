package import Releases
import Scans
import Operations
import Rules
import Foundation
import Store
import Trips

/// Exports into the store and out of it, without publishing: what `load` does.
package struct StoreUpdate {
    private let plan: NightlyPlan
    private let environment: RunEnvironment

    package init(_ plan: NightlyPlan, _ environment: RunEnvironment) {
        self.plan = plan
        self.environment = environment
    }

    /// - Parameters:
    ///   - files: paths of exports, all read by the plan's profile.
    ///   - withdraw: beginnings of the SHA-256 of exports to be taken out first.
    ///   - isReplay: exports that are in the store are read again.
    package func run(files: [String], withdraw: [String] = [], isReplay: Bool = false) throws -> NightlyOutcome {
        let files = files.map { Inbox.File(path: $0, profile: plan.profile) }
        return try run(files: files, withdraw: withdraw, isReplay ? .replay : .named)
    }

    func run(files: [Inbox.File], withdraw: [String], _ intent: StoreLoading.Intent) throws -> NightlyOutcome {
        var outcome = NightlyOutcome()
        let opening = try StoreOpening(plan, owner: environment.owner)
        defer { opening.lock.release() }
        let store = opening.store
        let audit = AuditRecorder(plan, environment)
        try audit?.prepare()
        let rules = RuleChange(
            store: store, plan: plan, tell: environment.tell, checkpoint: environment.checkpoint, audit: audit)
        // A replay may be what makes the rules answerable: it comes before them.
        let isRuleChangeLater = try intent == .replay && store.rules().version != plan.rules.version
        if isRuleChangeLater { try store.forgetRules() } else { try rules.carryOut() }
        var loading = try StoreLoading(
            store: store, plan: plan,
            options: ExportLoader.Options(
                key: opening.key, rules: plan.rules, crosswalk: opening.crosswalk, workers: plan.workers,
                maximumRejectPerMillion: plan.maximumRejectPerMillion, checkpoint: environment.checkpoint,
                progress: environment.progress),
            profileNames: (files.map(\.profile) + [plan.profile]).compactMap { $0 }, tell: environment.tell)
        for hash in withdraw {
            try environment.checkpoint()
            try loading.withdraw(store.export(beginningWith: hash))
        }
        for file in files {
            try environment.checkpoint()
            outcome.note(try loading.load(file, intent))
        }
        try audit?.record(loading, counts: outcome.counts, key: opening.key, plan: plan)
        var months = Set(try store.refreshTallies(loading.session, workers: plan.workers))
        if isRuleChangeLater {
            do { try rules.carryOut() } catch let refusal as RulesNeedingReplay { outcome.needingReplay = refusal }
            months.formUnion(try store.refreshTallies(store.session(shape: store.shape()), workers: plan.workers))
        }
        environment.tell(.monthsTouched(months.sorted()))
        return outcome
    }
}
