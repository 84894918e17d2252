internal import Costs
internal import KPIContract
package import Trips

/// Finance's workbook: costs by month, trip type and sourcing, changes split into volume and price, fiscal years; with a
/// `CostLedger`, also by provider and contract, and what to look at twice.
///
/// Enters: a summary out of disclosure control, whole, of which the months of the period are shown: so what is hidden is
/// what is hidden in the published set, and two workbooks cannot be subtracted from each other. Inside the house also a
/// ledger. Leaves: one file, written whole or not at all, mode 0600, the same bytes for the same input and `createdAt`.
package struct CostWorkbook: Sendable {
    let report: SummaryReport
    let ledger: CostLedger?
    /// The period; nil: all months.
    let months: ClosedRange<Month>?
    let createdAt: Int
    /// For readers who hear it, as in `WorkbookReport`.
    let isAccessible: Bool
    /// Frames, print set-up and words that it shares with the month workbook.
    let base: WorkbookReport

    typealias Cell = KPISummaryV1.Cell

    /// - Parameters:
    ///   - report: of all months, not of a part of them.
    ///   - ledger: only with an internal report.
    package init(
        _ report: SummaryReport, ledger: CostLedger?, months: ClosedRange<Month>?, createdAt: Int,
        isAccessible: Bool = false
    ) {
        self.report = report
        self.ledger = report.isInternal ? ledger : nil
        self.months = months
        self.createdAt = createdAt
        self.isAccessible = isAccessible
        base = WorkbookReport(report, createdAt: createdAt)
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
            title: report.isInternal ? "INTERNAL: ambulance trip costs" : "Ambulance trip costs",
            subject: "Costs by month, trip type and sourcing", createdAt: createdAt,
            custom: [
                ("tripkpi run id", base.runID), ("tripkpi contract version", report.summary.contractVersion),
                ("tripkpi period", periodText),
            ])
        let footer = "&L&8Costs, \(periodText)&C&8Page &P of &N&R&8&A"
        if isAccessible {
            try file.add(plainSheets(), isInternal: report.isInternal, footer: footer)
            return try file.close()
        }
        let cover = try file.begin("Cover")
        var shown = CoverContents()
        // One at a time: together they would be the most that is in memory.
        for make in sheets() {
            let sheet = make()
            shown.add(sheet)
            try file.add(sheet, isInternal: report.isInternal, footer: footer)
        }
        try file.add(coverSheet(shown), at: cover, isInternal: report.isInternal, footer: footer)
        try file.close()
    }

    /// All but the cover.
    private func sheets() -> [() -> SheetLayout] {
        let own: [() -> SheetLayout] = [
            { layout(costsSheet()) }, { layout(varianceSheet()) }, { layout(fiscalYearSheet()) }, chartedSourcingSheet,
        ]
        guard let ledger else { return own + [definitionsSheet] }
        let inside: [() -> SheetLayout] = [
            { layout(providersSheet(ledger)) }, { layout(linesSheet(ledger)) }, { layout(lineVarianceSheet(ledger)) },
            { layout(providerYearsSheet(ledger)) }, { checksSheet(ledger) }, { layout(exceptionsSheet(ledger)) },
        ]
        return own + inside + [definitionsSheet]
    }

    // MARK: What the sheets share

    static let all = "All"

    /// Months of the summary in the period, oldest first, those that are withheld too.
    var shownMonths: [Month] {
        let named = Set(report.summary.cells.map(\.month)).union(report.summary.withheldMonths)
        return named.compactMap { Month($0) }.filter { months?.contains($0) ?? true }.sorted()
    }

    var periodText: String {
        guard let first = shownMonths.first, let last = shownMonths.last else { return "no months" }
        return first == last ? first.description : "\(first) to \(last)"
    }

    /// Cells over all regions, by month and type.
    func cells() -> [String: [String: Cell]] {
        var cells: [String: [String: Cell]] = [:]
        for cell in report.summary.cells where cell.region == Self.all {
            cells[cell.month, default: [:]][cell.tripType] = cell
        }
        return cells
    }

    var tripTypes: [String] { report.summary.filters.tripTypes }

    /// Everything, where the period is everything.
    var overall: Cell? {
        let isWhole = Set(report.summary.cells.compactMap { Month($0.month) }).isSubset(of: Set(shownMonths))
        return isWhole ? base.overall : nil
    }
}
