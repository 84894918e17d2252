package import Releases
import Scans
import Operations
import Foundation
import OutputScan
import Privacy
import Publishing
import Store
import Trips

/// The nightly job: lock → new exports of the inbox → store → tallies of the months they touch → reports →
/// publish.
///
/// Each export is one transaction, the published set is switched by one rename, and what lies between is computed
/// again if it is missing: a run may be killed at any instant, and the next one goes on. Events are reported as they happen;
/// what is returned is what a caller needs for its exit code and metrics.
package struct NightlyRun {
    private let plan: NightlyPlan
    private let environment: RunEnvironment

    package init(_ plan: NightlyPlan, _ environment: RunEnvironment) {
        self.plan = plan
        self.environment = environment
    }

    package func run() throws -> NightlyOutcome {
        var outcome = NightlyOutcome()
        var started = environment.now()
        let tell = environment.tell
        func end(_ stage: RunMetrics.Stage) {
            let now = environment.now()
            outcome.note(stage, from: started, to: now)
            tell(.stageDone(stage, durationMilliseconds: Int(now.timeIntervalSince(started) * 1000)))
            started = now
        }
        let inbox = try Inbox(folder: plan.inbox, profile: plan.profile)
        let opening = try StoreOpening(plan, owner: environment.owner)
        defer { opening.lock.release() }
        tell(.lockTaken(process: environment.owner.process))
        let store = opening.store
        let audit = AuditRecorder(plan, environment)
        try audit?.prepare()
        let identifiers = IdentifierCollector()
        // Before anything is loaded: a wrong clock would stand in the ledger for good.
        try PublishedFolders(root: plan.reportsPath).checkClock(
            UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).description)
        end(.find)
        try RuleChange(
            store: store, plan: plan, tell: tell, checkpoint: environment.checkpoint, audit: audit
        ).carryOut()
        let session = try load(inbox, opening, identifiers, audit, into: &outcome)
        end(.load)
        tell(.monthsTouched(try store.refreshTallies(session, workers: plan.workers)))
        end(.tally)
        try environment.checkpoint()
        let publication = try StorePublication(
            store: store, plan: plan, identifiers: identifiers.identifiers, audit: audit
        ).publish(
            tell: tell,
            identify: { id in
                var owner = environment.owner
                owner.runID = id
                opening.lock.tell(owner)
                environment.identify(id)
            }, now: environment.now())
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
            environment.tell(.exportSkipped(FileLabel(fileName: file.path), file.isHidden ? .hidden : .noExport))
        }
        var loading = try StoreLoading(
            store: opening.store, plan: plan,
            options: ExportLoader.Options(
                key: opening.key, rules: plan.rules, crosswalk: opening.crosswalk, workers: plan.workers,
                maximumRejectPerMillion: plan.maximumRejectPerMillion, identifiers: identifiers,
                checkpoint: environment.checkpoint,
                progress: environment.progress),
            profileNames: inbox.files.compactMap(\.profile), tell: environment.tell)
        for file in inbox.files {
            try environment.checkpoint()
            outcome.note(try loading.load(file), isOfInbox: true)
        }
        try audit?.record(loading, counts: outcome.counts, key: opening.key, plan: plan)
        try loading.rememberFiles()
        return loading.session
    }
}
