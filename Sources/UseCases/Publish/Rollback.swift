package import Basics
import Files
import Foundation
package import Operations
package import Privacy
import Publishing
package import Reporting

/// `publish --rollback`: back to earlier sets, under the run lock. It needs the published folder alone: no rules,
/// profiles, tables or key.
package struct Rollback {
    private let site: StoreSite
    private let audit: AuditRecorder
    private let owner: LockOwner

    package init(_ site: StoreSite, audit: AuditRecorder, owner: LockOwner) {
        self.site = site
        self.audit = audit
        self.owner = owner
    }

    /// - Parameters:
    ///   - id: a run of `publish --list`; nil: the one before.
    ///   - audiences: whose sets, of those that have one to go back to; nil: see `PublishedSets.rollbackGoals`.
    ///   - heldAt: the time from which on runs publish nothing for these audiences; nil: the next run does.
    /// - Returns: the runs that readers see now.
    /// - Throws: before anything is changed, if one of the sets is damaged.
    package func run(
        to id: String?, audiences: [Audience]?, heldAt: UTCTime? = nil
    ) throws -> [(audience: Audience, run: String)] {
        try locked { try back(to: id, audiences, heldAt: heldAt) }
    }

    /// Ends holds: the next run publishes again.
    ///
    /// - Returns: the audiences whose set was held.
    package func resume(_ audiences: [Audience]) throws -> [Audience] {
        try locked {
            let sets = PublishedSets(root: site.reports)
            let held = try audiences.filter { try sets.folder($0).heldSince() != nil }
            for audience in held {
                let folder = sets.folder(audience)
                let run = try folder.currentID(), before = try folder.state()
                try audit.recording(
                    .resume, { Self.fill(&$0, audience, run) }, isUndone: { try folder.state() == before }
                ) { _ = try folder.resume() }
            }
            return held
        }
    }

    private func locked<Value>(_ body: () throws -> Value) throws -> Value {
        // Without the store's folder there is neither a run to keep out nor a place for the lock.
        let folder = (site.store as NSString).deletingLastPathComponent
        try PlaceSafety.check(store: site.store, reports: site.reports, auditLog: audit.path)
        let isThere = try folder.isEmpty || FileStatus.lookUp(folder) != nil
        let lock = isThere ? try RunLock(path: site.store + ".lock", owner: owner) : nil
        defer { lock?.release() }
        try audit.prepare()
        return try body()
    }

    private func back(
        to id: String?, _ audiences: [Audience]?, heldAt: UTCTime?
    ) throws -> [(audience: Audience, run: String)] {
        let sets = PublishedSets(root: site.reports)
        let goals = try sets.rollbackGoals(to: id, audiences: audiences, isHeld: heldAt != nil)
        let event: AuditEntry.Event = heldAt == nil ? .rollback : .hold
        let before = try goals.map { try sets.folder($0.audience).state() }
        var recorded = 0
        do {
            // All of them first: a rollback that can be recorded for one audience only is done for none.
            for goal in goals {
                try audit.record(event) { Self.fill(&$0, goal.audience, goal.run) }
                recorded += 1
            }
            for goal in goals { try change(sets.folder(goal.audience), goal.run, heldAt: heldAt) }
        } catch {
            for (goal, state) in zip(goals, before).prefix(recorded) {
                guard let now = try? sets.folder(goal.audience).state(), now == state else { continue }
                try? audit.recordRefused(event) { Self.fill(&$0, goal.audience, goal.run) }
            }
            throw error
        }
        return goals
    }

    private func change(_ folder: PublicationFolder, _ run: String, heldAt: UTCTime?) throws {
        // Held first: a stop between the two leaves nothing that the next run would undo.
        if let heldAt { try folder.hold(run, at: heldAt.description) }
        try folder.makeCurrent(run)
    }

    private static func fill(_ entry: inout AuditEntry, _ audience: Audience, _ run: String?) {
        entry.runID = run
        entry.isInternal = audience == .staff
    }
}
