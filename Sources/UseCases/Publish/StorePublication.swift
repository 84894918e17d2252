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

    /// Publishes the store for each audience, if there is anything to be published.
    ///
    /// - Parameter identify: receives the run's id as soon as it is known.
    func publish(into outcome: inout NightlyOutcome, identify: (String) -> Void = { _ in }) throws {
        guard let publication = try publish(identify) else { return }
        outcome.note(publication, policy, generatedAt: now)
        if let freshness = outcome.freshness { tell(freshness.event) }
        if let event = outcome.missingDays?.event { tell(event) }
    }

    private func publish(_ identify: (String) -> Void) throws -> NightlyOutcome.Publication? {
        store.releaseMemory()
        let stored = try StoreFigures(store: store, months: figures.months)
        let published = PublishedSets(root: session.site.reports)
        guard try published.newestID() != nil || !stored.exports.isEmpty else { return nil }
        let ledger = stored.ledgerDigest()
        let id = try runID(ledger: ledger)
        identify(id)
        let result = try stored.result(), tally = result.tally
        let missing = MissingDays(tripsByDay: Dictionary(uniqueKeysWithValues: tally.tripsByDay()))
        let loaded = try stored.unlimited(tally)
        tellOddMonths(tally, loaded)
        let audiences = try openAudiences(published)
        let cutoff = try RemovalCutoff(store, publishingTo: published, at: now)
        let changes = try plannedChanges(result, for: audiences, readers: published.folder(.release))
        if let withheld = changes?.plan.withheld { tell(withheld) }
        if let waiting = changes?.plan.waiting { tell(waiting) }
        var facts = try stored.facts(missingDays: missing.all)
        facts.released = try register.figures(changes?.plan.releases ?? store.releases(), current: tally)
        facts.releasedEvents = try eventReleases.events(with: changes?.events ?? EventTally())
        var publication = NightlyOutcome.Publication(
            runID: id, isNew: false, newestDay: loaded.newestDay(on: today), missingDays: missing, months: 0,
            suppressedCells: 0)
        if !audiences.contains(measuredAudience) {
            try note(published.folder(measuredAudience).currentSummary(), in: &publication)
        }
        let sets = audiences.map { audience in
            AudienceSet(
                audience: audience, id: id, ledger: ledger, exports: stored.exports.count,
                folder: published.folder(audience))
        }
        let prepared = try prepare(sets, result, facts, cutoff)
        for case .failure(let error) in prepared where error as? DisclosureError != .nothingReleasedYet {
            throw error
        }
        // Every file has passed the audit: the release may change.
        if let changes { try record(changes) }
        // Rows of a month that is released tonight are others, even if the staff's figures are not. And what was made before a
        // removal is replaced.
        let staffTime = try published.newestTime([.staff])
        let isNewForStaff =
            policy.rows != nil && changes?.plan.changesMonths ?? false || cutoff.precedes(staffTime)
        for (set, prepared) in zip(sets, prepared) {
            do {
                let outcome = try publish(
                    set, prepared.get(), isNew: isNewForStaff && set.audience == .staff)
                publication.isNew = publication.isNew || outcome.isNew
                if set.audience == measuredAudience {
                    publication.months = outcome.months
                    publication.suppressedCells = outcome.suppressedCells
                }
            } catch DisclosureError.nothingReleasedYet where policy.audiences.count > 1 {
                // The staff set is there all the same.
                if changes?.plan.waiting == nil { tell(.nothingReleasedYet) }
            }
        }
        try removeOldSets(published, before: cutoff, but: audiences)
        return publication
    }

    /// Months that look wrong, and those that the settings leave out.
    private func tellOddMonths(_ tally: KPITally, _ loaded: KPITally) {
        let edges = EdgeMonths(tally.tripsByMonth).without(today.month)
        if !edges.isEmpty { tell(.edgeMonths(edges.first + edges.last, sentences: edges.sentences)) }
        let left = LeftOutMonths(loaded.tripsByMonth, figures.months, thisMonth: today.month)
        if !left.months.isEmpty { tell(.monthsLeftOut(left.months, isWarning: left.hasRealMonths)) }
    }

    /// Whose set the metrics describe.
    private var measuredAudience: Audience { policy.audiences.count == 1 ? policy.audiences[0] : .release }

    /// Notes a set that stays as it is, since it is held.
    private func note(_ held: KPISummaryV1?, in publication: inout NightlyOutcome.Publication) {
        publication.months = held?.months.count ?? 0
        publication.suppressedCells = held?.privacy.suppressedCells ?? 0
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
    private func plannedChanges(
        _ result: TrueFigures, for audiences: [Audience], readers: PublicationFolder
    ) throws -> ReleaseChanges? {
        guard audiences.contains(.release) else { return nil }
        let disclosure = figures.disclosure
        let plan = try PublicationPlan(
            register, ReleaseRevision(store: store, rule: disclosure.rule),
            PublicationPlan.Request(
                tally: result.tally, rulesVersion: figures.rules.version, schedule: disclosure.revisions,
                revision: request.revision, generatedAt: now, approval: policy.approval,
                isApproved: request.approvedBy != nil),
            everyMonth: { try figures.months.isNone ? result.tally : store.tally(shape: store.shape()) },
            check: RepeatedReleaseCheck(
                folder: readers, context: result.context, missingCounts: disclosure.missingCounts))
        // Events wait with the months that wait.
        let months = plan.unapproved.isEmpty ? plan.releases.map(\.month).filter(figures.months.contains) : []
        let events = try eventReleases.plan(months: months, generatedAt: now)
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

    /// One audience's set on its way to its folder.
    private struct AudienceSet: Sendable {
        let audience: Audience
        let id: String
        let ledger: String
        let exports: Int
        let folder: PublicationFolder
    }

    /// Prepares the sets in parallel if there is more than one worker.
    private func prepare(
        _ sets: [AudienceSet], _ result: TrueFigures, _ facts: FigureReport.StoreStatement, _ cutoff: RemovalCutoff
    ) throws -> [Result<PreparedSet, any Error>] {
        let facts = try sets.map { set in
            var facts = facts
            facts.previousSummary = try set.audience == .staff ? cutoff.comparable(set.folder.currentSummary()) : nil
            return facts
        }
        return Workers.results(of: sets.count, threads: session.environment.workers) { index in
            Result {
                try PreparedSet(
                    for: sets[index].audience, result, facts[index], runID: sets[index].id, rules: figures.rules.stamp,
                    disclosure: figures.disclosure, targets: figures.targets,
                    hasTripsPage: sets[index].audience == .staff && policy.rows != nil, generatedAt: now)
            }
        }
    }

    private func publish(
        _ set: AudienceSet, _ prepared: PreparedSet, isNew mustBeNew: Bool
    ) throws -> (isNew: Bool, months: Int, suppressedCells: Int) {
        let report = prepared.report
        let unchanged = mustBeNew || request.acceptsClock ? nil : try currentID(sayingTheSameAs: report, set)
        let isNew = try unchanged == nil && write(set, prepared)
        if !isNew { tell(.publishUnchanged(id: unchanged ?? set.id, audience: set.audience.rawValue)) }
        try set.folder.keep(
            last: policy.keptRuns, at: now.description,
            from: try session.believesClock() ? policy.retention.oldestRun(at: now)?.description : nil,
            now: UTCTime(session.environment.now()))
        return (isNew, report.months, report.suppressedCells)
    }

    /// - Returns: whether readers see another set than before.
    private func write(_ set: AudienceSet, _ prepared: PreparedSet) throws -> Bool {
        let started = Date()
        let report = prepared.report
        let rows = try set.audience == .staff ? rows(set.folder) : nil
        defer { rows?.removeDrafts() }
        var files = prepared.files
        if let rows { files += rows.files }
        let workbooks = try workbooks(set, report)
        files += workbooks
        let draft = try PublicationDraft(
            PublicationManifestV1(
                runId: set.id, generatedAt: now.description,
                contractVersion: KPISummaryV1.version, dataThrough: report.dataThrough?.description, files: [],
                ledger: set.ledger, exports: set.exports, rules: figures.rules.stamp, minimumCell: report.minimumCell,
                tool: session.environment.tool),
            files: files)
        let all = try scanned(draft, report, without: Set(workbooks.map(\.entry.name)))
        let isSame = try set.folder.currentSummary().map(report.showsTheSame) ?? false
        let before = try set.folder.state()
        let published = try session.audit.recording(
            .publish, { fill(&$0, report, set.audience, all) },
            isUndone: { try set.folder.state() == before }
        ) {
            try set.folder.publish(
                draft, keepingPrevious: isSame, overLater: request.acceptsClock)
        }
        guard published != .unchanged else { return false }
        for restated in report.restatedMonths where restated.restatedAt == report.generatedAt.description {
            if let month = Month(restated.month) { tell(.monthRestated(month)) }
        }
        let bytes = files.reduce(0) { $0 + $1.entry.bytes }
        let milliseconds = Int((prepared.seconds + Date().timeIntervalSince(started)) * 1000)
        tell(
            .publishDone(
                id: set.id, audience: set.audience.rawValue, files: files.count + 1, bytes: bytes,
                cells: report.cells, suppressedCells: report.suppressedCells, durationMilliseconds: milliseconds))
        return true
    }

    /// Those of the staff set that pass the scan for identifiers.
    private func workbooks(_ set: AudienceSet, _ report: FigureReport) throws -> [PublicationDraft.File] {
        guard policy.hasWorkbooks, set.audience == .staff else { return [] }
        let made = try StaffWorkbooks(report, store, limits: figures.months, createdAt: now, folder: set.folder)
        let (files, refusals) = made.scanned(by: OutputScan(report.scanTerms(identifiers)))
        for refusal in refusals { tell(.fileLeftOut(refusal.name, why: refusal.why)) }
        return files
    }

    /// The current set, if it is whole, was made of the same store with the same settings, and says the same: only time
    /// has passed. Then there is nothing to publish, and `previous` stays a different set.
    private func currentID(sayingTheSameAs report: FigureReport, _ set: AudienceSet) throws -> String? {
        guard let id = try set.folder.currentID(), let manifest = try set.folder.manifest(of: id),
            manifest.runId.split(separator: "-").last == set.id.split(separator: "-").last,
            let summary = try set.folder.summary(of: id), report.saysTheSame(as: summary),
            try set.folder.check(id).isEmpty
        else { return nil }
        return id
    }

    /// Rows are for staff, whatever their profile: beside the release's groups, rows of the same trips would tell how the
    /// groups are divided.
    private func rows(_ folder: PublicationFolder) throws -> PublishedTripRows? {
        try policy.rows.map { policy in
            let released = try store.releasedMonths()
            let withheld = try store.months().filter {
                !figures.months.contains($0) || policy.minimumGroup > 1 && !released.contains($0)
            }
            return try PublishedTripRows(policy, store: store, withholding: Set(withheld), folder: folder)
        }
    }

    /// Scans the files for identifiers; throws while readers still see the old set and nothing of the new one is on the disk.
    ///
    /// - Parameter scanned: files that were scanned already.
    /// - Returns: all files, the manifest too.
    private func scanned(
        _ draft: PublicationDraft, _ report: FigureReport, without scanned: Set<String>
    ) throws -> [PublicationDraft.File] {
        let terms = report.scanTerms(identifiers)
        let scan = OutputScan(terms)
        let rowRelease = RowCheck(policy.rows, publicTexts: terms.publicTexts, identifiers: identifiers)
        let manifest = PublicationDraft.File(
            name: PublicationManifestV1.fileName, mediaType: "application/json", bytes: draft.manifest.canonicalJSON())
        let files = draft.files + [manifest]
        // The pages repeat the other files, and name no row and column: what is wrong is told of the other files first.
        let pages: Set = [PublishedFileNames.page, PublishedFileNames.tripsPage]
        let inOrder = files.filter { !pages.contains($0.entry.name) } + files.filter { pages.contains($0.entry.name) }
        let findings = try inOrder.filter { !scanned.contains($0.entry.name) }.flatMap { file in
            switch file.content {
            case .bytes(let bytes) where file.entry.name == PublishedFileNames.tripsPage:
                rowRelease.findings(inPage: bytes, named: file.entry.name)
            case .bytes(let bytes): scan.findings(in: bytes, named: file.entry.name)
            case .draft(let path) where file.entry.name == PublishedFileNames.tripPages:
                try rowRelease.findings(inPages: TripPages(path: path), named: file.entry.name)
            case .draft(let path):
                try rowRelease.findings(inFile: path, named: file.entry.name)
            }
        }
        if let refusal = OutputRefusal(findings) { throw refusal }
        return files
    }

    private func fill(
        _ entry: inout AuditEntry, _ report: FigureReport, _ audience: Audience, _ files: [PublicationDraft.File]
    ) {
        entry.configuration = figures.digest(tool: session.environment.tool)
        entry.outputs = files.map(\.entry).map { .init(name: $0.name, bytes: $0.bytes, sha256: $0.sha256) }
        entry.isInternal = audience == .staff
        entry.rowProfile = policy.rows?.deidentifier.profile.rawValue
        entry.outputScan = OutputScan.text(of: identifiers)
        report.describe(in: &entry)
    }
}
