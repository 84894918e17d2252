import Settings
import Releases
import Scans
import Operations
import Rules
import Dashboard
import Deidentification
import Foundation
import Intake
import KPIContract
import KPIs
import Keys
import OutputScan
import Privacy
import Publishing
import Store
import Trips

extension StorePublication {
    /// Publishes the store for each audience; nil if there is nothing yet to be published.
    ///
    /// - Parameter identify: told the run's id, as soon as it is known.
    func publish(
        tell: (RunEvent) -> Void, identify: (String) -> Void = { _ in }, now: Date
    ) throws -> NightlyOutcome.Publication? {
        store.releaseMemory()
        let figures = try StoreFigures(store: store)
        let folders = PublishedFolders(root: plan.reportsPath)
        guard try folders.newestID() != nil || !figures.exports.isEmpty else { return nil }
        let ledger = figures.ledgerDigest()
        let id = try runID(ledger: ledger)
        identify(id)
        let (result, tally) = try figures.result()
        let missing = MissingDays(tripsByDay: Dictionary(uniqueKeysWithValues: tally.tripsByDay()))
        let changes = try plannedChanges(result, readers: folders.folder(.release))
        var facts = try figures.facts(missingDays: missing.all)
        facts.released = try ReleaseRegister(store: store, rule: plan.disclosure.rule)
            .figures(changes.releases, current: tally)
        var publication = NightlyOutcome.Publication(
            runID: id, isNew: false, newestDay: newestDay(of: tally), missingDays: missing, months: 0,
            suppressedCells: 0)
        let sets = plan.audiences.map { audience in
            AudienceSet(
                audience: audience, id: id, ledger: ledger, exports: figures.exports.count,
                folder: folders.folder(audience))
        }
        let prepared = try prepare(sets, result, facts)
        for case .failure(let error) in prepared where error as? DisclosureError != .nothingReleasedYet {
            throw error
        }
        // Every file has passed the audit: the release may change.
        try record(changes, tell: tell)
        for (set, prepared) in zip(sets, prepared) {
            do {
                let outcome = try publish(set, prepared.get(), tell: tell, now: now)
                publication.isNew = publication.isNew || outcome.isNew
                if set.audience == .release || sets.count == 1 {
                    publication.months = outcome.months
                    publication.suppressedCells = outcome.suppressedCells
                }
            } catch DisclosureError.nothingReleasedYet where sets.count > 1 {
                // The staff set is there all the same.
                tell(.nothingReleasedYet)
            }
        }
        return publication
    }

    /// How this publication changes the release. Nothing of it is recorded yet.
    private struct ReleaseChanges {
        /// Nil: no revision is asked for or due.
        var revision: ReleaseRevision.Plan?
        var added = ReleaseRegister.Plan()
        /// All releases after these changes; ascending.
        var releases: [StoredRelease]
    }

    /// - Throws: `DisclosureError.releasedByAnotherStore`.
    private func plannedChanges(_ result: ScanResult, readers: PublicationFolder) throws -> ReleaseChanges {
        var changes = ReleaseChanges(releases: try store.releases())
        guard plan.audiences.contains(.release) else { return changes }
        let now = plan.generatedAtEpochSeconds, rulesVersion = plan.rules.stamp.version
        changes.added = try ReleaseRegister(store: store, rule: plan.disclosure.rule)
            .plan(result.tally, rulesVersion: rulesVersion, generatedAtEpochSeconds: now)
        try PublishedRelease(folder: readers, context: result.context, missingCounts: plan.disclosure.missingCounts)
            .requireSame(changes.added, known: Set(changes.releases.map(\.month)), path: store.path)
        let revision = ReleaseRevision(store: store, rule: plan.disclosure.rule)
        if try isRevisionAsked || revision.isDue(plan.disclosure.revisions, generatedAtEpochSeconds: now) {
            changes.revision = try revision.plan(result.tally, rulesVersion: rulesVersion, at: now)
        }
        let changed = (changes.revision?.releases ?? []) + changes.added.releases
        let months = Set(changed.map(\.month))
        changes.releases = (changes.releases.filter { !months.contains($0.month) } + changed).sorted {
            $0.month < $1.month
        }
        return changes
    }

    private func record(_ changes: ReleaseChanges, tell: (RunEvent) -> Void) throws {
        if let revision = changes.revision {
            try ReleaseRevision(store: store, rule: plan.disclosure.rule)
                .record(revision, at: plan.generatedAtEpochSeconds)
            tell(.releaseRevised(revision.months, groups: revision.groups, waiting: revision.waiting))
            if !revision.unknown.isEmpty { tell(.revisionNotPossible(revision.unknown)) }
        }
        if !changes.added.releases.isEmpty {
            try ReleaseRegister(store: store, rule: plan.disclosure.rule).record(changes.added)
            tell(.monthsReleased(changes.added.months))
        }
    }

