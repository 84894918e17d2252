import Classification
import Foundation
import Operations
import Store

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
        var outcome = NightlyOutcome()
        let opening = try StoreOpening(plan, owner: surroundings.owner)
        defer { opening.lock.release() }
        let store = opening.store
        // A replay may bring what the store does not know yet and the rules ask, so the rest waits for the next run.
        if !isReplay {
            try RuleChange(store: store, plan: plan, tell: surroundings.tell).carryOut()
        } else if try store.rules().version != plan.rules.version {
            try store.noteMixedRules()
        }
        var loading = try StoreLoading(
            store: store, plan: plan,
            terms: ExportLoader.Terms(
                key: opening.key, rules: plan.rules, workers: plan.workers,
                maximumRejectPerMillion: plan.maximumRejectPerMillion, checkpoint: surroundings.checkpoint,
                progress: surroundings.progress),
            profileNames: [plan.profile].compactMap { $0 }, tell: surroundings.tell)
        for hash in withdraw {
            try surroundings.checkpoint()
            try loading.withdraw(store.export(beginningWith: hash))
        }
        for path in files {
            try surroundings.checkpoint()
            outcome.note(try loading.load(Inbox.File(path: path, profile: plan.profile), isReplay: isReplay))
        }
        let months = try store.settle(loading.session, workers: plan.workers)
        surroundings.tell(.monthsTouched(months))
        return outcome
    }
}
