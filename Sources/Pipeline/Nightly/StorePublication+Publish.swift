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
import Publishing
import Store
import Trips

extension StorePublication {
    /// Makes the store's numbers what readers see; nil if there is nothing yet to be published.
    ///
    /// - Parameter identify: told the run's id, as soon as it is known.
    func publish(
        tell: (RunEvent) -> Void, identify: (String) -> Void = { _ in }, now: Date
    ) throws -> NightlyOutcome.Publication? {
        let started = Date()
        let folder = PublicationFolder(root: plan.reportsPath)
        let current = try folder.currentID()
        let figures = try StoreFigures(store: store)
        guard current != nil || !figures.exports.isEmpty else { return nil }
        let ledger = figures.ledgerDigest()
        let id = try runID(ledger: ledger)
        identify(id)
        let (result, tally) = try figures.result(countsContributors: plan.disclosure.costDominancePercent != nil)
        let missing = MissingDays(tripsByDay: Dictionary(uniqueKeysWithValues: tally.tripsByDay()))
        let summaries = try folder.recentSummaries()
        var facts = try figures.facts(missingDays: missing.all, summaries)
        facts.previousSummary = summaries.current
        let report = try ScanReport(
            result, rules: plan.rules.stamp, runID: id, disclosure: plan.disclosure, isInternal: false,
            generatedAtEpochSeconds: plan.generatedAtEpochSeconds, store: facts)
        let rows = try plan.rowTerms.map {
            try PublishedTripRows(
                $0, store: store, withholding: report.withheldMonths, reportsPath: plan.reportsPath)
        }
        defer { rows?.removeDraft() }
        let own = [
            PublicationDraft.File(
                name: "kpi-summary.json", mediaType: "application/json", bytes: report.bytes(.json)),
            PublicationDraft.File(
                name: "kpi-cells.csv", mediaType: "text/csv", bytes: report.bytes(.csv), rows: report.cells),
            PublicationDraft.File(
                name: DashboardPage.fileName, mediaType: DashboardPage.mediaType, bytes: try report.dashboard()),
        ]
        let files = own + (rows.map { [$0.file] } ?? [])
        let draft = try PublicationDraft(
            PublicationDraft.Facts(
                runID: id, generatedAt: UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).description,
                dataThrough: report.dataThrough?.description, ledger: ledger, exports: figures.exports.count,
                rules: plan.rules.stamp,
                minimumCell: plan.disclosure.minimumCell, tool: plan.tool),
            files: files)
        try release(draft, report)
        let isNew = try folder.publish(draft) != .unchanged
        if isNew {
            for restated in report.restatedMonths where restated.restatedAt == report.generatedAt {
                if let month = Month(restated.month) { tell(.monthRestated(month)) }
            }
            tell(
                .publishDone(
                    id: id, files: files.count + 1, bytes: files.reduce(0) { $0 + $1.byteCount },
                    cells: report.cells, suppressedCells: report.suppressedCells,
                    durationMilliseconds: Int(Date().timeIntervalSince(started) * 1000)))
        } else {
            tell(.publishUnchanged(id: id))
        }
        try folder.keep(last: plan.keptRuns, nowEpochSeconds: Int(now.timeIntervalSince1970))
        return NightlyOutcome.Publication(
            runID: id, isNew: isNew, newestDay: newestDay(of: tally),
            missingDays: missing, months: result.table.months.count, suppressedCells: report.suppressedCells)
    }

    /// Looks through the files and writes down that they are published; throws while readers still see the old set and
    /// nothing of the new one is on the disk.
    private func release(_ draft: PublicationDraft, _ report: ScanReport) throws {
        let terms = report.scanTerms(identifiers)
        let scan = OutputScan(terms)
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
