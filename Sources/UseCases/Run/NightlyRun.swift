import Foundation
import Operations
import OutputScan
import Reporting
import Settings
import Store
import Trips

/// `run`, the nightly job: lock → new exports of the inbox → store → tallies of the months they touch → reports →
/// publish.
///
/// Each export is one transaction, the published set is switched by one rename, and what lies between is computed
/// again if it is missing: a run may be killed at any instant, and the next one continues. Events are reported as they
/// happen; the outcome is what a caller needs for its exit code and metrics.
package struct NightlyRun: Sendable {
    private let site: StoreSite
    private let figures: FigureSettings
    private let policy: PublicationPolicy
    private let replacesLostStore: Bool
    private let earlierStore: String?

    /// - Parameters:
    ///   - replacesLostStore: whether a new store is made even if sets were published from one that is missing.
    ///   - earlierStore: the path of a store whose releases are taken over; nil: none is.
    package init(
        _ site: StoreSite, _ figures: FigureSettings, _ policy: PublicationPolicy, replacesLostStore: Bool = false,
        releasesOf earlierStore: String? = nil
    ) {
        self.earlierStore = earlierStore
        self.site = site
        self.figures = figures
        self.policy = policy
        self.replacesLostStore = replacesLostStore
    }

    /// - Parameter identify: receives the run's id once it is known: after the loading, on which it depends.
    package func run(
        _ environment: RunEnvironment, identify: (String) -> Void = { _ in }
    ) throws -> NightlyOutcome {
        var outcome = NightlyOutcome()
        var started = environment.now()
        let tell = environment.tell
        func end(_ stage: RunMetrics.Stage) {
            let now = environment.now()
            outcome.note(stage, from: started, to: now)
            tell(.stageDone(stage, durationMilliseconds: Int(now.timeIntervalSince(started) * 1000)))
            started = now
        }
        let inbox = try Inbox(figures.reading)
        let newStore = WritingSession.NewStore(rules: figures.rules, replacesLost: replacesLostStore)
        try WritingSession.run(site, environment, newStore: newStore) { session in
            tell(.lockTaken(process: environment.owner.process))
            let identifiers = IdentifierCollector()
            // Before anything is loaded: the ledger would have a wrong clock for good.
            try session.requireClock(for: policy.audiences)
            end(.find)
            try session.adoptRules(of: figures)
            try removeOldTrips(session)
            let adoption = try earlierStore.map { try ReleaseAdoption(of: $0, session) }
            let changes = try load(inbox, session, identifiers, into: &outcome)
            end(.load)
            tell(.monthsTouched(try session.refreshTallies(changes)))
            try adoption?.finish()
            end(.tally)
            try environment.checkpoint()
            try StorePublication(session, figures, policy, identifiers: identifiers.identifiers).publish(
                into: &outcome
            ) { id in
                session.identify(id)
                identify(id)
            }
            end(.publish)
        }
        return outcome
    }

    /// A store without trips has none that is too old, and a clock that is ahead must not move its first month.
    private func removeOldTrips(_ session: WritingSession) throws {
        guard policy.retention != RetentionTimes(), try session.store.totals().trips > 0 else { return }
        guard try session.believesClock() else { return session.environment.tell(.retentionPaused()) }
        guard let month = policy.retention.firstMonth(at: session.environment.generatedAt) else { return }
        try session.removeTrips(before: month, figures.rules)
    }

    private func load(
        _ inbox: Inbox, _ session: WritingSession, _ identifiers: IdentifierCollector,
        into outcome: inout NightlyOutcome
    ) throws -> LoadSession {
        for file in inbox.skipped {
            session.environment.tell(
                .exportSkipped(FileLabel(fileName: file.path), file.isHidden ? .hidden : .noExport))
        }
        let (events, trips) = figures.reading.divided(inbox.files)
        var loading = try StoreLoading(
            session, figures, profileNames: trips.compactMap(\.profile), identifiers: identifiers)
        for file in trips {
            try session.environment.checkpoint()
            outcome.note(try loading.load(file), isOfInbox: true)
        }
        var eventLoading = try EventLoading(session, figures)
        for file in events {
            try session.environment.checkpoint()
            outcome.note(try eventLoading.load(file, .found), isOfInbox: true)
        }
        if try inbox.files.isEmpty && session.store.exports().isEmpty { session.environment.tell(.inboxEmpty()) }
        try loading.rememberFiles()
        return loading.changes
    }
}
