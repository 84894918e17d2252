import Basics
import Dashboard
import ExportBytes
import Files
import Foundation
import KPIContract
import KPIs
import Operations
import OutputScan
import Privacy
import Publishing
import Reporting
import Rules
import Settings
import Store
import Trips

/// The store's figures on their way to readers: tallies → table → `Privacy` → reports → published sets.
struct StorePublication {
    private let session: WritingSession
    private let figures: FigureSettings
    private let policy: PublicationPolicy
    /// What the run has read of identifiers; nil: nothing was read.
    private let identifiers: IdentifierSet?
    private let request: PublishRequest

    init(
        _ session: WritingSession, _ figures: FigureSettings, _ policy: PublicationPolicy,
        identifiers: IdentifierSet? = nil, _ request: PublishRequest = PublishRequest()
    ) {
        self.session = session
        self.figures = figures
        self.policy = policy
        self.identifiers = identifiers
        self.request = request
    }

    var store: TripStore { session.store }
    private var now: UTCTime { session.environment.generatedAt }
    private var today: CivilDay { now.day }
    private var register: ReleaseRegister {
        ReleaseRegister(store: store, rule: figures.disclosure.rule, months: figures.months)
    }
    private var eventReleases: EventReleases {
        EventReleases(store: store, minimumCell: figures.disclosure.minimumCell)
    }

    func tell(_ event: RunEvent) { session.environment.tell(event) }

    /// Publishes the store for each audience, if there is anything to be published: reads, plans, prepares every set, and only
    /// then records how the release changes and lets readers see the sets.
    ///
    /// - Parameter identify: receives the run's id as soon as it is known.
    func publish(into outcome: inout NightlyOutcome, identify: (String) -> Void = { _ in }) throws {
        guard let source = try read(identify) else { return }
        let changes = try plannedChanges(source)
        let sets = try preparedSets(source, changes)
        // Every file has passed the audit: the release may change.
        if let changes { try record(changes) }
        let publication = try write(sets, source, changes)
        try removeOldSets(source.published, source.cutoff, but: source.audiences)
        outcome.note(publication, policy, generatedAt: now)
        if let freshness = outcome.freshness { tell(freshness.event) }
        if let event = outcome.missingDays?.event { tell(event) }
    }

    /// What the sets are made of.
    private struct Source {
        let stored: StoreFigures
        let id: String
        let ledger: String
        let figures: TrueFigures
        let missingDays: MissingDays
        let newestDay: CivilDay?
        let published: PublishedSets
        /// Those whose set is not held.
        let audiences: [Audience]
        let cutoff: RemovalCutoff
    }

    /// Nil: there is nothing to be published, and nothing was before.
    private func read(_ identify: (String) -> Void) throws -> Source? {
        store.releaseMemory()
        let stored = try StoreFigures(store: store, months: figures.months)
        let published = PublishedSets(root: session.site.reports)
        guard try published.newestID() != nil || !stored.exports.isEmpty else { return nil }
        let ledger = stored.ledgerDigest()
        let id = try runID(ledger: ledger)
        identify(id)
        let result = try stored.result(), loaded = try stored.unlimited(result.tally)
        tellOddMonths(result.tally, loaded)
        return Source(
            stored: stored, id: id, ledger: ledger, figures: result,
            missingDays: MissingDays(tripsByDay: Dictionary(uniqueKeysWithValues: result.tally.tripsByDay())),
            newestDay: loaded.newestDay(on: today), published: published, audiences: try openAudiences(published),
            cutoff: try RemovalCutoff(store))
    }

    /// Months that look wrong, and those that the settings leave out.
    private func tellOddMonths(_ tally: KPITally, _ loaded: KPITally) {
        let edges = EdgeMonths(tally.tripsByMonth).without(today.month)
        if !edges.isEmpty { tell(.edgeMonths(edges.first + edges.last, sentences: edges.sentences)) }
        let left = LeftOutMonths(loaded.tripsByMonth, figures.months, thisMonth: today.month)
        if !left.months.isEmpty { tell(.monthsLeftOut(left.months, isWarning: left.hasRealMonths)) }
    }

    /// The audiences for which something is published: not those whose set is held.
    private func openAudiences(_ published: PublishedSets) throws -> [Audience] {
        try policy.audiences.filter { audience in
            guard let since = try published.folder(audience).heldSince() else { return true }
            tell(.publishHeld(audience: audience.rawValue, since: since))
            return false
        }
    }

    /// The time and a digest: the same store, settings and time give the same id.
    private func runID(ledger: String) throws -> String {
        var hash = ContentHash()
        let lists = try store.lists()
        let failed = try store.failedExports().map(\.sha256).sorted(), waived = try store.waivers().keys.sorted()
        let parts =
            [ledger, figures.rules.version, "\(figures.disclosure.minimumCell)", session.environment.tool]
            + lists.regions.names + lists.tripTypes.names + failed + waived
            + (policy.rows.map { $0.digestParts + ["\($0.deidentifier.lastWholeYear)"] } ?? [])
            + figures.disclosure.digestParts + figures.months.digestParts + figures.targets.map(\.digestPart)
            + (policy.hasWorkbooks ? ["workbooks"] : [])
        hash.update(Array(parts.joined(separator: "\n").utf8))
        return now.compact + "-" + hash.hexadecimal.prefix(12)
    }

