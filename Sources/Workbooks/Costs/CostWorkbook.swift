package import Basics
import KPIContract
package import Reports
import Trips

/// Finance's workbook: costs by month, trip type, region and sourcing, changes split into volume and price, fiscal years,
/// a budget; with a `CostLedger`, also by provider and contract, and exceptions to review.
///
/// Enters: a summary out of disclosure control, whole, of which the months of the period are shown: so what is hidden is
/// what is hidden in the published set, and two workbooks cannot be subtracted from each other. For staff also a ledger.
/// Leaves: one file, written whole or not at all, mode 0600, the same bytes for the same input and `createdAt`.
package struct CostWorkbook: Sendable {
    let report: SummaryReport
    let ledger: CostLedger?
    let context: CostContext
    let figures: CostFigures
    /// The period; nil: all months.
    let months: ClosedRange<Month>?
    private let createdAt: UTCTime
    /// Frames, print set-up and words that it shares with the month workbook.
    let base: WorkbookReport

    typealias Cell = KPISummaryV1.Cell

    /// - Parameters:
    ///   - report: of all months, not of a part of them; of all regions, or of those that are selected.
    ///   - ledger: only with an internal report.
    package init(
        _ report: SummaryReport, ledger: CostLedger?, context: CostContext = CostContext(),
        months: ClosedRange<Month>?, createdAt: UTCTime, style: WorkbookStyle = .standard
    ) {
        self.report = report
        let ledger = report.isInternal ? ledger : nil
        self.ledger = ledger
        self.context = context
        figures = CostFigures(report.summary, ledger: ledger)
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

    /// - Parameter folder: where its parts are while it is made.
    package func bytes(madeIn folder: String) throws -> [UInt8] { try XLSXFile.bytes(madeIn: folder, fill: fill) }

    private func fill(_ file: XLSXFile) throws {
        try file.setProperties(
            title: frame.title, subject: "Costs by month, trip type, region and sourcing", createdAt: createdAt,
            custom: [
                ("tripkpi run id", base.runID), ("tripkpi contract version", report.summary.contractVersion),
                ("tripkpi period", periodText), ("tripkpi selection", selectionText),
            ])
        let footer = "&L&8Costs, \(periodText)&C&8Page &P of &N&R&8&A"
        if base.isAccessible {
            for sheet in accessibleSheets() {
                try file.add(frame.layout(sheet), stamp: frame.printedStamp, footer: footer)
            }
            return
        }
        let cover = try file.begin("Cover")
        var contents = CoverContents()
        // One at a time: together they would be the most that is in memory.
        for make in sheets() {
            let (sheet, table) = make()
            contents.add(sheet, table)
            try file.add(sheet, stamp: frame.printedStamp, footer: footer)
        }
        try file.add(coverSheet(contents), at: cover, stamp: frame.printedStamp, footer: footer)
    }

    private typealias PlacedSheet = (sheet: SheetLayout, table: PlacedTable?)

    /// The standard style, without the cover.
    private func sheets() -> [() -> PlacedSheet] {
        let placed = frame.placed, data = chartData(sourcingSheet())
        let figures = figureSheets.map { name, make in
            {
                var made = placed(make())
                if name == Self.sourcingName, let data, let table = made.table {
                    made.sheet.add(chart(data), beside: table)
                }
                return made
            }
        }
        return figures + (data.map { data in [{ placed(data) }] } ?? []) + [{ placed(definitionsSheet()) }]
    }

    static let sourcingName = "In-house v contracted"

    /// The sheets with figures, in their order.
    private var figureSheets: [(name: String, make: () -> SheetContent)] {
        var sheets: [(String, () -> SheetContent)] = [
            ("Costs", costsSheet), ("Regions", regionsSheet), ("Variance", varianceSheet),
            ("Fiscal years", fiscalYearSheet), ("Region years", regionYearsSheet), (Self.sourcingName, sourcingSheet),
            ("Sourcing years", sourcingYearsSheet),
        ]
        if let plan = context.plan { sheets.append(("Budget", { budgetSheet(plan) })) }
        guard let ledger else { return sheets }
        sheets += [
            ("Providers", { providersSheet(ledger) }), ("Lines", { linesSheet(ledger) }),
            ("Line variance", { lineVarianceSheet(ledger) }), ("Provider years", { providerYearsSheet(ledger) }),
        ]
        guard let review = ledger.review else { return sheets }
        return sheets + [
            ("Checks", { checksSheet(ledger, review) }), ("Exceptions", { exceptionsSheet(ledger, review) }),
        ]
    }

    /// The accessible style, with the cover. A sheet without lines is left out, and the cover says so.
    private func accessibleSheets() -> [SheetContent] {
        var sheets = figureSheets.map { $0.make() }
        let left = sheets.filter { $0.table?.lines.isEmpty == true }.map {
            "There is no worksheet \($0.name): \($0.table?.emptyText ?? "")"
        }
        sheets = [notesSheet(), definitionsSheet()] + sheets.filter { $0.table?.lines.isEmpty == false }
        let facts = coverFacts.map { "\($0.title): \($0.text)." } + [WorkbookReport.notLikeForLike] + left
        return [frame.accessibleCover(of: sheets, facts: facts)] + sheets
    }

    // MARK: What the sheets share

    var frame: SheetFrame {
        SheetFrame(
            title: (report.isInternal ? "INTERNAL: ambulance trip costs" : "Ambulance trip costs")
                + (report.selection.isEmpty ? "" : ", \(selectionText)"), isInternal: report.isInternal,
            promise: base.promise, style: base.style)
    }

    /// A sheet with a table of costs.
    ///
    /// - Parameters:
    ///   - warning: what must not be overlooked.
    ///   - facts: sentences that both styles show.
    ///   - total: what the table adds up to, to be reconciled; nil: it is no table of trips.
    ///   - notes: of the accessible style, beside those that each table of costs has.
    func costSheet(
        _ name: String, _ title: String, warning: String? = nil, paragraphs: [String] = [], notes: [CostNote],
        facts: [String] = [],
        total: SheetTotal?, _ table: SheetTable
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
        let selection = report.selection.isEmpty ? [] : ["Selection: \(selectionText)."]
        let remarks = selection + facts + [total.map(reconciliation)].compactMap(\.self)
        blocks += (paragraphs + remarks + base.coverageLines).map { .paragraph($0) }
        // Totals keep clear of a note above them.
        if table.hasTotals { blocks.append(.gap()) }
        return SheetContent(
            name: name, title: title, blocks: blocks,
            notes: [CostNote.hidden, CostNote.none, CostNote.all] + notes
                + (base.coverageLines.isEmpty ? [] : [CostNote.incomplete]),
            remarks: remarks, table: table)
    }

    /// Months of the summary in the period, oldest first, those that are withheld too.
    var shownMonths: [Month] { knownMonths.filter { months?.contains($0) ?? true }.sorted() }

    /// `shownMonths` and the months without trips between them.
    var tableMonths: [Month] {
        let shown = shownMonths
        guard let first = shown.first, let last = shown.last else { return [] }
        return report.summary.monthTotals.compactMap { Month($0.month) }.filter { first <= $0 && $0 <= last }
    }

    /// Months that are under way, lack days or have no trips: they are not compared.
    var monthsNotCompared: Set<Month> {
        let summary = report.summary
        return Set(
            (summary.openMonths + (summary.partialMonths ?? []) + summary.monthsWithoutTrips).compactMap { Month($0) })
    }

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
        for cell in report.summary.cells + report.summary.monthTotals.compactMap(\.cell)
        where cell.region == CellKey.all {
            cells[cell.month, default: [:]][cell.tripType] = cell
        }
        return cells
    }

    var tripTypes: [String] { report.summary.filters.tripTypes }

    /// What the figures are restricted to, without the period.
    var selectionText: String {
        report.selection.isEmpty ? "everything" : report.selection.joined(separator: "; ")
    }

    /// Everything in the period and the regions of the workbook; nil where it is not known.
    var overall: Cell? {
        if let selected = context.selected { return selected }
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
