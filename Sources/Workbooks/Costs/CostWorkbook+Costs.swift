import Basics
import KPIContract
import Reports

extension CostWorkbook {
    static let costMeasures = KPICatalog.measures([
        .trips, .inHouse, .contracted, .unclassified, .costedTrips, .totalCost, .inHouseCost, .contractedCost,
        .costPerTrip, .loadedMiles, .costPerLoadedMile,
    ])

    /// Where finance has another title for a measure.
    static let ownTitles: [Measure: String] = [
        .inHouse: "In-house trips", .contracted: "Contracted trips", .unclassified: "Unclassified trips",
        .totalCost: "Cost",
    ]

    /// Month by trip type; the lines that say All are the months.
    func costsSheet() -> SheetContent {
        let cells = cells(), hasUnclassified = hasUnclassifiedCost
        let lines = tableMonths.map(\.description).flatMap { month in
            tripTypes.filter { cells[month]?[$0] != nil || $0 == CellKey.all }.map { type -> [SheetCell] in
                SheetCell.line([month, type], costValues(cells[month]?[type], hasUnclassified: hasUnclassified))
            }
        }
        var table = costTable(
            "MonthlyCosts", ["Month", "Trip type"], lines, parts: "Trip type", hasUnclassified: hasUnclassified)
        table.totalNames = [
            "Trips": "Trips_total", "Costed trips": "Costed_trips_total", "Cost": "Cost_total",
            "In-house cost": "In_house_cost_total", "Contracted cost": "Contracted_cost_total",
            Self.unclassifiedCostTitle: "Unclassified_cost_total", "Cost per trip": "Cost_per_trip",
        ]
        let isMonth = { (line: [SheetCell]) in line[1] == .text(CellKey.all) }
        return costSheet(
            "Costs", "Costs by month, trip type and sourcing",
            paragraphs: [
                "Lines that say All are whole months, and the totals add up only these. Cost is what was paid or is payable; "
                    + "trips without a cost are not costed trips and are in no unit cost. \(Self.milesText)",
                "Cost per loaded mile: \(loadedMileText)",
            ] + (hasUnclassified ? ["Unclassified cost: \(Self.unclassifiedCostText)"] : []),
            notes: [.trips, .cost, .loadedMile],
            total: SheetTotal(
                trips: table.total(of: ["Trips"], where: isMonth) ?? 0,
                costCents: table.total(of: ["Cost"], where: isMonth) ?? 0), table)
    }

    static let milesText =
        "Miles of a line are rounded to a tenth; their total is rounded once, and is that of all workbooks."

    static let unclassifiedCostTitle = "Unclassified cost"
    static let unclassifiedCostText =
        "Cost of the unclassified trips: the cost less in-house and contracted cost. Hidden where one of the three is hidden or "
        + "marked: the rest would be of other trips. A sheet has this column where it is not 0 everywhere."

    /// Whether in-house and contracted cost do not make up the cost, or may not.
    var hasUnclassifiedCost: Bool {
        let period = Set(shownMonths.map(\.description))
        return report.summary.cells.contains { cell in
            guard period.contains(cell.month), cell.totalCost != nil else { return false }
            let cost = figures.unclassifiedCost(of: cell)
            return cost == .hidden || cost.whole ?? 0 != 0
        }
    }

    /// The place of the cost of unclassified trips: after contracted cost.
    private static let unclassifiedPlace = 1 + (costMeasures.firstIndex { $0.measure == .contractedCost } ?? 0)

    /// Trips, costs and miles of a cell; of one that is nil all are hidden.
    func costValues(_ cell: Cell?, hasUnclassified: Bool) -> [ShownValue] {
        var values = figures.values(Self.costMeasures, cell)
        guard hasUnclassified else { return values }
        values.insert(cell.map(figures.unclassifiedCost) ?? .hidden, at: Self.unclassifiedPlace)
        return values
    }

    /// A table of `costValues`; the totals are those of the lines that say All.
    func costTable(
        _ name: String, _ keys: [String], _ lines: [[SheetCell]], parts column: String, hasUnclassified: Bool
    ) -> SheetTable {
        var columns = Self.costMeasures.map { kpi in
            SheetTable.Column.kpi(kpi) { Self.ownTitles[$0] ?? $0.kpi.title }
        }
        if hasUnclassified {
            columns.insert(
                .init(title: Self.unclassifiedCostTitle, unit: .cents, isSummed: true), at: Self.unclassifiedPlace)
        }
        return SheetTable(
            name: name, columns: SheetTable.Column.texts(keys) + columns, lines: lines,
            totals: .lines(column: column, text: CellKey.all), totalTitle: "Period",
            knownTotals: overall.map { costValues($0, hasUnclassified: hasUnclassified) } ?? [])
    }
}
