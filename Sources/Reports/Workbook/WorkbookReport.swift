package import KPIContract
internal import Trips

/// The month workbook: a KPI summary as an `.xlsx` for analysts and finance, or, plain and one table a sheet, for readers
/// who hear it (`isAccessible`: the checklist for accessible spreadsheets of the UK Analysis Function).
///
/// Enters: the summary as it is published (or, stamped, the internal one). Leaves: one file, written whole or not at
/// all, mode 0600, with the same bytes for the same summary and `createdAt`. It computes no KPI: each cell shows a
/// figure of the summary, and a formula stands only where it gives exactly that figure from other figures shown, so
/// that no formula reveals what is hidden, and recalculating changes nothing.
package struct WorkbookReport: Sendable {
    package let summary: KPISummaryV1
    package let isInternal: Bool
    package let runID: String
    /// Seconds since 1970, UTC; `SOURCE_DATE_EPOCH` where that is set. Below 1 counts as 1.
    package let createdAt: Int

    /// What each interval is measured between, where that is not the usual pair; one sentence each.
    package var intervalNotes: [String] = []

    /// What the figures are restricted to, a phrase each.
    package var selection: [String] = []
    /// One marked-up table a sheet, and nothing that a screen reader stumbles over: no fills, filters, frozen panes,
    /// charts or print headers.
    package var isAccessible = false

    /// The road to a file: a `SummaryReport` comes out of disclosure control only.
    package init(_ report: SummaryReport, createdAt: Int, isAccessible: Bool = false) {
        self.init(
            summary: report.summary, isInternal: report.isInternal, runID: report.summary.runId, createdAt: createdAt)
        intervalNotes = report.intervalNotes
        selection = report.selection
        self.isAccessible = isAccessible
    }

    /// For tests, which make summaries that disclosure control would not: production code passes a `SummaryReport`.
    package init(summary: KPISummaryV1, isInternal: Bool, runID: String, createdAt: Int) {
        self.summary = summary
        self.isInternal = isInternal
        self.runID = runID
        self.createdAt = createdAt
    }

    /// Writes the workbook to `path`, replacing what is there only when the new file is complete.
    ///
    /// - Parameter check: shown the whole file before that; what it throws keeps the file back.
    package func write(to path: String, check: ([UInt8]) throws -> Void = { _ in }) throws {
        try WorkbookDraft.write(to: path, check: check, fill: fill)
    }

    private func fill(_ draft: WorkbookDraft) throws(WorkbookError) {
        let file = try XLSXFile(path: draft.path, temporaryFolder: draft.folder)
        try file.setProperties(
            title: isInternal ? "INTERNAL: ambulance trip KPIs" : "Ambulance trip KPIs",
            subject: "Monthly KPIs by region and trip type", createdAt: createdAt,
            custom: [("tripkpi run id", runID), ("tripkpi contract version", summary.contractVersion)])
        try file.add(sheets(), isInternal: isInternal, footer: footer)
        try file.close()
    }

    func sheets() -> [SheetLayout] {
        if isAccessible { return plainSheets() }
        let (comparisons, chart) = comparisonsSheet()
        let sheets = [
            summarySheet(), comparisons, sourcingSheet(), cellsSheet(), timesSheet(), restatedSheet(),
            qualitySheet(), definitionsSheet(), notesSheet(),
        ]
        return [coverSheet(of: sheets.map(\.name), chart)] + sheets
    }

    /// Run, page and sheet. `&` is a command to a spreadsheet's footer unless doubled; 255 characters are the limit.
    private var footer: String {
        let run = String(runID.prefix(64)).split(separator: "&", omittingEmptySubsequences: false)
        return "&L&8Run \(run.joined(separator: "&&"))&C&8Page &P of &N&R&8&A"
    }

    /// A sheet with its title and, under it, the stamp or the promise.
    func frame(_ name: String, title: String) -> SheetLayout {
        var sheet = SheetLayout(name: name)
        sheet.put(title, .title, row: 0, column: 0, sized: false)
        if isInternal {
            sheet.put(SummaryReport.internalStamp, .stamp, row: 1, column: 0, sized: false)
        } else {
            sheet.put(promise, .notice, row: 1, column: 0, sized: false)
        }
        sheet.setHeight(0, 26)
        sheet.setHeight(1, 18)
        sheet.row = 2
        return sheet
    }

    /// What stands on every sheet that may be released.
    var promise: String {
        let least = summary.privacy.minimumCell
        return "\(SummaryReport.releaseStamp(least)). Figures of fewer than \(least) trips or patients show as hidden."
    }

    // MARK: The parts of the summary the sheets share

    typealias Cell = KPISummaryV1.Cell

    static let all = "All"

    /// Everything together; nil if the summary lacks it.
    var overall: Cell? {
        summary.cells.first { $0.month == Self.all && $0.region == Self.all && $0.tripType == Self.all }
    }

    /// Every month over all regions and types, oldest first; a month that is withheld and has no cell is nil.
    var monthTotals: [(month: String, cell: Cell?)] {
        var byMonth: [String: Cell] = [:]
        for cell in summary.cells
        where cell.month != Self.all && cell.region == Self.all && cell.tripType == Self.all {
            byMonth[cell.month] = cell
        }
        let months = Set(byMonth.keys).union(summary.withheldMonths)
        return months.sorted().map { ($0, byMonth[$0]) }
    }
}
