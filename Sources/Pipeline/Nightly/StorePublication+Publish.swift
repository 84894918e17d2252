import Foundation
import KPIContract
import KPIs
import Operations
import Publishing
import Store
package import Trips

extension StorePublication {
    /// What readers see now.
    package struct Outcome: Sendable {
        package var runID: String
        /// False if readers saw this very set before.
        package var isNew: Bool
        package var newestDay: CivilDay?
        package var missingDays: MissingDays
        package var months: Int
        package var suppressedCells: Int
        package var restatedMonths: [String]
    }

    /// Makes the store's numbers what readers see; nil if there is nothing yet to be published.
    func publish(tell: (RunEvent) -> Void, now: Date) throws -> Outcome? {
        let started = Date()
        let folder = PublicationFolder(root: plan.reportsPath)
        let current = try folder.currentID()
        guard try current != nil || !store.exports().isEmpty else { return nil }
        let ledger = try ledgerDigest()
        let id = try runID(ledger: ledger)
        let (result, tally) = try result()
        let report = try ScanReport(
            result, rules: plan.rules, runID: id, minimumCell: plan.minimumCell, isInternal: false,
            generatedAtEpochSeconds: plan.generatedAtEpochSeconds)
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
            tell(
                .publishDone(
                    id: id, files: files.count + 1, bytes: files.reduce(0) { $0 + $1.bytes.count },
                    cells: report.cells, suppressedCells: report.suppressedCells,
                    durationMilliseconds: Int(Date().timeIntervalSince(started) * 1000)))
        } else {
            tell(.publishUnchanged(id: id))
        }
        try folder.keep(last: plan.keptRuns, nowEpochSeconds: Int(now.timeIntervalSince1970))
        return Outcome(
            runID: id, isNew: isNew, newestDay: result.latestDay,
            missingDays: MissingDays(tripsByDay: Dictionary(uniqueKeysWithValues: tally.tripsByDay())),
            months: result.table.months.count, suppressedCells: report.suppressedCells, restatedMonths: [])
    }
}
