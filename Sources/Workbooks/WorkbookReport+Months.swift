import Reports

import KPIContract

/// The measures by month, and by month, region and trip type.
extension WorkbookReport {
    private static let sourcingMeasures = KPICatalog.measures([
        "inHouse", "contracted", "unclassified", "inHousePercent", "inHouseCost", "contractedCost",
    ])

    /// All of the catalog in its order, but the share with decimals and most intervals, which have a sheet of their own.
    private static let cellMeasures =
        KPICatalog.all.filter { !$0.name.contains(".") && $0.name != "inHouseShare" }
        + KPICatalog.measures(["duration.mean", "duration.p50", "duration.p90", "response.mean", "response.p90"])

    /// The measures of months: not what follows from miles, nor the median.
    private static let monthMeasures = cellMeasures.filter { kpi in
        !["unloadedMiles", "costPerLoadedMile", "loadedMileRatio", "duration.p50"].contains(kpi.name)
    }

    private static let summaryMeasures = monthMeasures.filter { kpi in
        !["inHouseCost", "contractedCost", "response.mean", "response.p90"].contains(kpi.name)
    }

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

    /// A table of months with the published totals.
    private func monthTable(_ name: String, _ measures: [KPIDescription]) -> SheetTable {
        SheetTable(
            name: name, columns: [.init(title: "Month")] + Self.columns(measures),
            lines: monthTotals.map { Self.line([$0.month], measures, $0.cell) }, totals: .published,
            totalTitle: "All months", knownTotals: overall.map { Self.values(measures, $0) } ?? [],
            emptyText: Self.noTrips, headerHeight: 48)
    }

    // MARK: The standard style

    /// The key figures and the months, over all regions and trip types.
    func summarySheet() -> SheetLayout {
        var table = monthTable("MonthTotals", Self.summaryMeasures)
        table.frozenColumns = 1
        let trips = KPICatalog.title("trips")
        // The key figures are above the totals, which they refer to.
        let content = SheetContent(
            name: "Summary", title: "Ambulance trip KPIs", blocks: coverageBlocks + [.gap(4)], table: table,
            emphasis: (.bars, trips, trips))
        var (sheet, placed) = frame.placed(content)
        if let placed { addKeyFigures(to: &sheet, placed) }
        return sheet
    }

    /// Each stands over the column of the month table that it sums up.
    private func addKeyFigures(to sheet: inout SheetLayout, _ placed: PlacedTable) {
        let figures: [(kpi: String, name: String, headline: ShownValue)] = [
            ("trips", "Total_trips", .number(summary.totalTrips, .count)),
            ("inHousePercent", "In_house_share", .number(summary.inHousePercent, .percent)),
            ("totalCost", "Total_cost", .notApplicable),
            ("costPerTrip", "Cost_per_trip", .number(summary.cost.cents, .cents)),
            ("duration.mean", "Average_duration", .number(summary.avgDuration.tenths, .tenthsOfSeconds)),
        ]
        let row = placed.totalRow - 3
        sheet.put("Key figures", .label, row: row, column: 0)
        for figure in figures {
            guard let kpi = KPICatalog.description(named: figure.kpi), let column = placed.places[kpi.title] else {
                continue
            }
            sheet.put(kpi.title, .keyLabel, row: row, column: column, sized: false)
            let total = overall.map { ShownValue(kpi, of: $0) }
            let value = (figure.kpi == "trips" ? nil : total) ?? figure.headline
            let reference = "=" + SheetLayout.cellName(row: placed.totalRow, column: column)
            sheet.put(value, .keyValue, row: row + 1, column: column, formula: total == value ? reference : nil)
            sheet.names.append((figure.name, row + 1, column, value))
        }
        sheet.setHeight(row, 30)
        sheet.setHeight(row + 1, 24)
    }

    /// In-house and contracted trips and costs per month, with a stacked column chart.
    func chartedSourcing() -> SheetLayout {
        let content = SheetContent(
            name: "In-house v contracted", title: "In-house versus contracted",
            blocks: [.line(Self.notLikeForLike, .stamp), .paragraph(Self.costBasis, width: 130)] + coverageBlocks,
            table: monthTable("SourcingByMonth", Self.sourcingMeasures))
        var (sheet, placed) = frame.placed(content)
        let months = monthTotals
        // With every split hidden there is nothing to draw.
        guard let placed, let last = sheet.table, months.contains(where: { $0.cell.map(isSplitShown) ?? false }) else {
            return sheet
        }
        let plots = addPlots(
            [
                ("In-house, plotted", { isSplitShown($0) ? $0.inHouse : nil }),
                ("Contracted, plotted", { isSplitShown($0) ? $0.contracted : nil }),
                ("Unclassified, plotted", { isSplitShown($0) ? $0.unclassified : nil }),
            ], existing: [1, 2, 3], to: &sheet, placed)
        let width = sheet.table?.headers.count ?? last.headers.count
        sheet.charts = [sourcingChart(months, placed, plots, column: width + 1)]
        return sheet
    }