    /// How this publication changes the release. Nothing of it is recorded yet.
    private struct ReleaseChanges {
        var plan: PublicationPlan
        /// Events of months whose events are shown for the first time.
        var events: EventTally
    }

    /// Nil if nothing is published for readers of the release.
    ///
    /// - Throws: `DisclosureError.releasedByAnotherStore`.
    private func plannedChanges(_ source: Source) throws -> ReleaseChanges? {
        guard source.audiences.contains(.release) else { return nil }
        let disclosure = figures.disclosure, result = source.figures
        let plan = try PublicationPlan(
            register, ReleaseRevision(store: store, rule: disclosure.rule),
            PublicationPlan.Request(
                tally: result.tally, rulesVersion: figures.rules.version, schedule: disclosure.revisions,
                revision: request.revision, generatedAt: now, approval: policy.approval,
                isApproved: request.approvedBy != nil),
            everyMonth: { try figures.months.isNone ? result.tally : store.tally(shape: store.shape()) },
            check: RepeatedReleaseCheck(
                folder: source.published.folder(.release), context: result.context,
                missingCounts: disclosure.missingCounts))
        // Events wait with the months that wait.
        let months = plan.unapproved.isEmpty ? plan.releases.map(\.month).filter(figures.months.contains) : []
        let events = try eventReleases.plan(months: months, generatedAt: now)
        if let withheld = plan.withheld { tell(withheld) }
        if let waiting = plan.waiting { tell(waiting) }
        return ReleaseChanges(plan: plan, events: events)
    }

    private func record(_ changes: ReleaseChanges) throws {
        func record() throws {
            try changes.plan.record(tell)
            try store.release(events: changes.events)
        }
        guard let name = request.approvedBy else { return try record() }
        guard changes.plan.changesMonths else {
            tell(.approvalUnused())
            return try record()
        }
        // Before the store changes: whatever stops the publication, the log has who approved it.
        try session.audit.recording(
            .approve,
            { entry in
                entry.approvedBy = name
                entry.counts = [("months", changes.plan.changedMonths)]
            }, isUndone: changes.plan.isUnrecorded, record)
    }

    /// In parallel if there is more than one worker. A set of the release without a released month is a failure, and is left
    /// out when the sets are written.
    ///
    /// - Throws: what stops any other set.
    private func preparedSets(
        _ source: Source, _ changes: ReleaseChanges?
    ) throws -> [(set: AudienceSet, prepared: Result<PreparedSet, any Error>)] {
        var statement = try source.stored.facts(missingDays: source.missingDays.all)
        statement.released = try register.figures(
            changes?.plan.releases ?? store.releases(), current: source.figures.tally)
        statement.releasedEvents = try eventReleases.events(with: changes?.events ?? EventTally())
        let sets = try source.audiences.map { audience in
            let folder = source.published.folder(audience)
            var own = statement
            own.previousSummary = try audience == .staff ? source.cutoff.comparableSummary(of: folder) : nil
            return AudienceSet(
                session, figures, policy, identifiers: identifiers, audience: audience, id: source.id,
                ledger: source.ledger, statement: own, folder: folder, acceptsClock: request.acceptsClock)
        }
        let prepared = Workers.results(of: sets.count, threads: session.environment.workers) { index in
            Result { try sets[index].prepared(source.figures) }
        }
        for case .failure(let error) in prepared where error as? DisclosureError != .nothingReleasedYet {
            throw error
        }
        return zip(sets, prepared).map { (set: $0, prepared: $1) }
    }

    /// Lets readers see the sets.
    private func write(
        _ sets: [(set: AudienceSet, prepared: Result<PreparedSet, any Error>)], _ source: Source,
        _ changes: ReleaseChanges?
    ) throws -> NightlyOutcome.Publication {
        // The metrics describe the set of the release where there is one.
        let measured = policy.audiences.count == 1 ? policy.audiences[0] : Audience.release
        let held =
            source.audiences.contains(measured) ? nil : try source.published.folder(measured).currentSummary()
        var publication = NightlyOutcome.Publication(
            runID: source.id, isNew: false, newestDay: source.newestDay, missingDays: source.missingDays,
            months: held?.months.count ?? 0, suppressedCells: held?.privacy.suppressedCells ?? 0)
        // Rows of a month that is released tonight are others, even if the staff's figures are not. And what was made before a
        // removal is replaced.
        let isNewForStaff =
            try policy.rows != nil && changes?.plan.changesMonths ?? false
            || source.cutoff.precedesCurrent(of: source.published.folder(.staff))
        for (set, prepared) in sets {
            do {
                let report = try prepared.get().report
                let isNew = try set.publish(prepared.get(), isNew: isNewForStaff && set.audience == .staff)
                publication.isNew = publication.isNew || isNew
                if set.audience == measured {
                    publication.months = report.months
                    publication.suppressedCells = report.suppressedCells
                }
            } catch DisclosureError.nothingReleasedYet where policy.audiences.count > 1 {
                // The staff set is there all the same.
                if changes?.plan.waiting == nil { tell(.nothingReleasedYet) }
            }
        }
        return publication
    }
}
