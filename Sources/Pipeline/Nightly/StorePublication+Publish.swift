import Audit
import Classification
import Dashboard
import Deidentification
import Foundation
import Hashing
import KPIContract
import KPIs
import OutputScan
import Operations
import Privacy
import Publishing
import Reports
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
        let register = ReleaseRegister(store: store, rule: plan.disclosure.rule)
        if plan.audiences.contains(.release) {
            try requireKnownRelease(folders.folder(.release), result)
            try revise(tally, tell: tell)
            let released = try register.releaseClosedMonths(
                tally, rulesVersion: plan.rules.stamp.version, generatedAtEpochSeconds: plan.generatedAtEpochSeconds)
            if !released.isEmpty { tell(.monthsReleased(released)) }
        }
        var facts = try figures.facts(missingDays: missing.all)
        facts.released = try register.figures(current: tally)
        var publication = NightlyOutcome.Publication(
            runID: id, isNew: false, newestDay: newestDay(of: tally), missingDays: missing, months: 0,
            suppressedCells: 0)
        for audience in plan.audiences {
            let set = AudienceSet(
                audience: audience, id: id, ledger: ledger, exports: figures.exports.count,
                folder: folders.folder(audience))
            do {
                let outcome = try publish(set, result, facts, tell: tell, now: now)
                publication.isNew = publication.isNew || outcome.isNew
                if audience == .release || plan.audiences == [audience] {
                    publication.months = outcome.months
                    publication.suppressedCells = outcome.suppressedCells
                }
            } catch DisclosureError.nothingReleasedYet where plan.audiences.count > 1 {
                // The staff set is there all the same.
                tell(.nothingReleasedYet)
            }
        }
        return publication
    }

    /// A store that is new, or a copy from before a release, may release a month again only as readers have it: else they
    /// could subtract one release from the other.
    ///
    /// - Throws: `DisclosureError.releasedByAnotherStore`.
    private func requireKnownRelease(_ folder: PublicationFolder, _ result: ScanResult) throws {
        guard let summary = try folder.currentSummary() else { return }
        let known = Set(try store.releases().map(\.month.description))
        let unknown = summary.months.filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        let rule = plan.disclosure.rule
        let released = unknown.compactMap { Month($0) }.map { month in
            ReleasedMonth(month: month, partition: rule.partition(of: month, in: result.tally))
        }
        let publishable = try? Publishable(
            releasing: released, tally: result.tally, withholding: [], context: result.context,
            minimumCell: rule.minimumCell, missingCounts: plan.disclosure.missingCounts)
        func key(_ cell: KPISummaryV1.Cell) -> [String] { [cell.month, cell.region, cell.tripType] }
        let again = publishable.map { SummaryReport.cells(of: $0) } ?? []
        let cells = Dictionary(again.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let changed = unknown.filter { month in
            summary.cells.contains { cell in
                guard cell.month == month, cell.revisionPending != true else { return cell.month == month }
                return cells[key(cell)].map { $0 != cell } ?? (cell.region != NamedList.unassigned)
            }
        }
        guard changed.isEmpty else { throw DisclosureError.releasedByAnotherStore(months: changed) }
    }

    /// Revises the release of released months, on request or when a period of the schedule has begun.
    private func revise(_ tally: KPITally, tell: (RunEvent) -> Void) throws {
        let revision = ReleaseRevision(store: store, rule: plan.disclosure.rule)
        let now = plan.generatedAtEpochSeconds
        guard try isRevisionAsked || revision.isDue(plan.disclosure.revisions, generatedAtEpochSeconds: now) else {
            return
        }
        let outcome = try revision.carryOut(
            current: tally, rulesVersion: plan.rules.stamp.version, generatedAtEpochSeconds: now)
        tell(.releaseRevised(outcome.months, groups: outcome.groups, waiting: outcome.waiting))
        if !outcome.unknown.isEmpty { tell(.revisionNotPossible(outcome.unknown)) }
    }

    /// One audience's set on its way to its folder.
    private struct AudienceSet {
        let audience: Audience
        let id: String
        let ledger: String
        let exports: Int
        let folder: PublicationFolder
    }

    private func publish(
        _ set: AudienceSet, _ result: ScanResult, _ facts: ScanReport.StoreFacts, tell: (RunEvent) -> Void, now: Date
    ) throws -> (isNew: Bool, months: Int, suppressedCells: Int) {
        let started = Date()
        var facts = facts
        facts.previousSummary = set.audience == .staff ? try set.folder.currentSummary() : nil
        let report = try ScanReport(
            result, rules: plan.rules.stamp, runID: set.id, disclosure: plan.disclosure, audience: set.audience,
            generatedAtEpochSeconds: plan.generatedAtEpochSeconds, store: facts, isForSet: true)
        let rows = try set.audience == .staff ? rows(set.folder) : nil
        defer { rows?.removeDraft() }
        var files = try files(of: report)
        if let rows { files.append(rows.file) }
        let draft = try PublicationDraft(
            PublicationDraft.Facts(
                runID: set.id, generatedAt: UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).description,
                dataThrough: report.dataThrough?.description, ledger: set.ledger, exports: set.exports,
                rules: plan.rules.stamp, minimumCell: report.minimumCell, tool: plan.tool),
            files: files)
        try check(draft, report, set.audience)
        let isNew = try set.folder.publish(draft) != .unchanged
        if isNew {
            for restated in report.restatedMonths where restated.restatedAt == report.generatedAt {
                if let month = Month(restated.month) { tell(.monthRestated(month)) }
            }
            let bytes = files.reduce(0) { $0 + $1.byteCount }
            let milliseconds = Int(Date().timeIntervalSince(started) * 1000)
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
        try plan.rowTerms.map { terms in
            let released = Set(try store.releases().map(\.month))
            let withheld = terms.minimumGroup > 1 ? Set(try store.months()).subtracting(released) : []
            return try PublishedTripRows(terms, store: store, withholding: withheld, folder: folder)
        }
    }

    private func files(of report: ScanReport) throws -> [PublicationDraft.File] {
        [
            PublicationDraft.File(
                name: PublishedSetCheck.summaryName, mediaType: "application/json", bytes: report.bytes(.json)),
            PublicationDraft.File(
                name: PublishedSetCheck.cellsName, mediaType: "text/csv", bytes: report.bytes(.csv),
                rows: report.cells),
            PublicationDraft.File(
                name: DashboardPage.fileName, mediaType: DashboardPage.mediaType, bytes: try report.dashboard()),
        ]
    }

    /// Scans the files for identifiers and records that they are published; throws while readers still see the old set
    /// and nothing of the new one is on the disk.
    private func check(_ draft: PublicationDraft, _ report: ScanReport, _ audience: Audience) throws {
        let terms = report.scanTerms(identifiers)
        let scan = OutputScan(terms)
        let published = draft.files.compactMap { file in
            if case .bytes(let bytes) = file.content { (file.name, bytes) } else { nil }
        }
        let audited = report.auditFindings(in: Dictionary(published, uniquingKeysWith: { first, _ in first }))
        guard audited.isEmpty else { throw DisclosureError.auditFailed(audited) }
        let manifest = PublicationDraft.File(
            name: PublicationManifestV1.fileName, mediaType: "application/json", bytes: draft.manifest.canonicalJSON())
        let files = draft.files + [manifest]
        // The page repeats the summary, and names no row and column: what is wrong is told of the other files first.
        let page = DashboardPage.fileName
        let inOrder = files.filter { $0.name != page } + files.filter { $0.name == page }
        let findings = try inOrder.flatMap { file in
            switch file.content {
            case .bytes(let bytes): scan.findings(in: bytes, named: file.name)
            case .draft(let path):
                try RowRelease(plan.rowTerms, publicTexts: terms.publicTexts, identifiers: identifiers)
                    .findings(inFile: path, named: file.name)
            }
        }
        if let refusal = OutputRefusal(findings) { throw refusal }
        try audit?.record(.publish) { entry in
            entry.configuration = plan.auditedConfiguration
            entry.outputs = files.map { .init(name: $0.name, bytes: $0.byteCount, sha256: $0.sha256) }
            entry.isInternal = audience == .staff
            entry.rowProfile = plan.rowTerms?.deidentifier.profile.name.rawValue
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
