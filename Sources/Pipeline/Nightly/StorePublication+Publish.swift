import Classification
import Foundation
import KPIContract
import KPIs
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
        guard try current != nil || !store.exports().isEmpty else { return nil }
        let ledger = Self.ledgerDigest(of: try store.exports())
        let id = try runID(ledger: ledger)
        identify(id)
        let (result, tally) = try result()
        let missing = MissingDays(tripsByDay: Dictionary(uniqueKeysWithValues: tally.tripsByDay()))
        let report = try ScanReport(
            result, rules: plan.rules, runID: id, minimumCell: plan.minimumCell, isInternal: false,
            generatedAtEpochSeconds: plan.generatedAtEpochSeconds,
            store: try facts(missingDays: missing.days, previous: current.flatMap { summary(of: $0, in: folder) }))
        let files = [
            PublicationDraft.File(
                name: "kpi-summary.json", mediaType: "application/json", bytes: report.bytes(.json)),
            PublicationDraft.File(
                name: "kpi-cells.csv", mediaType: "text/csv", bytes: report.bytes(.csv), rows: report.cells),
        ]
        let draft = try PublicationDraft(
            PublicationDraft.Facts(
                runID: id, generatedAt: UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).description,
                dataThrough: result.latestDay?.description, ledger: ledger, exports: try store.exports().count,
                rules: KPISummaryV1.RuleSetStamp(name: plan.rules.name, version: plan.rules.version),
                minimumCell: plan.minimumCell, tool: plan.tool),
            files: files)
        let isNew = try folder.publish(draft) != .unchanged
        if isNew {
            for restated in report.restatedMonths where restated.restatedAt == report.generatedAt {
                if let month = Month(restated.month) { tell(.monthRestated(month)) }
            }
            tell(
                .publishDone(
                    id: id, files: files.count + 1, bytes: files.reduce(0) { $0 + $1.bytes.count },
                    cells: report.cells, suppressedCells: report.suppressedCells,
                    durationMilliseconds: Int(Date().timeIntervalSince(started) * 1000)))
        } else {
            tell(.publishUnchanged(id: id))
        }
        try folder.keep(last: plan.keptRuns, nowEpochSeconds: Int(now.timeIntervalSince1970))
        return NightlyOutcome.Publication(
            runID: id, isNew: isNew, newestDay: result.latestDay,
            missingDays: missing, months: result.table.months.count, suppressedCells: report.suppressedCells)
    }

    /// What readers see now; nil if it cannot be read: then there is nothing that a month could be restated against.
    private func summary(of id: String, in folder: PublicationFolder) -> KPISummaryV1? {
        guard let bytes = try? folder.contents(of: "kpi-summary.json", in: id) else { return nil }
        return try? JSONDecoder().decode(KPISummaryV1.self, from: Data(bytes))
    }

    func facts(missingDays: [CivilDay], previous: KPISummaryV1? = nil) throws -> ScanReport.StoreFacts {
        let failed = try store.failedExports().map(\.sha256), waivers = try store.waivers()
        let waived = failed.filter { waivers[$0] != nil }.count
        return ScanReport.StoreFacts(
            exports: KPISummaryV1.ExportCounts(
                loaded: try store.exports().count, failed: failed.count - waived, waived: waived),
            missingDays: missingDays, previousSummary: previous)
    }
}
