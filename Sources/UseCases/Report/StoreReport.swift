package import Basics
package import KPIContract
import KPIs
import Operations
package import Privacy
import Profiles
import Publishing
package import Reporting
package import Settings
import Store
package import Trips

/// A part of the store's numbers for `report`: from the tallies of its months, while a run may be writing to it.
package struct StoreReport {
    private let storePath: String
    private let audience: Audience
    private let disclosure: DisclosureSettings
    private let result: TrueFigures
    private let facts: FigureReport.StoreStatement
    private let notes: [String]
    private let rules: KPISummaryV1.RuleSetStamp

    /// - Parameters:
    ///   - reportsPath: the folder of published sets; what it says of restated months is repeated.
    ///   - limits: the months of the figures.
    ///   - audience: for whom `report(generatedAt:)` makes it.
    /// - Throws: `RunLockError.held` if a run is under way and does not end soon, `StoreError.stale` if one was stopped
    ///   before it had finished the numbers of these months.
    package init(
        storePath: String, reportsPath: String, selection request: ReportSelection.Request,
        months limits: MonthLimits, disclosure: DisclosureSettings, audience: Audience
    ) throws {
        self.disclosure = disclosure
        self.audience = audience
        self.storePath = storePath
        let folder = PublishedSets(root: reportsPath).folder(audience)
        let current = try folder.currentID()
        let published = try current.flatMap { try folder.manifest(of: $0) }
        (result, facts, rules, notes) = try FinishedStore(path: storePath).value {
            let store = try TripStore(reading: storePath)
            return try store.readConsistently {
                try store.checkLedger()
                let figures = try StoreFigures(store: store, months: limits)
                let lists = try store.lists()
                let selection = try ReportSelection(
                    request, vocabulary: Vocabulary(regions: lists.regions, tripTypes: lists.tripTypes))
                // A staff set from before a removal has figures of what was removed.
                let restatements =
                    try audience == .staff
                    ? RemovalCutoff(store).comparableSummary(of: folder)?.restatements
                    : folder.currentSummary()?.restatements
                let result = try figures.result(selection: selection), tally = result.tally
                let missing = MissingDays(
                    tripsByDay: Dictionary(uniqueKeysWithValues: tally.tripsByDay(in: selection.cells.months)))
                var facts = try figures.facts(missingDays: missing.all)
                if audience == .release {
                    facts.released = try ReleaseRegister(store: store, rule: disclosure.rule, months: limits)
                        .figures(store.releases(), current: tally)
                    facts.releasedEvents = try store.releasedEvents()
                }
                facts.publishedRestatements = (restatements ?? []).filter { restated in
                    guard let months = selection.cells.months, let month = Month(restated.month) else { return true }
                    return months.contains(month)
                }
                let rules = try store.rules()
                return (
                    result, facts, KPISummaryV1.RuleSetStamp(name: rules.name, version: rules.version),
                    try Self.notes(figures, facts.exports, published, in: reportsPath)
                )
            }
        }
    }

    private static func notes(
        _ figures: StoreFigures, _ exports: KPISummaryV1.ExportCounts, _ published: PublicationManifestV1?,
        in reports: String
    ) throws -> [String] {
        var notes: [String] = []
        let rejects = try figures.store.quarantine()
        if !rejects.isEmpty {
            let records = rejects.reduce(0) { $0 + $1.export.recordsRejected }
            notes.append(
                "note: \(NumberText.counted(records, "record")) of \(NumberText.counted(rejects.count, "export")) "
                    + "\(records == 1 ? "was" : "were") rejected; `tripkpi quarantine list` says why")
        }
        if exports.failed > 0 {
            notes.append(
                "note: \(NumberText.counted(exports.failed, "export")) could not be loaded and "
                    + "\(exports.failed == 1 ? "counts" : "count") in nothing; `tripkpi quarantine list` says why")
        }
        guard let published else {
            return notes + ["note: nothing is published yet in \(reports), so no month is restated"]
        }
        let isSame = published.ledger == figures.ledgerDigest()
        return notes + [
            "published: \(published.runId), \(published.generatedAt), of "
                + (isSame
                    ? "the same exports" : "other exports than the store holds now; `tripkpi publish` shows these")
        ]
    }

    /// What a dry run says.
    package var dryRunLines: [String] {
        [
            "store \(storePath): \(NumberText.counted(result.counts.added, "trip")) of "
                + NumberText.counted(facts.exports.loaded, "export")
        ] + result.selection + notes
    }

    /// What a scan of the exports would say, and what is published; the equation comes before.
    package var messages: [String] { ScanMessages(result, months: facts.months).lines + notes }

    /// Why a cell of the release is not shown or not whole; of a report without a selection.
    package func explanation(of cell: CellRequest, generatedAt now: UTCTime) throws -> ReleasedCellExplanation {
        try ReleasedCellExplanation(
            result, cell, months: facts.months, minimumCell: disclosure.minimumCell, today: WithheldMonths.today(now)
        ) { () throws(DisclosureError) in
            try FigureReport(
                result, rules: rules, runID: "explain", disclosure: disclosure, audience: audience,
                generatedAt: now, store: facts)
        }
    }

    package func report(
        targets: [MeasureTarget] = [], generatedAt: UTCTime, runID: String = "report"
    ) throws -> FigureReport {
        try FigureReport(
            result, rules: rules, runID: runID, disclosure: disclosure, audience: audience,
            generatedAt: generatedAt, store: facts, targets: targets)
    }
}
