package import Basics
package import KPIContract
package import Reports

/// The month workbook: a KPI summary as an `.xlsx` for analysts and finance, in one of two styles.
///
/// Enters: the summary as it is published (or, stamped, the internal one). Leaves: one file, written whole or not at
/// all, mode 0600, with the same bytes for the same summary and `createdAt`. Each cell shows a value of the summary, or
/// a mean of values shown; a formula replaces it only where it gives exactly that value from other values shown, so that no
/// formula reveals what is hidden, and recalculating changes nothing.
package struct WorkbookReport: Sendable {
    package let summary: KPISummaryV1
    package let isInternal: Bool
    package let runID: String
    /// Seconds since 1970, UTC; `SOURCE_DATE_EPOCH` where that is set. Below 1 counts as 1.
    package let createdAt: UTCTime
    package let style: WorkbookStyle
    /// What the marks after figures mean; none in a workbook for staff. Kept, because every figure is read for it.
    let coverageLegends: [String]
    /// What each interval is measured between, where that is not the usual pair; one sentence each.
    private(set) var intervalNotes: [String] = []
    /// What the figures are restricted to, a phrase each.
    private(set) var selection: [String] = []

    /// For production: a `SummaryReport` comes out of disclosure control only.
    package init(_ report: SummaryReport, createdAt: UTCTime, style: WorkbookStyle = .standard) {
        self.init(
            summary: report.summary, isInternal: report.isInternal, runID: report.summary.runId, createdAt: createdAt,
            style: style)
        intervalNotes = report.intervalNotes
        selection = report.selection
    }

    /// For tests, which make summaries that disclosure control would not: production code passes a `SummaryReport`.
    package init(
        summary: KPISummaryV1, isInternal: Bool, runID: String, createdAt: UTCTime, style: WorkbookStyle = .standard
    ) {
        self.summary = summary
        self.isInternal = isInternal
        self.runID = runID
        self.createdAt = createdAt
        self.style = style
        coverageLegends = summary.coverageLegends
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
            title: isInternal ? "INTERNAL: ambulance trip KPIs\(part)" : title,
            subject: "Monthly KPIs by region and trip type", createdAt: createdAt,
            custom: [("tripkpi run id", runID), ("tripkpi contract version", summary.contractVersion)])
        for sheet in sheets() { try file.add(sheet, stamp: frame.printedStamp, footer: footer) }
    }

    /// One list for both styles: the accessible one has its notes first, and no charts.
    private func sheets() -> [SheetLayout] {
        let figures = [
            latest(), months(), comparisons(), sourcing(), cells(), mergedGroups(), times(), targets(), events(),
            restated(),
            quality(),
        ].compactMap(\.self)
        guard isAccessible else { return standardSheets(figures) }
        let sheets = ([notes(), definitions()] + figures).filter { $0.table?.lines.isEmpty == false }
        let facts =
            coverFacts.map { "\($0.title): \($0.text)." } + [
                "Data through: \(summary.dataThrough ?? "n/a"). Generated at: \(summary.generatedAt)."
            ]
        return ([frame.accessibleCover(of: sheets, facts: facts)] + sheets).map(frame.layout)
    }

    private func standardSheets(_ figures: [SheetContent]) -> [SheetLayout] {
        let charts = MonthChart.all.filter { $0.isDrawn(in: self) }
        let data = charts.isEmpty ? [] : [MonthChart.data(of: charts, in: self)]
        var placed = (figures + data + [definitions(), notes()]).map(frame.placed)
        guard !charts.isEmpty, let columns = placed.first(where: { $0.sheet.name == MonthChart.dataSheet })?.table
        else {
            return [coverSheet(of: placed.map(\.sheet.name))] + placed.map(\.sheet)
        }
        for chart in charts {
            guard let index = placed.firstIndex(where: { $0.sheet.name == chart.sheet }),
                let table = placed[index].table
            else { continue }
            placed[index].sheet.add(chart.layout(in: self, columns), beside: table)
        }
        return [coverSheet(of: placed.map(\.sheet.name))] + placed.map(\.sheet)
    }

    /// Run, page and sheet. `&` is a command to a spreadsheet's footer unless doubled; 255 characters are the limit.
    private var footer: String {
        let run = String(runID.prefix(64)).split(separator: "&", omittingEmptySubsequences: false)
        return "&L&8Run \(run.joined(separator: "&&"))&C&8Page &P of &N&R&8&A"
    }

    // MARK: What the sheets share

    typealias Cell = KPISummaryV1.Cell

    /// `Ambulance trip KPIs: only region North`
    private var title: String { "Ambulance trip KPIs\(part)" }

    private var part: String { selection.isEmpty ? "" : ": " + selection.joined(separator: "; ") }

    var isAccessible: Bool { style == .accessible }

    var frame: SheetFrame {
        SheetFrame(title: title, isInternal: isInternal, promise: promise, style: style)
    }

    /// On every sheet that may be released.
    var promise: String {
        let least = summary.privacy.minimumCell
        return "\(SummaryReport.releaseStamp(least)). Smaller ones show as hidden."
    }

    /// Everything together; nil if the summary lacks it.
    var overall: Cell? {
        summary.cells.first { $0.month == CellKey.all && $0.region == CellKey.all && $0.tripType == CellKey.all }
    }

    /// Every month over all regions and types, oldest first; a month that is withheld and has no cell is nil.
    var monthTotals: [(month: String, cell: Cell?)] { summary.monthTotals }

    /// The last month that is over and shown; nil: there is none.
    var latestMonth: Month? { summary.latestCompleteMonth.flatMap { Month($0) } }

    /// Months that are shown and are under way or lack days: their figures are not compared.
    var monthsNotWhole: [String] { summary.monthsNotWhole }

    func monthCell(_ month: String) -> SheetCell {
        summary.remark(onMonth: month).map { .month(month, remark: $0) } ?? .text(month)
    }

    var openBlocks: [SheetContent.Block] { openRemarks.map { .paragraph($0) } }

    var openRemarks: [String] { summary.notWholeSentences }

    /// What a reader must know of the figures of a sheet.
    var coverageLines: [String] {
        let pending = summary.monthsWithRevisionPending
        return coverageLegends
            + (pending.isEmpty
                ? [] : ["Revision pending, as corrections wait for it: \(pending.joined(separator: ", "))."])
    }

    var coverageBlocks: [SheetContent.Block] { coverageLines.map { .paragraph($0) } }

    /// The values of measures; of a cell that is nil all are hidden.
    static func values(_ measures: [KPIDescription], _ cell: Cell?) -> [ShownValue] {
        measures.map { kpi in cell.map { ShownValue(kpi, of: $0) } ?? .hidden }
    }

    static let noTrips = "No trips in this report."
    static let notLikeForLike = "Loaded in-house cost and contractors' invoices are not like for like."
    static let costBasis =
        "Contracted cost is what was invoiced or is payable. In-house cost is what the exports carry, which may leave"
        + " out crews, vehicles, fuel, stations and dispatch. Do not read the difference as a saving: set contracted cost"
        + " against a fully loaded in-house cost from the ledger."
}

