import Audit
import Classification
import Foundation
import Operations
import Store
import Trips

/// Exports into the store and out of it, without publishing: what `load` does.
package struct StoreUpdate {
    private let plan: NightlyPlan
    private let surroundings: NightlyRun.Surroundings

    package init(_ plan: NightlyPlan, _ surroundings: NightlyRun.Surroundings) {
        self.plan = plan
        self.surroundings = surroundings
    }

    /// - Parameters:
    ///   - files: paths of exports, all read by the plan's profile.
    ///   - withdraw: beginnings of the SHA-256 of exports to be taken out first.
    ///   - isReplay: exports that are in the store are read anew.
    package func run(files: [String], withdraw: [String] = [], isReplay: Bool = false) throws -> NightlyOutcome {
        let files = files.map { Inbox.File(path: $0, profile: plan.profile) }
        return try run(files: files, withdraw: withdraw, isReplay ? .replay : .named)
    }

    func run(files: [Inbox.File], withdraw: [String], _ wish: StoreLoading.Wish) throws -> NightlyOutcome {
        var outcome = NightlyOutcome()
        let opening = try StoreOpening(plan, owner: surroundings.owner)
        defer { opening.lock.release() }
        let store = opening.store
        let audit = AuditRecorder(plan, surroundings)
        try audit?.prepare()
        let rules = RuleChange(
            store: store, plan: plan, tell: surroundings.tell, checkpoint: surroundings.checkpoint, audit: audit)
        // A replay may be what makes the rules answerable: it comes before them.
        let isRuleChangeLater = try wish == .replay && store.rules().version != plan.rules.version
        if isRuleChangeLater { try store.forgetRules() } else { try rules.carryOut() }
        var loading = try StoreLoading(
            store: store, plan: plan,
            terms: ExportLoader.Terms(
                key: opening.key, rules: plan.rules, crosswalk: opening.crosswalk, workers: plan.workers,
                maximumRejectPerMillion: plan.maximumRejectPerMillion, checkpoint: surroundings.checkpoint,
                progress: surroundings.progress),
            profileNames: (files.map(\.profile) + [plan.profile]).compactMap { $0 }, tell: surroundings.tell)
        for hash in withdraw {
            try surroundings.checkpoint()
            try loading.withdraw(store.export(beginningWith: hash))
        }
        for file in files {
            try surroundings.checkpoint()
            outcome.note(try loading.load(file, wish))
        }
        try audit?.record(loading, counts: outcome.counts, key: opening.key, plan: plan)
        var months = Set(try store.settle(loading.session, workers: plan.workers))
        if isRuleChangeLater {
            do { try rules.carryOut() } catch let refusal as UnanswerableRules { outcome.unanswerable = refusal }
            months.formUnion(try store.settle(store.session(shape: store.shape()), workers: plan.workers))
        }
        surroundings.tell(.monthsTouched(months.sorted()))
        return outcome
    }
}
