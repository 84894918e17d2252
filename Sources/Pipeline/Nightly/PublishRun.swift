import Audit
import Foundation
import Operations
import Publishing
import Store

/// Publishes the store as it is, without looking for exports, and goes back to earlier sets: what `publish` does. It
/// holds the run lock meanwhile, as every writer does.
package struct PublishRun {
    private let plan: NightlyPlan
    private let surroundings: NightlyRun.Surroundings

    package init(_ plan: NightlyPlan, _ surroundings: NightlyRun.Surroundings) {
        self.plan = plan
        self.surroundings = surroundings
    }

    /// Months that a stopped run left unfinished are tallied first, and trips classified anew if the rules are others.
    ///
    /// - Throws: `StoreError.missing` without a store, `PublishingError.nothingPublished` if the store holds no export.
    package func publish() throws -> NightlyOutcome {
        guard try !TripStore.isAbsent(plan.storePath) else {
            throw StoreError.missing(path: plan.storePath)
        }
        let tell = surroundings.tell
        let opening = try StoreOpening(plan, owner: surroundings.owner)
        defer { opening.lock.release() }
        let store = opening.store
        let audit = AuditRecorder(plan, surroundings)
        try audit?.prepare()
        try RuleChange(store: store, plan: plan, tell: tell, audit: audit).carryOut()
        let months = try store.settle(try store.session(shape: try store.shape()), workers: plan.workers)
        if !months.isEmpty { tell(.monthsTouched(months)) }
        try surroundings.checkpoint()
        var outcome = NightlyOutcome()
        let publication = try StorePublication(store: store, plan: plan, audit: audit).publish(
            tell: tell, now: surroundings.now())
        guard let publication else { throw PublishingError.nothingPublished(root: plan.reportsPath) }
        outcome.note(publication, plan: plan)
        if let freshness = outcome.freshness { tell(freshness.event) }
        if let event = outcome.missingDays?.event { tell(event) }
        return outcome
    }

    /// - Parameter id: a run of `publish --list`; nil: the one before.
    /// - Returns: the run that readers see now.
    package func rollback(to id: String?) throws -> String {
        // Without the store's folder there is no run to be kept out, nor a place for the lock.
        let folder = (plan.storePath as NSString).deletingLastPathComponent
        try PlaceSafety.check(store: plan.storePath, reports: plan.reportsPath)
        let isThere = folder.isEmpty || FileManager.default.fileExists(atPath: folder)
        let lock = isThere ? try RunLock(path: plan.storePath + ".lock", owner: surroundings.owner) : nil
        defer { lock?.release() }
        let audit = AuditRecorder(plan, surroundings)
        try audit?.prepare()
        let run = try PublicationFolder(root: plan.reportsPath).rollback(to: id)
        try audit?.record(.rollback) { $0.runID = run }
        return run
    }
}
