internal import KPIContract
internal import Trips

extension WorkbookReport {
    /// Trips per month against the month and the year before, with a line chart.
    func trendSheet() -> SheetLayout {
        var sheet = frame("Trend", title: "Trips per month")
        let months = monthTotals
        if months.contains(where: { $0.cell?.trips == nil }) {
            sheet.put(
                "A month that is hidden is a gap in the chart, not a 0.", .note, row: sheet.row, column: 0, sized: false
            )
        }
        sheet.row += 1
        let headerRow = sheet.row
        var headers = [
            "Month", "Trips", "Change on month before", "Change on year before", "Rolling 12 months", "Fiscal year",
            "Fiscal year to date", "Cost, fiscal year to date",
        ]
        let rows = (headerRow + 1)..<(headerRow + 1 + months.count)
        for (offset, month) in months.enumerated() {
            addTrend(month.month, month.cell, to: &sheet, row: rows.lowerBound + offset)
        }
        let hasChart = months.contains { $0.cell?.trips != nil }
        let plots = addPlots(
            hasChart ? [("Trips, plotted", { $0.trips })] : [], months: months, headers: &headers, existing: [1],
            to: &sheet, rows: rows)
        finish(&sheet, name: "TripsByMonth", headers: headers, headerRow: headerRow, rows: rows)
        if hasChart { sheet.charts = [trendChart(months, rows, plots, column: headers.count + 1)] }
        return sheet
    }

    private func trendChart(
        _ months: [(month: String, cell: Cell?)], _ rows: Range<Int>, _ plots: Plots, column: Int
    ) -> ChartLayout {
        let shown = months.compactMap { month in month.cell?.trips.map { "\(month.month) \($0)" } }
        let hidden = months.filter { $0.cell?.trips == nil }.map(\.month)
        return ChartLayout(
            kind: .line, title: "Completed trips per month",
            altText: "Line chart of completed trips per month: \(shown.joined(separator: ", "))."
                + (hidden.isEmpty ? "" : " Hidden: \(hidden.joined(separator: ", "))."),
            valueAxis: "Trips", headerRow: rows.lowerBound - 1, rows: rows, categoryColumn: plots.category,
            series: [ChartLayout.Series(column: plots.values[0], nameColumn: 1, color: 0x1F4E79, look: .solid)],
            row: rows.lowerBound - 1, column: column)
    }

    private func addTrend(_ month: String, _ cell: Cell?, to sheet: inout SheetLayout, row: Int) {
        let found = summary.comparisons.first {
            $0.month == month && $0.region == Self.all && $0.tripType == Self.all
        }
        sheet.put(month, .body, row: row, column: 0)
        sheet.put(.sum(cell?.trips, .count), .body, row: row, column: 1)
        let hidden = Set(monthTotals.filter { $0.cell?.trips == nil }.map(\.month))
        let rest: [Figure] = [
            compared(found?.monthOverMonth?.tenThousandths, .change, month, with: [0, -1], hidden),
            compared(found?.yearOverYear?.tenThousandths, .change, month, with: [0, -12], hidden),
            compared(found?.rolling12Trips, .count, month, with: Array(-11...0), hidden),
        ]
        for (offset, figure) in rest.enumerated() { sheet.put(figure, .body, row: row, column: 2 + offset) }
        let fiscalYear = (Month(month)?.fiscalYear ?? found?.fiscalYear).map { "FY\($0)" } ?? "n/a"
        sheet.put(fiscalYear, .body, row: row, column: 5)
        let toDate = Array(-((Month(month)?.month ?? 10) + 2) % 12...0)
        let trips = compared(found?.fiscalYearToDateTrips, .count, month, with: toDate, hidden)
        let cost = compared(found?.fiscalYearToDateCost?.cents, .cents, month, with: toDate, hidden)
        sheet.put(trips, .body, row: row, column: 6)
        sheet.put(cost, .body, row: row, column: 7)
    }