    private func sourcingChart(
        _ months: [(month: String, cell: Cell?)], _ placed: PlacedTable, _ plots: Plots, column: Int
    ) -> ChartLayout {
        let shown = months.compactMap { month, cell -> String? in
            guard let cell, isSplitShown(cell), let inHouse = cell.inHouse, let contracted = cell.contracted,
                let unclassified = cell.unclassified
            else { return nil }
            return "\(month) in-house \(inHouse), contracted \(contracted), unclassified \(unclassified)"
        }
        let hidden = months.filter { !($0.cell.map(isSplitShown) ?? false) }.map(\.month)
        let looks: [(UInt32, ChartLayout.Pattern)] = [(0x1F4E79, .solid), (0xC55A11, .striped), (0x595959, .dotted)]
        return ChartLayout(
            kind: .stackedColumn, title: "Completed trips by sourcing",
            altText: "Stacked columns of completed trips per month by sourcing: \(shown.joined(separator: "; "))."
                + (hidden.isEmpty ? "" : " Split hidden or not comparable: \(hidden.joined(separator: ", "))."),
            valueAxis: "Trips", headerRow: placed.headerRow, rows: placed.rows, categoryColumn: plots.category,
            series: looks.enumerated().map { index, look in
                ChartLayout.Series(
                    column: plots.values[index], nameColumn: 1 + index, color: look.0, pattern: look.1)
            },
            row: placed.headerRow, column: column)
    }

    /// Whether the split may be compared with that of other months: not if it leaves out trips.
    private func isSplitShown(_ cell: Cell) -> Bool {
        let isOfAll = KPICatalog.description(named: "inHouse")?.coverage(cell) == .all
        return cell.inHouse != nil && cell.contracted != nil && cell.unclassified != nil && isOfAll
    }

    // MARK: Both styles

    /// Every cell of the summary: in the standard style a table to filter.
    func cells() -> SheetContent {
        let cells = summary.cells, measures = Self.cellMeasures
        // In the standard style marks say the rest; the accessible style says all of it in words.
        let isPending = cells.contains { $0.revisionPending == true }
        let notes =
            isAccessible
            ? Self.notes(of: cells)
            : isPending ? cells.map { $0.revisionPending == true ? "revision pending" : "none" } : []
        let noteColumn: [SheetTable.Column] = notes.isEmpty ? [] : [.init(title: "Notes")]
        let lines = cells.enumerated().map { index, cell -> [SheetCell] in
            let keys = [cell.month, cell.region, cell.tripType], note = notes.isEmpty ? [] : [notes[index]]
            return isAccessible
                ? Self.line(keys, measures, cell) + SheetCell.line(note, []) : Self.line(keys + note, measures, cell)
        }
        let keys = SheetTable.Column.texts(["Month", "Region", "Trip type"])
        let printed = printedLines(of: lines)
        return SheetContent(
            name: isAccessible ? "Regions and types" : "Region × type", title: "Every month, region and trip type",
            blocks: [
                .line(
                    "Lines that say All are sums of the others: filter on one of them, or leave them out, before adding up."
                )
            ] + Self.printBlocks(printed) + coverageBlocks,
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

    /// Of a long table only the lines over all months, which come first, are printed: those of each month are on the Summary,
    /// and the rest is there to be filtered. Nil: all lines.
    func printedLines(of lines: [[SheetCell]]) -> Int? {
        guard lines.count > Self.mostPrintedLines else { return nil }
        let first = lines.prefix { $0.first == .text(Self.all) }.count
        return first > 0 && first < lines.count ? first : nil
    }

    static func printRemarks(_ printed: Int?) -> [String] {
        printed == nil ? [] : ["In print: the lines over all months. The sheet also has those of each month."]
    }

    static func printBlocks(_ printed: Int?) -> [SheetContent.Block] { printRemarks(printed).map { .line($0) } }

    // MARK: The accessible style

    /// Every month over all regions and trip types, without sheets for parts of the measures.
    func accessibleMonths() -> SheetContent {
        let measures = Self.monthMeasures
        let months = (overall.map { [(Self.all, Optional($0))] } ?? []) + monthTotals.map { ($0.month, $0.cell) }
        let notes = Self.notes(of: months.map(\.1))
        let lines = months.enumerated().map { index, line -> [SheetCell] in
            Self.line([line.0], measures, line.1) + (notes.isEmpty ? [] : [.text(notes[index])])
        }
        return SheetContent(
            name: "Months", title: "Every month over all regions and trip types", notes: tableNotes,
            table: SheetTable(
                name: "Months",
                columns: [.init(title: "Month")] + Self.columns(measures)
                    + (notes.isEmpty ? [] : [.init(title: "Notes")]),
                lines: summary.cells.isEmpty ? [] : lines))
    }

    /// What to know of each cell, in words; empty: no cell has anything to note.
    private static func notes(of cells: [Cell?]) -> [String] {
        let notes = cells.map { $0?.coverageNotes.joined(separator: "; ") ?? "" }
        return notes.allSatisfy(\.isEmpty) ? [] : notes.map { $0.isEmpty ? "none" : $0 }
    }
}
