import Reports

import Costs
import KPIContract
import Trips

extension CostWorkbook {
    static let costMeasures = KPICatalog.measures([
        "trips", "inHouse", "contracted", "unclassified", "costedTrips", "totalCost", "inHouseCost", "contractedCost",
        "costPerTrip", "loadedMiles", "costPerLoadedMile",
    ])

    /// Where finance has another title for a measure.
    static let ownTitles = [
        "inHouse": "In-house trips", "contracted": "Contracted trips", "unclassified": "Unclassified trips",
        "totalCost": "Cost",
    ]

    /// Month by trip type; the lines that say All are the months.
    func costsSheet() -> SheetContent {
        let cells = cells()
        let lines = shownMonths.map(\.description).flatMap { month in
            tripTypes.filter { cells[month]?[$0] != nil || $0 == Self.all }.map { type -> [SheetCell] in
                SheetCell.line([month, type], figures.values(Self.costMeasures, cells[month]?[type]))
            }
        }
        var table = costTable("MonthlyCosts", ["Month", "Trip type"], lines, parts: "Trip type")
        table.totalNames = [
            "Trips": "Trips_total", "Costed trips": "Costed_trips_total", "Cost": "Cost_total",
            "In-house cost": "In_house_cost_total", "Contracted cost": "Contracted_cost_total",
            "Cost per trip": "Cost_per_trip",
        ]
        let isMonth = { (line: [SheetCell]) in line[1] == .text(Self.all) }
        return costSheet(
            "Costs", "Costs by month, trip type and sourcing",
            paragraphs: [
                "Lines that say All are whole months, and the totals add up only these. Cost is what was paid or is payable; "
                    + "trips without a cost are not costed trips and are in no unit cost. \(Self.milesText)"
            ], notes: [.trips, .cost, .loadedMile], emphasis: (.bars, "Cost per trip", "Cost per trip"),
            total: SheetTotal(
                trips: table.total(of: ["Trips"], where: isMonth) ?? 0,
                costCents: table.total(of: ["Cost"], where: isMonth) ?? 0), table)
    }

    static let milesText =
        "Miles of a line are rounded to a tenth; their total is rounded once, and is that of all workbooks."

    /// Trips, costs and miles of cells; the totals are those of the lines that say All.
    func costTable(
        _ name: String, _ keys: [String], _ lines: [[SheetCell]], parts column: String
    ) -> SheetTable {
        SheetTable(
            name: name,
            columns: SheetTable.Column.texts(keys)
                + Self.costMeasures.map { .kpi($0) { Self.ownTitles[$0] ?? KPICatalog.title($0) } },
            lines: lines, totals: .lines(column: column, text: Self.all), totalTitle: "Period",
            knownTotals: overall.map { figures.values(Self.costMeasures, $0) } ?? [])
    }
}