    /// A figure over this month and others, by distance: missing, it is hidden where one of them is hidden, else there
    /// is no such month.
    private func compared(
        _ whole: Int?, _ unit: Figure.Unit, _ month: String, with distances: [Int], _ hidden: Set<String>
    ) -> Figure {
        if let whole { return .value(whole, unit) }
        guard let month = Month(month) else { return .none }
        return distances.contains { hidden.contains(month.advanced(by: $0).description) } ? .hidden : .none
    }

    /// In-house and contracted trips and costs per month, with a stacked column chart.
    func sourcingSheet() -> SheetLayout {
        var sheet = frame("In-house v contracted", title: "In-house versus contracted")
        sheet.put(Self.notLikeForLike, .stamp, row: sheet.row, column: 0, sized: false)
        sheet.row += 1
        sheet.addParagraph(Self.costBasis, width: 130)
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
                + (hidden.isEmpty ? "" : " Split hidden: \(hidden.joined(separator: ", "))."),
            valueAxis: "Trips", headerRow: placed.headerRow, rows: placed.rows, categoryColumn: plots.category,
            series: looks.enumerated().map { index, look in
                ChartLayout.Series(
                    column: plots.values[index], nameColumn: 1 + index, color: look.0, look: look.1)
            },
            row: placed.headerRow, column: column)
    }

    private func isSplitShown(_ cell: Cell) -> Bool {
        cell.inHouse != nil && cell.contracted != nil && cell.unclassified != nil
    }

    static let notLikeForLike = "Loaded in-house cost and contractors' invoices are not like for like."
    static let costBasis =
        "Contracted cost is what was invoiced or is payable. In-house cost is what the exports carry, which may leave"
        + " out crews, vehicles, fuel, stations and dispatch. Do not read the difference as a saving: set contracted cost"
        + " against a fully loaded in-house cost from the ledger."

    // MARK: What the charts plot

    struct Plots {
        static let label = "Chart label"

        var category: Int
        var values: [Int]
    }

    /// A chart would draw the word `hidden` as 0. Where a month is hidden, the chart gets columns of its own, in which
    /// that month is blank and says so at the axis; else it plots the table's columns.
    private func addPlots(
        _ plotted: [(title: String, figure: (Cell) -> Int?)], months: [(month: String, cell: Cell?)],
        headers: inout [String], existing: [Int], to sheet: inout SheetLayout, rows: Range<Int>
    ) -> Plots {
        let figures = months.map { month in plotted.map { column in month.cell.flatMap(column.figure) } }
        guard figures.contains(where: { $0.contains(nil) }) else { return Plots(category: 0, values: existing) }
        let category = headers.count
        headers += [Plots.label] + plotted.map(\.title)
        for (offset, month) in months.enumerated() {
            let row = rows.lowerBound + offset
            let isHidden = figures[offset].contains(nil)
            sheet.put(isHidden ? "\(month.month) hidden" : month.month, .body, row: row, column: category)
            for (index, figure) in figures[offset].enumerated() {
                guard let figure, !isHidden else { continue }
                sheet.put(.value(figure, .count), .body, row: row, column: category + 1 + index)
            }
        }
        return Plots(category: category, values: plotted.indices.map { category + 1 + $0 })
    }

    /// Headers, table, frozen and repeated rows of a sheet whose lines stand.
    private func finish(
        _ sheet: inout SheetLayout, name: String, headers: [String], headerRow: Int, rows: Range<Int>
    ) {
        for (column, title) in headers.enumerated() {
            let isText = column == 0 || title == "Fiscal year" || title == Plots.label
            sheet.put(title, isText ? .header : .numberHeader, row: headerRow, column: column)
        }
        sheet.setHeight(headerRow, 64)
        sheet.frozenRows = headerRow + 1
        sheet.repeatedRows = headerRow...headerRow
        sheet.row = rows.upperBound
        guard !rows.isEmpty else {
            sheet.put("No trips in this report.", .note, row: sheet.row, column: 0, sized: false)
            return
        }
        sheet.table = SheetLayout.Table(name: name, headerRow: headerRow, headers: headers, rowCount: rows.count)
    }
}
