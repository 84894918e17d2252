package import Releases
package import Scans
package import Operations
import Foundation
package import Privacy
import Publishing
import Store

/// Publishes the store as it is, without looking for exports, and goes back to earlier sets: what `publish` does. It
/// holds the run lock meanwhile, as every writer does.
package struct PublishRun {
    private let plan: NightlyPlan
    private let environment: RunEnvironment

    package init(_ plan: NightlyPlan, _ environment: RunEnvironment) {
        self.plan = plan
        self.environment = environment
    }

    /// Months that a stopped run left unfinished are tallied first, and trips are classified again if the rules have changed.
    ///
    /// - Parameter isRevision: whether the release of released months is revised now.
    /// - Throws: `StoreError.missing` without a store, `PublishingError.nothingPublished` if the store holds no export.
    package func publish(isRevision: Bool = false) throws -> NightlyOutcome {
        guard try !TripStore.isAbsent(plan.storePath) else {
            throw StoreError.missing(path: plan.storePath)
        }
        let tell = environment.tell
        let opening = try StoreOpening(plan, owner: environment.owner)
        defer { opening.lock.release() }
        let store = opening.store
        let audit = AuditRecorder(plan, environment)
        try audit?.prepare()
        try RuleChange(store: store, plan: plan, tell: tell, audit: audit).carryOut()
        let months = try store.refreshTallies(try store.session(shape: try store.shape()), workers: plan.workers)
        if !months.isEmpty { tell(.monthsTouched(months)) }
        try environment.checkpoint()
        var outcome = NightlyOutcome()
        let publication = try StorePublication(
            store: store, plan: plan, audit: audit, isRevisionAsked: isRevision
        ).publish(
            tell: tell, now: environment.now())
        guard let publication else { throw PublishingError.nothingPublished(root: plan.reportsPath) }
        outcome.note(publication, plan: plan)
        if let freshness = outcome.freshness { tell(freshness.event) }
        if let event = outcome.missingDays?.event { tell(event) }
        return outcome
    }

    /// Goes back to earlier sets. It needs the published folder alone: no rules, profiles, tables or key.
    ///
    /// - Parameters:
    ///   - id: a run of `publish --list`; nil: the one before.
    ///   - audiences: whose sets; each that has one to go back to.
    /// - Returns: the runs that readers see now.
    package static func rollback(
        to id: String?, audiences: [Audience], reportsPath: String, storePath: String, audit: AuditRecorder?,
        owner: LockOwner
    ) throws -> [(audience: Audience, run: String)] {
        // Without the store's folder there is no run to be kept out, nor a place for the lock.
        let folder = (storePath as NSString).deletingLastPathComponent
        try PlaceSafety.check(store: storePath, reports: reportsPath)
        let isThere = folder.isEmpty || FileManager.default.fileExists(atPath: folder)
        let lock = isThere ? try RunLock(path: storePath + ".lock", owner: owner) : nil
        defer { lock?.release() }
        try audit?.prepare()
        let folders = PublishedFolders(root: reportsPath)
        let able = try audiences.filter { audience in
            guard let id else { return try folders.folder(audience).previousID() != nil }
            return try folders.folder(audience).list().contains { $0.id == id }
        }
        guard !able.isEmpty else {
            if let id { throw PublishingError.unknownRun(id) }
            throw PublishingError.nothingToGoBackTo(root: reportsPath)
        }
        var runs: [(audience: Audience, run: String)] = []
        for audience in able {
            let run = try folders.folder(audience).rollback(to: id)
            try audit?.record(.rollback) { $0.runID = run }
            runs.append((audience, run))
        }
        return runs
    }
}
