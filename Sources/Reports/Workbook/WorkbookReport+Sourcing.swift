internal import KPIContract

extension WorkbookReport {
    /// In-house and contracted trips and costs per month, with a stacked column chart.
    func sourcingSheet() -> SheetLayout {
        var sheet = frame("In-house v contracted", title: "In-house versus contracted")
        sheet.put(Self.notLikeForLike, .stamp, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        sheet.addParagraph(Self.costBasis, width: 130)
        addCoverage(to: &sheet)
        let months = monthTotals
        let columns: [KPIColumn] = [
            .inHouse, .contracted, .unclassified, .inHousePercent, .inHouseCost, .contractedCost,
        ]
        let placed = sheet.add(
            SheetLayout.Grid(
                name: "SourcingByMonth", keyTitles: ["Month"], columns: columns,
                lines: months.map { SheetLayout.GridLine(keys: [$0.month], cell: $0.cell) }, total: overall,
                totalTitle: "All months"))
        // With every split hidden there is nothing to draw.
        guard var table = sheet.table, months.contains(where: { $0.cell.map(isSplitShown) ?? false }) else {
            return sheet
        }
        let plots = addPlots(
            [
                ("In-house, plotted", { isSplitShown($0) ? $0.inHouse : nil }),
                ("Contracted, plotted", { isSplitShown($0) ? $0.contracted : nil }),
                ("Unclassified, plotted", { isSplitShown($0) ? $0.unclassified : nil }),
            ], months: months, headers: &table.headers, existing: [1, 2, 3], to: &sheet, rows: placed.rows)
        for (column, header) in table.headers.enumerated().dropFirst(1 + columns.count) {
            sheet.put(
                header, header == Plots.label ? .header : .numberHeader, row: placed.headerRow, column: column)
        }
        sheet.table = table
        sheet.charts = [sourcingChart(months, placed, plots, column: table.headers.count + 1)]
        return sheet
    }

    private func sourcingChart(
        _ months: [(month: String, cell: Cell?)], _ placed: SheetLayout.PlacedGrid, _ plots: Plots, column: Int
    ) -> ChartLayout {
        let shown = months.compactMap { month, cell -> String? in
            guard let cell, isSplitShown(cell), let inHouse = cell.inHouse, let contracted = cell.contracted,
                let unclassified = cell.unclassified
            else { return nil }
            return "\(month) in-house \(inHouse), contracted \(contracted), unclassified \(unclassified)"
        }
        let hidden = months.filter { !($0.cell.map(isSplitShown) ?? false) }.map(\.month)
        let looks: [(UInt32, ChartLayout.Look)] = [(0x1F4E79, .solid), (0xC55A11, .striped), (0x595959, .dotted)]
        return ChartLayout(
            kind: .stackedColumn, title: "Completed trips by sourcing",
            altText: "Stacked columns of completed trips per month by sourcing: \(shown.joined(separator: "; "))."
                + (hidden.isEmpty ? "" : " Split hidden or not comparable: \(hidden.joined(separator: ", "))."),
            valueAxis: "Trips", headerRow: placed.headerRow, rows: placed.rows, categoryColumn: plots.category,
            series: looks.enumerated().map { index, look in
                ChartLayout.Series(
                    column: plots.values[index], nameColumn: 1 + index, color: look.0, look: look.1)
            },
            row: placed.headerRow, column: column)
    }

    /// Whether the months may stand side by side: of a part of the trips they do not.
    private func isSplitShown(_ cell: Cell) -> Bool {
        let isOfAll = KPICatalog.description(named: "inHouse")?.coverage(cell) == .all
        return cell.inHouse != nil && cell.contracted != nil && cell.unclassified != nil && isOfAll
    }

    static let notLikeForLike = "Loaded in-house cost and contractors' invoices are not like for like."
    static let costBasis =
        "Contracted cost is what was invoiced or is payable. In-house cost is what the exports carry, which may leave"
        + " out crews, vehicles, fuel, stations and dispatch. Do not read the difference as a saving: set contracted cost"
        + " against a fully loaded in-house cost from the ledger."
}
