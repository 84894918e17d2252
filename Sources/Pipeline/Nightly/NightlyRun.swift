import Audit
package import Foundation
package import Operations
import OutputScan
import Privacy
import Publishing
import Store
import Trips

/// The nightly job (SPEC §6): lock → new exports of the inbox → store → tallies of the months they touch → reports →
/// publish.
///
/// Each export is one transaction, the published set is switched by one rename, and what lies between is worked out
/// again if it is missing: a run may be killed at any instant, and the next one goes on. Events go out as things happen;
/// what is returned is what a caller needs for its exit code and metrics.
package struct NightlyRun {
    /// What the run is told by its process.
    package struct Surroundings: Sendable {
        package var owner: LockOwner
        package var tell: @Sendable (RunEvent) -> Void
        /// Told the id of the run once it is known: when all is loaded, for it says what is published.
        package var identify: @Sendable (String) -> Void = { _ in }
        /// Asked at safe points; throws to stop.
        package var checkpoint: @Sendable () throws -> Void
        /// Told how many bytes of the export under way were taken.
        package var progress: @Sendable (Int) -> Void
        /// The real clock, whatever `SOURCE_DATE_EPOCH` says: for durations and the age of old sets.
        package var now: @Sendable () -> Date

        package init(
            owner: LockOwner, tell: @escaping @Sendable (RunEvent) -> Void = { _ in },
            checkpoint: @escaping @Sendable () throws -> Void = {},
            progress: @escaping @Sendable (Int) -> Void = { _ in },
            now: @escaping @Sendable () -> Date = { Date() }
        ) {
            self.owner = owner
            self.tell = tell
            self.checkpoint = checkpoint
            self.progress = progress
            self.now = now
        }
    }

    private let plan: NightlyPlan
    private let surroundings: Surroundings

    package init(_ plan: NightlyPlan, _ surroundings: Surroundings) {
        self.plan = plan
        self.surroundings = surroundings
    }

    package func run() throws -> NightlyOutcome {
        var outcome = NightlyOutcome()
        var started = surroundings.now()
        let tell = surroundings.tell
        func end(_ stage: RunMetrics.Stage) {
            let now = surroundings.now()
            outcome.note(stage, from: started, to: now)
            tell(.stageDone(stage, durationMilliseconds: Int(now.timeIntervalSince(started) * 1000)))
            started = now
        }
        let inbox = try Inbox(folder: plan.inbox, profile: plan.profile)
        let opening = try StoreOpening(plan, owner: surroundings.owner)
        defer { opening.lock.release() }
        tell(.lockTaken(process: surroundings.owner.process))
        let store = opening.store
        let audit = AuditRecorder(plan, surroundings)
        try audit?.prepare()
        let identifiers = IdentifierCollector()
        // Before anything is loaded: a wrong clock would stand in the ledger for good.
        try PublishedFolders(root: plan.reportsPath).checkClock(
            UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).description)
        end(.find)
        try RuleChange(
            store: store, plan: plan, tell: tell, checkpoint: surroundings.checkpoint, audit: audit
        ).carryOut()
        let session = try load(inbox, opening, identifiers, audit, into: &outcome)
        end(.load)
        tell(.monthsTouched(try store.settle(session, workers: plan.workers)))
        end(.tally)
        try surroundings.checkpoint()
        let publication = try StorePublication(
            store: store, plan: plan, identifiers: identifiers.identifiers, audit: audit
        ).publish(
            tell: tell,
            identify: { id in
                var owner = surroundings.owner
                owner.runID = id
                opening.lock.tell(owner)
                surroundings.identify(id)
            }, now: surroundings.now())
        if let publication {
            outcome.note(publication, plan: plan)
            if let freshness = outcome.freshness { tell(freshness.event) }
            if let event = outcome.missingDays?.event { tell(event) }
        }
        end(.publish)
        return outcome
    }

    private func load(
        _ inbox: Inbox, _ opening: StoreOpening, _ identifiers: IdentifierCollector, _ audit: AuditRecorder?,
        into outcome: inout NightlyOutcome
    ) throws -> StoreSession {
        for file in inbox.skipped {
            surroundings.tell(.exportSkipped(FileLabel(fileName: file.path), file.isHidden ? .hidden : .noExport))
        }
        var loading = try StoreLoading(
            store: opening.store, plan: plan,
            terms: ExportLoader.Terms(
                key: opening.key, rules: plan.rules, crosswalk: opening.crosswalk, workers: plan.workers,
                maximumRejectPerMillion: plan.maximumRejectPerMillion, identifiers: identifiers,
                checkpoint: surroundings.checkpoint,
                progress: surroundings.progress),
            profileNames: inbox.files.compactMap(\.profile), tell: surroundings.tell)
        for file in inbox.files {
            try surroundings.checkpoint()
            outcome.note(try loading.load(file), isOfInbox: true)
        }
        try audit?.record(loading, counts: outcome.counts, key: opening.key, plan: plan)
        try loading.rememberFiles()
        return loading.session
    }
}
