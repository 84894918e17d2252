package import KPIContract
import KPIs
package import Privacy
package import Dashboard
import Operations
import Reports
package import Trips

/// A scan's result on its way out: through `Privacy`, then to whichever form is asked for.
package struct ScanReport: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case table, csv, json, ndjson
    }

    /// What a report from the store says besides the numbers.
    package struct StoreFacts: Sendable {
        package var exports: KPISummaryV1.ExportCounts
        package var missingDays: [CivilDay]
        /// What readers saw until now: months that differ from it are restated.
        package var previousSummary: KPISummaryV1?
        /// What readers see now and what they saw before: what these hide of months that were over stays hidden.
        package var publishedSummaries: [KPISummaryV1] = []
        /// All months of the store, ascending.
        package var months: [Month] = []
        /// Those that have begun: of which there are more than a few trips, which may be slips.
        package var begunMonths: [Month] = []
        /// Restated months of the published set, for a report that is not compared with it.
        package var publishedRestatements: [KPISummaryV1.Restatement] = []

        package init(
            exports: KPISummaryV1.ExportCounts, missingDays: [CivilDay], previousSummary: KPISummaryV1? = nil
        ) {
            self.exports = exports
            self.missingDays = missingDays
            self.previousSummary = previousSummary
        }
    }

    /// A month ends later where clocks are behind UTC.
    private static let farthestWestSeconds = 12 * 3600

    let report: SummaryReport
    private let generatedAtEpochSeconds: Int
    /// Months that are left out of everything.
    let withheldMonths: Set<Month>
    /// The latest day of a trip that counts here.
    let dataThrough: CivilDay?

    /// - Parameters:
    ///   - generatedAtEpochSeconds: now, or `SOURCE_DATE_EPOCH`.
    ///   - isInternal: nothing is hidden, and everything is stamped so.
    ///   - store: what only the store knows.
    package init(
        _ result: ScanResult, rules: KPISummaryV1.RuleSetStamp, runID: String = "scan",
        disclosure: DisclosureTerms = DisclosureTerms(), isInternal: Bool, generatedAtEpochSeconds: Int,
        store: StoreFacts? = nil
    ) throws(DisclosureError) {
        self.generatedAtEpochSeconds = generatedAtEpochSeconds
        let control = DisclosureControl(
            minimumCell: disclosure.minimumCell, release: store == nil ? .single : .series,
            costDominance: disclosure.costDominancePercent.map(CostDominance.init(percent:)))
        let (publishable, history) =
            if isInternal {
                try Self.unhidden(result, control)
            } else {
                try Self.hidden(
                    result, control, store,
                    runningMonth: disclosure.withholdsRunningMonth
                        ? store.flatMap { store in
                            RunningMonth.first(
                                of: store.begunMonths, newestDay: { result.tally.latestDay(in: $0...$0, without: []) },
                                on: UTCTime(secondsSince1970: generatedAtEpochSeconds - Self.farthestWestSeconds).day)
                        } : nil)
            }
        withheldMonths = Set(publishable.withheldMonths)
        // The newest trip of a month that is not shown would be one of a few.
        dataThrough = result.latestDay(withholding: withheldMonths)
        let facts = RunFacts(
            generatedAtEpochSeconds: generatedAtEpochSeconds, runID: runID, dataThrough: dataThrough,
            dateBasis: result.dateBasis, counts: result.counts, rulesName: rules.name, rulesVersion: rules.version,
            exports: store?.exports ?? .init(loaded: result.files.count), missingDays: store?.missingDays,
            previousSummary: store?.previousSummary,
            publishedRestatements: store?.publishedRestatements ?? [], selection: result.selection)
        report = SummaryReport(publishable, history: history, facts: facts)
    }

    /// What is asked for, and what its months are compared with: the same regions and types in all months. The second is
    /// nil if these are all the months.
    private static func unhidden(
        _ result: ScanResult, _ control: DisclosureControl
    ) throws(DisclosureError) -> (asked: Publishable, history: Publishable?) {
        let asked = try control.publish(result.table, mode: .internalUse)
        guard let everyMonth = result.cells.months == nil ? nil : result.ofEveryMonth() else { return (asked, nil) }
        return (asked, try control.publish(everyMonth.table, mode: .internalUse))
    }

    /// The same with what must be hidden; the second is nil, too, if no more may be shown than the first.
    ///
    /// - Parameter runningMonth: left out, with what comes after it; nil: it is shown.
    private static func hidden(
        _ result: ScanResult, _ control: DisclosureControl, _ store: StoreFacts?, runningMonth: Month?
    ) throws(DisclosureError) -> (asked: Publishable, history: Publishable?) {
        let everyMonth = result.cells.months == nil ? nil : result.ofEveryMonth()
        guard let everything = result.table(of: .everything) else { throw .patientsNotSure }
        var months = control.monthsToWithhold(everything)
        if let runningMonth {
            months.formUnion(everything.months.filter { $0 >= runningMonth })
            let asked = result.table.months
            let isNothingLeft = !everything.months.isEmpty && months.count == everything.months.count
            if isNothingLeft || (!asked.isEmpty && asked.allSatisfy { $0 >= runningMonth }) {
                throw .onlyRunningMonth
            }
        }
        guard var whole = result.table(of: .everything, withholding: months) else { throw .patientsNotSure }
        if let contributors = result.costContributors { whole.setCostContributors(contributors) }
        var earlier = EarlierPattern()
        for summary in store?.publishedSummaries ?? [] {
            earlier.add(summary, regions: result.table.regions, tripTypes: result.table.tripTypes)
        }
        let pattern = try control.pattern(of: whole, earlier: earlier)
        func published(_ result: ScanResult) throws(DisclosureError) -> Publishable {
            guard let table = result.cells == .everything ? whole : result.table(withholding: months) else {
                throw .patientsNotSure
            }
            return try control.publish(table, selection: result.cells, by: pattern)
        }
        let asked = try published(result)
        guard let everyMonth else { return (asked, nil) }
        do {
            return (asked, try published(everyMonth))
        } catch .overallTotalHidden {
            return (asked, nil)
        }
    }

    /// - Parameter ascii: a table in nothing but ASCII.
    package func bytes(_ format: Format, color: Bool = false, ascii: Bool = false) -> [UInt8] {
        switch format {
        case .table: Array(TableReport(color: color, ascii: ascii).text(report).utf8)
        case .csv: CSVReport().bytes(report)
        case .json: JSONReport().bytes(report)
        case .ndjson: NDJSONReport().bytes(report)
        }
    }

    /// `dashboard.html`, made from the same bytes as `kpi-summary.json`.
    package func dashboard() throws(DashboardError) -> [UInt8] {
        try DashboardPage(summary: bytes(.json)).bytes
    }

    /// - Parameters:
    ///   - isAccessible: for readers who hear it: plain tables, one a sheet.
    ///   - check: shown the whole file before it takes its place; throws to keep it back.
    package func writeWorkbook(to path: String, isAccessible: Bool, check: ([UInt8]) throws -> Void) throws {
        try WorkbookReport(report, createdAt: generatedAtEpochSeconds, isAccessible: isAccessible)
            .write(to: path, check: check)
    }

    /// Months whose figures are not what readers saw before.
    package var restatedMonths: [(month: String, restatedAt: String)] {
        (report.summary.restatements ?? []).map { ($0.month, $0.restatedAt) }
    }

    package var generatedAt: String { report.summary.generatedAt }
    package var cells: Int { report.summary.cells.count }
    package var suppressedCells: Int { report.summary.privacy.suppressedCells }

    /// Headline numbers that are hidden and stand as 0 for the app's sake.
    package var withheldHeadlines: [String] { report.withheldHeadlines }
}
