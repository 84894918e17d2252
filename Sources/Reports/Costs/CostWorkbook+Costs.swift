internal import Costs
internal import KPIContract
internal import Trips

extension CostWorkbook {
    /// The columns of public sheets; places are their indices.
    private static let costColumns: [(column: CostGrid.Column, figure: KPIColumn)] = [
        (.init(title: "Trips", unit: .count, isSummed: true), .trips),
        (.init(title: "In-house trips", unit: .count, isSummed: true), .inHouse),
        (.init(title: "Contracted trips", unit: .count, isSummed: true), .contracted),
        (.init(title: "Unclassified trips", unit: .count, isSummed: true), .unclassified),
        (.init(title: "Costed trips", unit: .count, isSummed: true), .costedTrips),
        (.init(title: "Cost", unit: .cents, isSummed: true), .totalCost),
        (.init(title: "In-house cost", unit: .cents, isSummed: true), .inHouseCost),
        (.init(title: "Contracted cost", unit: .cents, isSummed: true), .contractedCost),
        (.init(title: "Cost per trip", unit: .cents, derivation: .costPer(cost: 5, count: 4)), .costPerTrip),
        (.init(title: "Loaded miles", unit: .tenthsOfMiles, isSummed: true), .loadedMiles),
        (.init(title: "Cost per loaded mile", unit: .cents), .costPerLoadedMile),
    ]

    /// Month by trip type; the lines that say All are the months.
    func costsSheet() -> CostSheet {
        let cells = cells()
        var lines: [CostGrid.Line] = []
        for month in shownMonths {
            let ofMonth = cells[month.description] ?? [:]
            for type in tripTypes where ofMonth[type] != nil || type == Self.all {
                lines.append(.init(keys: [month.description, type], figures: figures(ofMonth[type])))
            }
        }
        let grid = CostGrid(
            name: "MonthlyCosts", keyTitles: ["Month", "Trip type"], columns: Self.costColumns.map(\.column),
            lines: lines, summing: .lines(key: 1, text: Self.all), totalTitle: "Period",
            knownTotals: overall.map { figures($0) } ?? [])
        return CostSheet(
            name: "Costs", title: "Costs by month, trip type and sourcing",
            paragraphs: [
                "Lines that say All are whole months, and the totals add up only these. Cost is what was paid or is payable; "
                    + "trips without a cost are not costed trips and are in no unit cost. Totals of loaded miles add up "
                    + "the months, each rounded to a tenth."
            ], grid: grid,
            totalNames: [
                0: "Trips_total", 4: "Costed_trips_total", 5: "Cost_total", 6: "In_house_cost_total",
                7: "Contracted_cost_total", 8: "Cost_per_trip",
            ], emphasis: (.bars, 8...8), notes: [.trips, .cost, .loadedMile])
    }

    /// A nil cell is hidden whole.
    private func figures(_ cell: Cell?) -> [Figure?] {
        Self.costColumns.map { cell.map($0.figure.figure) ?? .hidden }
    }

    /// In-house and contracted cost per month.
    func sourcingSheet() -> CostSheet {
        let units: [KPIColumn] = [
            .inHouse, .contracted, .unclassified, .inHousePercent, .inHouseCost, .contractedCost,
        ]
        var columns = units.map { column in
            CostGrid.Column(
                title: column.title,
                unit: column.name == "inHousePercent" ? .percent : column.name.hasSuffix("Cost") ? .cents : .count,
                isSummed: column.name != "inHousePercent")
        }
        let cells = cells()
        var lines = shownMonths.map { month in
            let cell = cells[month.description]?[Self.all]
            return CostGrid.Line(
                keys: [month.description], figures: units.map { cell.map($0.figure) ?? Figure.hidden })
        }
        let isSplitShown =
            lines.isEmpty || lines.contains { $0.figures[4]?.whole != nil && $0.figures[5]?.whole != nil }
        addUnitCosts(to: &lines, columns: &columns)
        let grid = CostGrid(
            name: "SourcingCosts", keyTitles: ["Month"], columns: columns, lines: lines, totalTitle: "Period",
            knownTotals: overall.map { cell in units.map { $0.figure(cell) } } ?? [])
        return CostSheet(
            name: "In-house v contracted", title: "In-house versus contracted cost",
            warning: WorkbookReport.notLikeForLike,
            paragraphs: [WorkbookReport.costBasis] + (isSplitShown ? [] : [Self.noSplitText]), grid: grid,
            notes: [.trips, .cost])
    }

    private static let noSplitText =
        "No month shows its costs by sourcing: too few trips of one kind have a cost. Fewer regions and trip types hide less; a "
        + "workbook made with --audience staff hides nothing and stays inside."

