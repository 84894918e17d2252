import Reports

import Costs
import KPIContract
import Trips

extension CostWorkbook {
    private static let costMeasures = KPICatalog.measures([
        "trips", "inHouse", "contracted", "unclassified", "costedTrips", "totalCost", "inHouseCost", "contractedCost",
        "costPerTrip", "loadedMiles", "costPerLoadedMile",
    ])

    /// Where finance has another title for a measure.
    private static let ownTitles = [
        "inHouse": "In-house trips", "contracted": "Contracted trips", "unclassified": "Unclassified trips",
        "totalCost": "Cost",
    ]

    /// Month by trip type; the lines that say All are the months.
    func costsSheet() -> SheetContent {
        let cells = cells()
        let lines = shownMonths.map(\.description).flatMap { month in
            tripTypes.filter { cells[month]?[$0] != nil || $0 == Self.all }.map { type -> [SheetCell] in
                SheetCell.line([month, type], WorkbookReport.values(Self.costMeasures, cells[month]?[type]))
            }
        }
        return costSheet(
            "Costs", "Costs by month, trip type and sourcing",
            paragraphs: [
                "Lines that say All are whole months, and the totals add up only these. Cost is what was paid or is payable; "
                    + "trips without a cost are not costed trips and are in no unit cost. Totals of loaded miles add up "
                    + "the months, each rounded to a tenth."
            ], notes: [.trips, .cost, .loadedMile], emphasis: (.bars, "Cost per trip", "Cost per trip"),
            SheetTable(
                name: "MonthlyCosts",
                columns: SheetTable.Column.texts(["Month", "Trip type"])
                    + Self.costMeasures.map { .kpi($0) { Self.ownTitles[$0] ?? KPICatalog.title($0) } },
                lines: lines,
                totals: .lines(column: "Trip type", text: Self.all), totalTitle: "Period",
                knownTotals: overall.map { WorkbookReport.values(Self.costMeasures, $0) } ?? [],
                totalNames: [
                    "Trips": "Trips_total", "Costed trips": "Costed_trips_total", "Cost": "Cost_total",
                    "In-house cost": "In_house_cost_total", "Contracted cost": "Contracted_cost_total",
                    "Cost per trip": "Cost_per_trip",
                ]))
    }

    // MARK: By sourcing

    private static let sourcingMeasures = KPICatalog.measures([
        "inHouse", "contracted", "unclassified", "inHousePercent", "inHouseCost", "contractedCost",
    ])
    private static let costTitles = [KPICatalog.title("inHouseCost"), KPICatalog.title("contractedCost")]

    /// In-house and contracted cost per month.
    func sourcingSheet() -> SheetContent {
        var columns = [SheetTable.Column(title: "Month")] + Self.sourcingMeasures.map { .kpi($0) }
        // The published share stays: it may be of other trips than the counts beside it.
        for index in columns.indices { columns[index].derivation = nil }
        let cells = cells()
        let lines = shownMonths.map(\.description).map { month -> [SheetCell] in
            SheetCell.line([month], WorkbookReport.values(Self.sourcingMeasures, cells[month]?[Self.all]))
        }
        var table = SheetTable(
            name: "SourcingCosts", columns: columns, lines: lines, totals: .filtered, totalTitle: "Period",
            knownTotals: overall.map { WorkbookReport.values(Self.sourcingMeasures, $0) } ?? [])
        let isSplitShown = lines.isEmpty || lines.contains { Self.costs($0, table).allSatisfy { $0?.whole != nil } }
        addUnitCosts(to: &table)
        return costSheet(
            "In-house v contracted", "In-house versus contracted cost", warning: WorkbookReport.notLikeForLike,
            paragraphs: [WorkbookReport.costBasis] + (isSplitShown ? [] : [Self.noSplitText]),
            notes: [.trips, .cost], table)
    }

    private static let noSplitText =
        "No month shows its costs by sourcing: too few trips of one kind have a cost. Fewer regions and trip types hide less; a "
        + "workbook made with --audience staff hides nothing and stays inside."

    /// In-house and contracted cost of a line.
    private static func costs(_ line: [SheetCell], _ table: SheetTable) -> [ShownValue?] {
        let places = table.places
        return costTitles.map { title in places[title].flatMap { line[$0].value } }
    }

