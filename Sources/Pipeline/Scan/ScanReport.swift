package import KPIContract
import KPIs
package import Privacy
package import Dashboard
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
        _ result: ScanResult, rules: KPISummaryV1.RuleSetStamp, runID: String = "scan", minimumCell: Int = 11,
        isInternal: Bool,
        generatedAtEpochSeconds: Int, store: StoreFacts? = nil
    ) throws(DisclosureError) {
        self.generatedAtEpochSeconds = generatedAtEpochSeconds
        let control = DisclosureControl(minimumCell: minimumCell, release: store == nil ? .single : .series)
        let publishable = try Self.publishable(result, control, isInternal: isInternal)
        withheldMonths = Set(publishable.withheldMonths)
        // The newest trip of a month that is not shown would be one of a few.
        dataThrough = result.latestDay(withholding: withheldMonths)
        let facts = RunFacts(
            generatedAtEpochSeconds: generatedAtEpochSeconds, runID: runID, dataThrough: dataThrough,
            dateBasis: result.dateBasis, counts: result.counts, rulesName: rules.name, rulesVersion: rules.version,
            exports: store?.exports ?? .init(loaded: result.files.count), missingDays: store?.missingDays,
            previousSummary: store?.previousSummary,
            publishedRestatements: store?.publishedRestatements ?? [], selection: result.selection)
        report = SummaryReport(
            publishable, history: try Self.history(result, control, isInternal: isInternal), facts: facts)
    }

    /// The same regions and types in all months: what the months that are asked for are compared with. Nil if these are
    /// all the months, or if no more may be shown than they.
    private static func history(
        _ result: ScanResult, _ control: DisclosureControl, isInternal: Bool
    ) throws(DisclosureError) -> Publishable? {
        guard result.cells.months != nil, let everyMonth = result.ofEveryMonth() else { return nil }
        do {
            return try publishable(everyMonth, control, isInternal: isInternal)
        } catch .overallTotalHidden {
            return nil
        }
    }

    private static func publishable(
        _ result: ScanResult, _ control: DisclosureControl, isInternal: Bool
    ) throws(DisclosureError) -> Publishable {
        if isInternal { return try control.publish(result.table, mode: .internalUse) }
        // In a series months are decided one by one: the others need not be known.
        let others = KPISelection(months: control.release == .series ? result.cells.months : nil)
        guard let everything = result.table(of: others) else { throw .patientsNotSure }
        let months = control.monthsToWithhold(everything)
        guard let whole = result.table(of: others, withholding: months) else { throw .patientsNotSure }
        if result.cells == .everything { return try control.publish(whole, mode: .suppressed) }
        guard let table = result.table(withholding: months) else { throw .patientsNotSure }
        return try control.publish(table, as: .init(of: whole, result.cells), mode: .suppressed)
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