    /// The same with a chart.
    func chartedSourcingSheet() -> SheetLayout {
        var content = sourcingSheet()
        let plotted = addPlots(to: &content.grid.lines, columns: &content.grid.columns)
        var (sheet, placed) = placed(content)
        if let plotted {
            sheet.charts = [
                chart(content.grid.lines, placed, plotted: plotted, after: content.grid.columns.count)
            ]
        }
        return sheet
    }

    /// Inside the house costed trips are known by sourcing; the summary does not publish them.
    private func addUnitCosts(to lines: inout [CostGrid.Line], columns: inout [CostGrid.Column]) {
        guard let ledger else { return }
        let sums = ledger.period.grouped { [$0.month, Int32($0.sourcing.rawValue)] }
        for sourcing in [Sourcing.inHouse, .contracted] {
            let word = CostLedger.word(sourcing)
            let cost = sourcing == .inHouse ? 4 : 5
            columns.append(.init(title: "\(word) costed trips", unit: .count, isSummed: true))
            columns.append(
                .init(
                    title: "\(word) cost per trip", unit: .cents,
                    derivation: .costPer(cost: cost, count: columns.count - 1)))
            for index in lines.indices {
                let month = Month(lines[index].keys[0])?.index ?? 0
                let sum = sums[[month, Int32(sourcing.rawValue)]]
                lines[index].figures.append(.value(sum?.costedTrips ?? 0, .count))
                lines[index].figures.append(
                    (sum?.costPerTripCents).map { .value($0, .cents) } ?? Figure.none)
            }
        }
    }

    /// Whether a month may stand beside the others: both costs are shown, and leave out no trips.
    private static func isPlotted(_ line: CostGrid.Line) -> Bool {
        [4, 5].allSatisfy { line.figures[$0]?.whole != nil && line.figures[$0]?.coverage == FigureCoverage.all }
    }

    /// Where the chart finds its values: a month that is left out must be a gap, and the word `hidden` would be drawn as
    /// 0. Nil if there is nothing to draw.
    private func addPlots(to lines: inout [CostGrid.Line], columns: inout [CostGrid.Column]) -> [Int]? {
        let shown = lines.filter(Self.isPlotted)
        guard !shown.isEmpty else { return nil }
        guard shown.count < lines.count else { return [4, 5] }
        let first = columns.count
        for title in ["In-house, plotted", "Contracted, plotted"] {
            columns.append(.init(title: title, unit: .cents))
        }
        for index in lines.indices {
            let pair = [lines[index].figures[4], lines[index].figures[5]]
            lines[index].figures += Self.isPlotted(lines[index]) ? pair : [nil, nil]
        }
        return [first, first + 1]
    }

    private func chart(
        _ lines: [CostGrid.Line], _ placed: SheetLayout.PlacedCosts, plotted: [Int], after columns: Int
    ) -> ChartLayout {
        let said = lines.compactMap { line -> String? in
            guard Self.isPlotted(line), let inHouse = line.figures[4]?.number,
                let contracted = line.figures[5]?.number
            else { return nil }
            // In groups of three: nine digits in a row would be taken for a social security number.
            let dollars = [inHouse, contracted].map {
                ($0 < 0 ? "-$" : "$") + NumberText.grouped(Int(abs($0).rounded()))
            }
            return "\(line.keys[0]) in-house \(dollars[0]), contracted \(dollars[1])"
        }
        let hidden = lines.count - said.count
        let hasNegative = lines.contains { line in
            line.figures[4...5].contains { ($0?.whole ?? 0) < 0 } && Self.isPlotted(line)
        }
        var chart = ChartLayout(
            kind: .stackedColumn, title: "Cost by sourcing, without unclassified trips",
            altText:
                "Stacked columns of cost per month by sourcing, without unclassified trips, to the dollar: \(said.joined(separator: "; "))."
                + (hidden > 0 ? " \(hidden) months are hidden or not comparable." : ""),
            valueAxis: "Dollars", valueFormat: "$#,##0", headerRow: placed.headerRow, rows: placed.rows,
            categoryColumn: 0,
            series: [
                .init(column: placed.column(plotted[0]), nameColumn: placed.column(4), color: 0x1F4E79, look: .solid),
                .init(column: placed.column(plotted[1]), nameColumn: placed.column(5), color: 0xC55A11, look: .striped),
            ], row: placed.headerRow, column: columns + 2)
        chart.hasNegative = hasNegative
        if hasNegative { chart.altText += " Where refunds leave a negative cost, its column goes down from 0." }
        return chart
    }
}
