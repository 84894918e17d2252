import Basics
import KPIContract
import Reports

/// The measures by month, and by month, region and trip type.
extension WorkbookReport {
    private static let sourcingMeasures = KPICatalog.measures([
        .inHouse, .contracted, .unclassified, .inHouseShare, .inHouseCost, .contractedCost,
    ])

    /// All of the catalog in its order, but the share in whole per cent and most intervals, which have a sheet of their own.
    private static let cellMeasures =
        KPICatalog.plain.filter { $0.measure != .inHousePercent }
        + KPICatalog.measures([.durationMean, .durationP50, .durationP90, .responseMean, .responseP90])

    /// The measures of months: those by sourcing have a sheet of their own.
    private static let monthMeasures = KPICatalog.measures([
        .trips, .cancelled, .noShow, .inHouseShare, .totalCost, .costedTrips, .costPerTrip, .loadedMiles,
        .durationMean, .durationP90, .responseMean, .responseP50, .responseP90,
    ])

    private static func columns(_ measures: [KPIDescription]) -> [SheetTable.Column] {
        measures.map { kpi in
            var column = SheetTable.Column.kpi(kpi)
            column.note = WorkbookNote(of: kpi)
            return column
        }
    }

    private static func line(_ keys: [String], _ measures: [KPIDescription], _ cell: Cell?) -> [SheetCell] {
        SheetCell.line(keys, values(measures, cell))
    }

    /// Every month over all regions and trip types.
    func months() -> SheetContent {
        var table = monthTable("MonthTotals", Self.monthMeasures)
        table.totalNames = [
            "Trips": "Total_trips", "In-house share": "In_house_share", "Total cost": "Total_cost",
            "Cost per trip": "Cost_per_trip", "Average duration": "Average_duration",
        ]
        return SheetContent(
            name: "Months", title: "Every month over all regions and trip types",
            blocks: openBlocks + coverageBlocks + [.gap()], notes: tableNotes, remarks: openRemarks, table: table)
    }

    /// In-house and contracted trips and costs of every month.
    func sourcing() -> SheetContent {
        SheetContent(
            name: "In-house v contracted", title: "In-house versus contracted",
            blocks: [.line(Self.notLikeForLike, .stamp), .paragraph(Self.costBasis)] + openBlocks + coverageBlocks
                + [.gap()],
            notes: tableNotes + [.share, .cost], remarks: openRemarks,
            table: monthTable("SourcingByMonth", Self.sourcingMeasures))
    }

    /// A table of months with the published totals; in the accessible style with notes in words.
    private func monthTable(_ name: String, _ all: [KPIDescription]) -> SheetTable {
        let months = monthTotals, measures = summary.withValues(all)
        var table = SheetTable(
            name: name, columns: [.init(title: "Month")] + Self.columns(measures),
            lines: months.map { [monthCell($0.month)] + Self.line([], measures, $0.cell) }, totals: .published,
            totalTitle: "All months", knownTotals: overall.map { Self.values(measures, $0) } ?? [],
            emptyText: Self.noTrips, headerHeight: 48, frozenColumns: 1)
        guard isAccessible else { return table }
        let notes = Self.notes(of: [overall] + months.map(\.cell))
        table.lines.insert(Self.line([CellKey.all], measures, overall), at: 0)
        table.totals = .none
        guard !notes.isEmpty else { return table }
        table.columns.append(.init(title: "Notes"))
        for (index, note) in notes.enumerated() { table.lines[index].append(.text(note)) }
        return table
    }

    // MARK: Both styles

    /// Every cell of the summary: in the standard style a table to filter.
    func cells() -> SheetContent {
        let cells = summary.cells, measures = summary.withValues(Self.cellMeasures)
        // In the standard style marks say the rest; the accessible style says all of it in words.
        let isPending = cells.contains { $0.revisionPending == true }
        let notes =
            isAccessible
            ? Self.notes(of: cells)
            : isPending ? cells.map { $0.revisionPending == true ? "revision pending" : "none" } : []
        let noteColumn: [SheetTable.Column] = notes.isEmpty ? [] : [.init(title: "Notes")]
        let lines = cells.enumerated().map { index, cell -> [SheetCell] in
            let keys = [cell.region, cell.tripType], note = notes.isEmpty ? [] : [notes[index]]
            let month = monthCell(cell.month)
            return [month]
                + (isAccessible
                    ? Self.line(keys, measures, cell) + SheetCell.line(note, [])
                    : Self.line(keys + note, measures, cell))
        }
        let keys = SheetTable.Column.texts(["Month", "Region", "Trip type"])
        let printed = printedLines(of: lines)
        return SheetContent(
            name: isAccessible ? "Regions and types" : "Region × type", title: "Every month, region and trip type",
            blocks: [
                .paragraph(
                    "Lines that say All are sums of the others: filter on one of them, or leave them out, before adding up."
                )
            ] + Self.printBlocks(printed) + openBlocks + coverageBlocks + [.gap()],
            notes: tableNotes, remarks: Self.printRemarks(printed),
            table: SheetTable(
                name: "Cells",
                columns: isAccessible
                    ? keys + Self.columns(measures) + noteColumn : keys + noteColumn + Self.columns(measures),
                lines: lines, totals: isAccessible ? .none : .published,
                knownTotals: overall.map { Self.values(measures, $0) } ?? [], emptyText: Self.noTrips,
                printedLines: printed, headerHeight: 48, frozenColumns: 3, hasLineFormulas: false))
    }

    // MARK: What is printed of long tables

    private static let mostPrintedLines = 200

    /// Of a long table only the lines over all months, which come first, are printed: those of each month are on the sheet Months,
    /// and the rest is there to be filtered. Nil: all lines.
    func printedLines(of lines: [[SheetCell]]) -> Int? {
        guard lines.count > Self.mostPrintedLines else { return nil }
        let first = lines.prefix { $0.first == .text(CellKey.all) }.count
        return first > 0 && first < lines.count ? first : nil
    }

    static func printRemarks(_ printed: Int?) -> [String] {
        printed == nil ? [] : ["In print: the lines over all months. The sheet also has those of each month."]
    }

    static func printBlocks(_ printed: Int?) -> [SheetContent.Block] { printRemarks(printed).map { .paragraph($0) } }

    // MARK: The accessible style

    /// What to know of each cell, in words; empty: no cell has anything to note.
    private static func notes(of cells: [Cell?]) -> [String] {
        let notes = cells.map { $0?.coverageNotes.joined(separator: "; ") ?? "" }
        return notes.allSatisfy(\.isEmpty) ? [] : notes.map { $0.isEmpty ? "none" : $0 }
    }
}
