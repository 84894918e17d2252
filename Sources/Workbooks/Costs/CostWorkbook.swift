import Costs
import KPIContract
package import Reports
package import Trips

/// Finance's workbook: costs by month, trip type and sourcing, changes split into volume and price, fiscal years; with a
/// `CostLedger`, also by provider and contract, and exceptions to review.
///
/// Enters: a summary out of disclosure control, whole, of which the months of the period are shown: so what is hidden is
/// what is hidden in the published set, and two workbooks cannot be subtracted from each other. For staff also a ledger.
/// Leaves: one file, written whole or not at all, mode 0600, the same bytes for the same input and `createdAt`.
package struct CostWorkbook: Sendable {
    let report: SummaryReport
    let ledger: CostLedger?
    /// The period; nil: all months.
    private let months: ClosedRange<Month>?
    private let createdAt: Int
    /// Frames, print set-up and words that it shares with the month workbook.
    let base: WorkbookReport

    typealias Cell = KPISummaryV1.Cell

    /// - Parameters:
    ///   - report: of all months, not of a part of them.
    ///   - ledger: only with an internal report.
    package init(
        _ report: SummaryReport, ledger: CostLedger?, months: ClosedRange<Month>?, createdAt: Int,
        style: WorkbookStyle = .standard
    ) {
        self.report = report
        self.ledger = report.isInternal ? ledger : nil
        self.months = months
        self.createdAt = createdAt
        base = WorkbookReport(report, createdAt: createdAt, style: style)
    }

    /// Writes the workbook to `path`, replacing what is there only when the new file is complete.
    ///
    /// - Parameter check: shown the whole file before that; if it throws, the file is discarded.
    package func write(to path: String, check: ([UInt8]) throws -> Void = { _ in }) throws {
        try XLSXFile.write(to: path, check: check, fill: fill)
    }

    private func fill(_ file: XLSXFile) throws {
        try file.setProperties(
            title: frame.title, subject: "Costs by month, trip type and sourcing", createdAt: createdAt,
            custom: [
                ("tripkpi run id", base.runID), ("tripkpi contract version", report.summary.contractVersion),
                ("tripkpi period", periodText),
            ])
        let footer = "&L&8Costs, \(periodText)&C&8Page &P of &N&R&8&A"
        if base.isAccessible {
            for sheet in accessibleSheets() {
                try file.add(frame.layout(sheet), isInternal: report.isInternal, footer: footer)
            }
            return
        }
        let cover = try file.begin("Cover")
        var contents = CoverContents()
        // One at a time: together they would be the most that is in memory.
        for make in sheets() {
            let sheet = make()
            contents.add(sheet)
            try file.add(sheet, isInternal: report.isInternal, footer: footer)
        }
        try file.add(coverSheet(contents), at: cover, isInternal: report.isInternal, footer: footer)
    }

    /// The standard style, without the cover.
    private func sheets() -> [() -> SheetLayout] {
        let layout = frame.layout
        var sheets: [() -> SheetLayout] = [
            { layout(costsSheet()) }, { layout(varianceSheet()) }, { layout(fiscalYearSheet()) }, chartedSourcing,
        ]
        if let ledger {
            sheets += [
                { layout(providersSheet(ledger)) }, { layout(linesSheet(ledger)) },
                { layout(lineVarianceSheet(ledger)) }, { layout(providerYearsSheet(ledger)) },
                { layout(checksSheet(ledger)) }, { layout(exceptionsSheet(ledger)) },
            ]
        }
        return sheets + [{ layout(definitionsSheet()) }]
    }

    /// The accessible style, with the cover. A sheet without lines is left out, and the cover says so.
    private func accessibleSheets() -> [SheetContent] {
        var sheets = [costsSheet(), varianceSheet(), fiscalYearSheet(), sourcingSheet()]
        if let ledger {
            sheets += [
                providersSheet(ledger), linesSheet(ledger), lineVarianceSheet(ledger), providerYearsSheet(ledger),
                checksSheet(ledger), exceptionsSheet(ledger),
            ]
        }
        let left = sheets.filter { $0.table?.lines.isEmpty == true }.map {
            "There is no worksheet \($0.name): \($0.table?.emptyText ?? "")"
        }
        sheets = [notesSheet(), definitionsSheet()] + sheets.filter { $0.table?.lines.isEmpty == false }
        let facts = coverFacts.map { "\($0.title): \($0.text)." } + [WorkbookReport.notLikeForLike] + left
        return [frame.accessibleCover(of: sheets, facts: facts)] + sheets
    }

    // MARK: What the sheets share

    package static let all = SummaryReport.all

    var frame: SheetFrame {
        SheetFrame(
            title: report.isInternal ? "INTERNAL: ambulance trip costs" : "Ambulance trip costs",
            isInternal: report.isInternal, promise: base.promise, style: base.style)
    }

    /// A sheet with a table of costs.
    ///
    /// - Parameters:
    ///   - warning: what must not be overlooked.
    ///   - notes: of the accessible style, beside those that each table of costs has.
    func costSheet(
        _ name: String, _ title: String, warning: String? = nil, paragraphs: [String] = [], notes: [CostNote],
        emphasis: (kind: Emphasis.Kind, first: String, last: String)? = nil, _ table: SheetTable
    ) -> SheetContent {
        var table = table
        for index in table.columns.indices {
            table.columns[index].note = CostNote(ofColumn: table.columns[index].title)
        }
        table.headerHeight = 48
        table.frozenColumns = min(table.columns.prefix { $0.unit == nil }.count, 2)
        if table.emptyText == nil { table.emptyText = "No trips in this period." }
        var blocks: [SheetContent.Block] = []
        if let warning { blocks.append(.line(warning, .stamp)) }
        blocks += paragraphs.map { .paragraph($0) } + base.coverageBlocks
        // Totals keep clear of a note above them.
        if table.hasTotals { blocks.append(.gap()) }
        return SheetContent(
            name: name, title: title, blocks: blocks,
            notes: [CostNote.hidden, CostNote.none, CostNote.all] + notes
                + (base.coverageLines.isEmpty ? [] : [CostNote.incomplete]),
            table: table, emphasis: emphasis)
    }

    /// Months of the summary in the period, oldest first, those that are withheld too.
    var shownMonths: [Month] { knownMonths.filter { months?.contains($0) ?? true }.sorted() }

    var knownMonths: [Month] {
        Set(report.summary.cells.map(\.month)).union(report.summary.withheldMonths).compactMap { Month($0) }
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

extension Sequence<[SheetCell]> {
    /// By their texts, from the left.
    func sortedByKeys() -> [[SheetCell]] {
        sorted { $0.lazy.map(\.text).lexicographicallyPrecedes($1.lazy.map(\.text)) }
    }
}