    /// One audience's set on its way to its folder.
    private struct AudienceSet: Sendable {
        let audience: Audience
        let id: String
        let ledger: String
        let exports: Int
        let folder: PublicationFolder
    }

    /// Prepares the sets in parallel if the plan has more than one worker.
    private func prepare(
        _ sets: [AudienceSet], _ result: ScanResult, _ facts: ScanReport.StoreFacts
    ) throws -> [Result<PreparedSet, any Error>] {
        let facts = try sets.map { set in
            var facts = facts
            facts.previousSummary = set.audience == .staff ? try set.folder.currentSummary() : nil
            return facts
        }
        return Workers.results(of: sets.count, threads: plan.workers) { index in
            Result { try PreparedSet(for: sets[index].audience, result, facts[index], runID: sets[index].id, plan) }
        }
    }

    private func publish(
        _ set: AudienceSet, _ prepared: PreparedSet, tell: (RunEvent) -> Void, now: Date
    ) throws -> (isNew: Bool, months: Int, suppressedCells: Int) {
        let started = Date()
        let report = prepared.report
        let rows = try set.audience == .staff ? rows(set.folder) : nil
        defer { rows?.removeDraft() }
        var files = prepared.files
        if let rows { files.append(rows.file) }
        let draft = try PublicationDraft(
            PublicationManifestV1(
                runId: set.id, generatedAt: UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).description,
                contractVersion: KPISummaryV1.version, dataThrough: report.dataThrough?.description, files: [],
                ledger: set.ledger, exports: set.exports, rules: plan.rules.stamp, minimumCell: report.minimumCell,
                tool: plan.tool),
            files: files)
        try check(draft, report, set.audience)
        let isNew = try set.folder.publish(draft) != .unchanged
        if isNew {
            for restated in report.restatedMonths where restated.restatedAt == report.generatedAt {
                if let month = Month(restated.month) { tell(.monthRestated(month)) }
            }
            let bytes = files.reduce(0) { $0 + $1.entry.bytes }
            let milliseconds = Int((prepared.seconds + Date().timeIntervalSince(started)) * 1000)
            tell(
                .publishDone(
                    id: set.id, audience: set.audience.rawValue, files: files.count + 1, bytes: bytes,
                    cells: report.cells, suppressedCells: report.suppressedCells, durationMilliseconds: milliseconds))
        } else {
            tell(.publishUnchanged(id: set.id, audience: set.audience.rawValue))
        }
        try set.folder.keep(last: plan.keptRuns, nowEpochSeconds: Int(now.timeIntervalSince1970))
        return (isNew, report.months, report.suppressedCells)
    }

    /// Rows are for staff, whatever their profile: beside the release's groups, rows of the same trips would tell how the
    /// groups are divided.
    private func rows(_ folder: PublicationFolder) throws -> PublishedTripRows? {
        try plan.rowPolicy.map { terms in
            let released = try store.releasedMonths()
            let withheld = terms.minimumGroup > 1 ? Set(try store.months()).subtracting(released) : []
            return try PublishedTripRows(terms, store: store, withholding: withheld, folder: folder)
        }
    }

    /// Scans the files for identifiers and records that they are published; throws while readers still see the old set
    /// and nothing of the new one is on the disk.
    private func check(_ draft: PublicationDraft, _ report: ScanReport, _ audience: Audience) throws {
        let terms = report.scanTerms(identifiers)
        let scan = OutputScan(terms)
        let manifest = PublicationDraft.File(
            name: PublicationManifestV1.fileName, mediaType: "application/json", bytes: draft.manifest.canonicalJSON())
        let files = draft.files + [manifest]
        // The page repeats the summary, and names no row and column: what is wrong is told of the other files first.
        let page = DashboardPage.fileName
        let inOrder = files.filter { $0.entry.name != page } + files.filter { $0.entry.name == page }
        let findings = try inOrder.flatMap { file in
            switch file.content {
            case .bytes(let bytes): scan.findings(in: bytes, named: file.entry.name)
            case .draft(let path):
                try RowRelease(plan.rowPolicy, publicTexts: terms.publicTexts, identifiers: identifiers)
                    .findings(inFile: path, named: file.entry.name)
            }
        }
        if let refusal = OutputRefusal(findings) { throw refusal }
        try audit?.record(.publish) { entry in
            entry.configuration = plan.auditedConfiguration
            entry.outputs = files.map(\.entry).map { .init(name: $0.name, bytes: $0.bytes, sha256: $0.sha256) }
            entry.isInternal = audience == .staff
            entry.rowProfile = plan.rowPolicy?.deidentifier.profile.rawValue
            entry.outputScan = OutputScan.text(of: identifiers)
            report.describe(in: &entry)
        }
    }

    /// The newest day with a trip; one that lies in the future is a slip and says nothing of how fresh the data are.
    private func newestDay(of tally: KPITally) -> CivilDay? {
        let today = UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).day
        return tally.tripsByDay().last { $0.day.daysSince1970 <= today.daysSince1970 + 1 }?.day
    }
}
