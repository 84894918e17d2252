import Basics
import KPIContract

/// The latest complete month by trip type and by region.
struct ScreenPlaces: Sendable {
    let table: MarginTable
    /// How many trip types and regions have no line.
    let left: Int

    private static let columns: [(measure: Measure, column: MarginTable.Column)] = [
        (.trips, .init(header: ["", "Trips"])), (.inHouseShare, .init(header: ["In-house", "share"])),
        (.costPerTrip, .init(header: ["Cost", "per trip"])),
        (.durationMean, .init(header: ["Average", "duration"], rank: 1)),
        (.responseP50, .init(header: ["Response,", "median"], rank: 0)),
        (.responseP90, .init(header: ["Response,", "9 of 10 trips"])),
    ]

    /// - Parameter most: of trip types and regions; the ones with the most trips stay, in their order.
    init(_ summary: KPISummaryV1, month: String, most: Int) {
        let all = CellKey.all
        let cells = summary.cells.filter { $0.month == month }
        let types = cells.filter { $0.region == all && $0.tripType != all && !Self.isBlank($0) }
        let regions = cells.filter { $0.region != all && $0.tripType == all && !Self.isBlank($0) }
        // Of a single region or trip type, its line would be that of all.
        let groups = [types, regions].map { $0.count > 1 ? $0 : [] }
        let half = max(1, most / 2)
        let shares = [min(groups[0].count, max(half, most - groups[1].count)), groups[1].count]
        let kept = [Self.largest(groups[0], shares[0]), Self.largest(groups[1], most - shares[0])]
        left = groups[0].count + groups[1].count - kept[0].count - kept[1].count
        let total = cells.first { $0.region == all && $0.tripType == all }
        let names =
            [(total, "All trips")]
            + kept[0].map { (Optional($0), Self.name($0.tripType, "type")) }
            + kept[1].map { (Optional($0), Self.name($0.region, "region")) }
        let remark = summary.remark(onMonth: month)
        table = MarginTable(
            title: PlainName.month(month) + (remark.map { " (\($0))" } ?? ""), columns: Self.columns.map(\.column),
            rows: names.map { cell, name in
                MarginTable.Row(name: name, figures: Self.columns.map { CellText($0.measure.kpi, of: cell) })
            })
    }

    private static func name(_ name: String, _ kind: String) -> String {
        name == CellKey.unassigned ? "No known \(kind)" : name
    }

    private static func isBlank(_ cell: KPISummaryV1.Cell) -> Bool {
        cell.trips == 0 && (cell.cancelled ?? 0) == 0 && (cell.noShow ?? 0) == 0
    }

    private static func largest(_ cells: [KPISummaryV1.Cell], _ most: Int) -> [KPISummaryV1.Cell] {
        guard cells.count > most else { return cells }
        // The sort is stable: of equal ones the first stay.
        let kept = Set(cells.indices.sorted { cells[$0].trips ?? -1 > cells[$1].trips ?? -1 }.prefix(max(0, most)))
        return cells.indices.filter(kept.contains).map { cells[$0] }
    }
}
