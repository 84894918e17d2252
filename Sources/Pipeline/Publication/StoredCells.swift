import KPIContract
import Queries
import Reports
import Trips

/// A store's cells as the SQL of `queries/` counts them, in the form in which they are published and with nothing hidden.
struct StoredCells {
    struct Place: Hashable, CustomStringConvertible {
        var month: String
        var region: String
        var tripType: String

        init(_ cell: KPISummaryV1.Cell) {
            (month, region, tripType) = (cell.month, cell.region, cell.tripType)
        }

        fileprivate init(_ row: Row) {
            (month, region, tripType) = (row.text("month"), row.text("region"), row.text("trip_type"))
        }

        var description: String { "\(month), \(region), \(tripType)" }
    }

    /// A row of an answer, by column.
    fileprivate struct Row {
        var values: [String: QueryValue]

        func text(_ column: String) -> String {
            if case .text(let text) = values[column] { text } else { "" }
        }

        /// Nil for null.
        func integer(_ column: String) -> Int? {
            if case .integer(let value) = values[column] { Int(value) } else { nil }
        }

        /// 0 where there is nothing to count.
        subscript(column: String) -> Int { integer(column) ?? 0 }
    }

    private var sums: [Place: Row] = [:]
    private var intervals: [Place: [String: Row]] = [:]

    /// Takes the cells from the marts `kpi_cells` and `kpi_intervals`, month by month: SQLite sorts in memory.
    ///
    /// - Parameters:
    ///   - months: those of the store.
    ///   - withheld: those of them that are in nothing, "All" neither.
    init(_ connection: QueryConnection, _ catalog: QueryCatalog, months: [Month], withheld: [String]) throws {
        let shown = months.map(\.description).filter { !withheld.contains($0) }
        for month in ["All"] + shown {
            let given = ["month": month, "without": withheld.joined(separator: ",")]
            try Self.forEachRow(of: "kpi_cells", given, connection, catalog) { sums[Place($0)] = $0 }
            try Self.forEachRow(of: "kpi_intervals", given, connection, catalog) {
                intervals[Place($0), default: [:]][$0.text("measure")] = $0
            }
        }
    }

    private static func forEachRow(
        of name: String, _ given: [String: String], _ connection: QueryConnection, _ catalog: QueryCatalog,
        _ body: (Row) -> Void
    ) throws {
        let answer = try connection.answer(try catalog.query(name), given: given)
        _ = try answer.forEach { values in
            body(Row(values: Dictionary(uniqueKeysWithValues: zip(answer.columns, values))))
        }
    }

    /// What a summary shows otherwise than the store's rows; each in words, without a figure.
    func contradictions(to summary: KPISummaryV1) -> [String] {
        var problems: [String] = []
        var missing = Set(sums.keys)
        for cell in summary.cells {
            let place = Place(cell)
            missing.remove(place)
            let expected = self.cell(at: place)
            for kpi in KPICatalog.all {
                guard let shown = kpi.text(cell), shown != kpi.text(expected) else { continue }
                problems.append("\(place): \(kpi.name) is not that of the store's rows")
            }
        }
        return problems + missing.map { "\($0): the store has this cell and the set has not" }.sorted()
    }

    private func cell(at place: Place) -> KPISummaryV1.Cell {
        let row = sums[place] ?? Row(values: [:])
        let inHouse = row["in_house_trips"], contracted = row["contracted_trips"]
        let loaded = row["loaded_hundredths"], unloaded = row["unloaded_hundredths"]
        return KPISummaryV1.Cell(
            month: place.month, region: place.region, tripType: place.tripType, suppressed: false,
            sourcingSuppressed: false, trips: row["trips"], cancelled: row["cancelled"], noShow: row["no_show"],
            inHouse: inHouse, contracted: contracted, unclassified: row["unclassified_trips"],
            inHousePercent: HalfUp.quotient(inHouse, times: 100, by: inHouse + contracted),
            inHouseShare: HalfUp.quotient(inHouse, times: 10_000, by: inHouse + contracted)
                .map(Share.init(tenThousandths:)),
            totalCost: Cents(cents: row["cost_cents"]), inHouseCost: Cents(cents: row["in_house_cost_cents"]),
            contractedCost: Cents(cents: row["contracted_cost_cents"]), costedTrips: row["costed_trips"],
            costPerTrip: HalfUp.quotient(row["cost_cents"], by: row["costed_trips"]).map(Cents.init(cents:)),
            loadedMiles: HalfUp.quotient(loaded, by: 10).map(Tenths.init(tenths:)),
            unloadedMiles: HalfUp.quotient(unloaded, by: 10).map(Tenths.init(tenths:)),
            costPerLoadedMile: HalfUp.quotient(
                row["cost_cents_with_loaded_miles"], times: 100, by: row["loaded_hundredths_with_cost"]
            ).map(Cents.init(cents:)),
            loadedMileRatio: HalfUp.quotient(loaded, times: 10_000, by: loaded + unloaded)
                .map(Share.init(tenThousandths:)),
            duration: interval(.duration, at: place), response: interval(.response, at: place),
            turnout: interval(.turnout, at: place), scene: interval(.scene, at: place),
            transport: interval(.transport, at: place), turnaround: interval(.turnaround, at: place))
    }

    private func interval(_ interval: TripInterval, at place: Place) -> KPISummaryV1.Interval {
        let row = intervals[place]?[interval.name] ?? Row(values: [:])
        return KPISummaryV1.Interval(
            used: row["used"], excluded: row["excluded"],
            mean: HalfUp.quotient(row["sum_seconds"], times: 10, by: row["used"]).map(Tenths.init(tenths:)),
            p50: row.integer("p50_seconds"), p90: row.integer("p90_seconds"))
    }
}