extension WorkbookReport {
    // MARK: Cover

    /// What this workbook is, how fresh, and what is on which sheet.
    func coverSheet(of names: [String]) -> SheetLayout {
        let days = SheetTable(
            columns: [
                .init(title: "Title", role: .label, isSized: false), .init(title: "Day", unit: .date, role: .day),
            ],
            lines: [
                [.text("Data through"), .value(.day(summary.dataThrough))],
                [.text("Generated on"), .value(.day(summary.generatedAt))],
            ], hasHeader: false)
        return frame.layout(
            frame.cover(
                [.gap(), .facts(coverFacts), .table(days), .gap()], of: names.map { ($0, Self.contents[$0] ?? "") },
                header: "What it shows", widths: (24, 100)))
    }

    var coverFacts: [(title: String, text: String)] {
        let months = monthTotals.map(\.month)
        let period = months.first.map { first in
            months.last.map { $0 == first ? first : "\(first) to \($0)" } ?? first
        }
        let lists = [
            ("Selection", selection, "; "), ("Months withheld", summary.withheldMonths, ", "),
            ("Months restated", (summary.restatements ?? []).map(\.month), ", "),
            ("Revision pending", summary.monthsWithRevisionPending, ", "),
        ]
        return [("Months", period ?? "none"), ("Latest complete month", latestMonth?.description ?? "none")]
            + lists.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.joined(separator: $0.2)) }
            + [("Run", runID), ("Rules", summary.rules.name)]
    }

    private static let contents = [
        "Summary": "The latest complete month against earlier ones, and what is unusual; charts",
        "Months": "Every month over all regions and trip types",
        "Comparisons": "Each month against the month and the year before; 12 months, and fiscal year to date",
        "In-house v contracted": "Trips and cost of the health system's own trips and of contractors; chart",
        "Region × type": "Every month, region and trip type: a table to filter",
        "Merged groups": "Trips that are shown only together with trips of other regions or trip types",
        "Times": "Six intervals of every cell: trips used and excluded, mean, median, p90",
        "Targets": "What measures are to reach, and in how many months they did",
        "Events": "Hazard reports, closures and weather, by month, region and kind",
        "Restated": "Months whose figures differ from those published before, with both",
        "Data quality": "What became of every record, exports, missing days, warnings",
        "Chart data": "What the charts plot; a month that cannot be compared is empty",
        "Definitions": "What each figure means, privacy, and which rules and run made it",
        "Notes": "What to know before figures are compared or added up",
    ]
}