    /// For staff, costed trips are known by sourcing; the summary does not publish them.
    private func addUnitCosts(to table: inout SheetTable) {
        guard let ledger else { return }
        let sums = ledger.period.grouped { [$0.month, Int32($0.sourcing.rawValue)] }
        for (sourcing, cost) in zip([Sourcing.inHouse, .contracted], Self.costTitles) {
            let word = CostLedger.word(sourcing), trips = "\(word) costed trips"
            table.columns += [
                .init(title: trips, unit: .count, isSummed: true),
                .init(title: "\(word) cost per trip", unit: .cents, derivation: .cost(cost, per: trips)),
            ]
            for index in table.lines.indices {
                let month = Month(table.lines[index][0].text)?.index ?? 0
                let sum = sums[[month, Int32(sourcing.rawValue)]]
                table.lines[index] += [
                    .value(.number(sum?.costedTrips ?? 0, .count)), .value(.known(sum?.costPerTripCents, .cents)),
                ]
            }
        }
    }

    // MARK: The chart of the standard style

    /// The same with a chart.
    func chartedSourcing() -> SheetLayout {
        var content = sourcingSheet()
        guard var table = content.table else { return frame.layout(content) }
        let plotted = addPlots(to: &table)
        content.table = table
        var (sheet, placed) = frame.placed(content)
        if let plotted, let placed { sheet.charts = [chart(table, placed, plotted: plotted)] }
        return sheet
    }

    /// Whether a month may be compared with the others: both costs are shown, and leave out no trips.
    private static func isPlotted(_ line: [SheetCell], _ table: SheetTable) -> Bool {
        costs(line, table).allSatisfy { $0?.whole != nil && $0?.coverage == FigureCoverage.all }
    }

    /// The columns in which the chart finds its values: a month that is left out must be a gap, and the word `hidden`
    /// would be drawn as 0. Nil if there is nothing to draw.
    private func addPlots(to table: inout SheetTable) -> [String]? {
        let shown = table.lines.count { Self.isPlotted($0, table) }
        guard shown > 0 else { return nil }
        guard shown < table.lines.count else { return Self.costTitles }
        let plots = table.lines.map { line -> [SheetCell] in
            Self.isPlotted(line, table)
                ? Self.costs(line, table).map { cost in cost.map { SheetCell.value($0) } ?? .blank } : [.blank, .blank]
        }
        for (index, cells) in plots.enumerated() { table.lines[index] += cells }
        let titles = ["In-house, plotted", "Contracted, plotted"]
        table.columns += titles.map { .init(title: $0, unit: .cents) }
        return titles
    }

    private func chart(_ table: SheetTable, _ placed: PlacedTable, plotted: [String]) -> ChartLayout {
        let plottedLines = table.lines.filter { Self.isPlotted($0, table) }
        let shown = plottedLines.map { line in
            // In groups of three: nine digits in a row would be taken for a social security number.
            let dollars = Self.costs(line, table).map { cost -> String in
                let dollars = cost?.cellNumber ?? 0
                return (dollars < 0 ? "-$" : "$") + NumberText.grouped(Int(abs(dollars).rounded()))
            }
            return "\(line[0].text) in-house \(dollars[0]), contracted \(dollars[1])"
        }
        let hidden = table.lines.count - shown.count
        let looks: [(UInt32, ChartLayout.Pattern)] = [(0x1F4E79, .solid), (0xC55A11, .striped)]
        var chart = ChartLayout(
            kind: .stackedColumn, title: "Cost by sourcing, without unclassified trips",
            altText: "Stacked columns of cost per month by sourcing, without unclassified trips, to the dollar: "
                + "\(shown.joined(separator: "; "))."
                + (hidden > 0 ? " \(hidden) months are hidden or not comparable." : ""),
            valueAxis: "Dollars", valueFormat: "$#,##0", headerRow: placed.headerRow, rows: placed.rows,
            categoryColumn: 0,
            series: looks.enumerated().map { index, look in
                ChartLayout.Series(
                    column: placed.column(plotted[index]), nameColumn: placed.column(Self.costTitles[index]),
                    color: look.0, pattern: look.1)
            }, row: placed.headerRow, column: table.columns.count + 1)
        chart.hasNegative = plottedLines.contains { line in Self.costs(line, table).contains { $0?.whole ?? 0 < 0 } }
        if chart.hasNegative { chart.altText += " Where refunds leave a negative cost, its column goes down from 0." }
        return chart
    }
}
