internal import KPIContract

extension WorkbookReport {
    /// The key figures and the months, over all regions and trip types.
    func summarySheet() -> SheetLayout {
        var sheet = frame("Summary", title: "Ambulance trip KPIs")
        addCoverage(to: &sheet)
        let figuresRow = sheet.row + 1
        // The figures' row comes first and refers to the totals under it.
        sheet.row = figuresRow + 3
        let placed = sheet.add(
            SheetLayout.Grid(
                name: "MonthTotals", keyTitles: ["Month"],
                columns: [
                    .trips, .cancelled, .noShow, .inHouse, .contracted, .unclassified, .inHousePercent, .totalCost,
                    .costedTrips, .costPerTrip, .loadedMiles, .meanDuration, .p90Duration,
                ],
                lines: monthTotals.map { SheetLayout.GridLine(keys: [$0.month], cell: $0.cell) },
                total: overall, totalTitle: "All months"))
        addKeyFigures(to: &sheet, row: figuresRow, placed)
        if let trips = placed.columns[KPIColumn.trips.name] {
            sheet.emphases.append(Emphasis(kind: .bars, rows: placed.rows, columns: trips...trips))
        }
        sheet.frozenColumns = 1
        return sheet
    }

    private func addKeyFigures(to sheet: inout SheetLayout, row: Int, _ placed: SheetLayout.PlacedGrid) {
        // Each stands over the column of the month table it sums up.
        let figures: [(KPIColumn, Figure)] = [
            (.trips, .value(summary.totalTrips, .count)),
            (.inHousePercent, overall.map(KPIColumn.inHousePercent.figure) ?? .value(summary.inHousePercent, .percent)),
            (.totalCost, overall.map(KPIColumn.totalCost.figure) ?? .none),
            (.costPerTrip, overall.map(KPIColumn.costPerTrip.figure) ?? .value(summary.cost.cents, .cents)),
            (
                .meanDuration,
                overall.map(KPIColumn.meanDuration.figure) ?? .value(summary.avgDuration.tenths, .tenthsOfSeconds)
            ),
        ]
        let names = ["Total_trips", "In_house_share", "Total_cost", "Cost_per_trip", "Average_duration"]
        sheet.put("Key figures", .label, row: row, column: 0)
        for ((column, figure), name) in zip(figures, names) {
            guard let place = placed.columns[column.name] else { continue }
            sheet.put(column.title, .figureLabel, row: row, column: place, sized: false)
            let total = overall.map(column.figure)
            let reference = "=" + SheetLayout.cellName(row: placed.totalRow, column: place)
            sheet.put(figure, .figure, row: row + 1, column: place, formula: total == figure ? reference : nil)
            sheet.names.append((name, row + 1, place))
        }
        sheet.setHeight(row, 30)
        sheet.setHeight(row + 1, 24)
    }

    static let cellColumns: [KPIColumn] = [
        .trips, .cancelled, .noShow, .inHouse, .contracted, .unclassified, .inHousePercent, .totalCost, .inHouseCost,
        .contractedCost, .costedTrips, .costPerTrip, .loadedMiles, .unloadedMiles, .costPerLoadedMile, .loadedMileRatio,
        .meanDuration, .medianDuration, .p90Duration, .meanResponse, .p90Response,
    ]

    /// Every cell of the summary, as a table to filter.
    func cellsSheet() -> SheetLayout {
        var sheet = frame("Region × type", title: "Every month, region and trip type")
        // Marks say the rest; accessible workbooks say all of it in words.
        let isPending = summary.cells.contains { $0.revisionPending == true }
        let notes =
            isPending ? summary.cells.map { $0.revisionPending == true ? "revision pending" : "none" } : []
        let lines = summary.cells.enumerated().map { index, cell in
            SheetLayout.GridLine(
                keys: [cell.month, cell.region, cell.tripType] + (notes.isEmpty ? [] : [notes[index]]), cell: cell,
                isSummed: ![cell.month, cell.region, cell.tripType].contains(Self.all))
        }
        sheet.put(
            "Lines that say All are sums of the others: filter on one of them, or leave them out, before adding up.",
            .note, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        addCoverage(to: &sheet)
        _ = sheet.add(
            SheetLayout.Grid(
                name: "Cells", keyTitles: ["Month", "Region", "Trip type"] + (notes.isEmpty ? [] : ["Notes"]),
                columns: Self.cellColumns,
                lines: lines, total: overall, totalTitle: "Total", hasLineFormulas: false))
        sheet.frozenColumns = 3
        return sheet
    }
}
