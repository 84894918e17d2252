import Basics
import KPIContract
import KPIs
import Queries
import Trips

/// A store's cells as SQL counts them, in the form in which they are published and with nothing hidden.
///
/// Sums are the SQL expressions of `KPICatalog` over `stg_trips`; intervals come from the mart `kpi_intervals`.
struct StoredCells {
    /// What `KPIDescription.figure(of:)` asks for, each as a column of SQL.
    private static let columns: [(name: String, sql: String, sum: any WritableKeyPath<MeasureSums, Int> & Sendable)] =
        KPICatalog.all.compactMap { kpi in kpi.sql.map { (kpi.name, $0, \.[kpi.measure]) } } + [
            (
                "costWithLoadedMiles",
                "COALESCE(SUM(cost_cents) FILTER (WHERE status = 'completed' AND loaded_hundredths > 0), 0)",
                \.costCentsWithLoadedMiles
            ),
            (
                "loadedMilesWithCost",
                "COALESCE(SUM(loaded_hundredths) FILTER (WHERE status = 'completed' AND cost_cents IS NOT NULL), 0)",
                \.loadedHundredthsWithCost
            ),
        ]

    /// By column of the answer.
    private typealias Row = [String: QueryValue]

    /// With "All", if its cells are among them.
    private let months: Set<String>
    private var sums: [CellKey: MeasureSums] = [:]
    private var intervals: [CellKey: [String: Row]] = [:]

    /// Reads month by month: SQLite finds a month's trips by a range, and sorts in memory.
    ///
    /// - Parameters:
    ///   - months: those that are read.
    ///   - hasTotals: whether they are all months of the store; else there are no cells of all months.
    ///   - withheld: months that are in nothing, "All" neither.
    init(
        _ connection: QueryConnection, _ catalog: QueryCatalog, months: [Month], hasTotals: Bool, withheld: [String]
    ) throws {
        let list = Self.columns.map { "\($0.sql) AS \"\($0.name)\"" }.joined(separator: ", ")
        let sql =
            "SELECT month, region, trip_type, \(list) FROM stg_trips WHERE month = :month AND status <> 'void' "
            + "GROUP BY month, region, trip_type"
        let shown = months.map(\.description).filter { !withheld.contains($0) }
        self.months = Set(shown + (hasTotals ? [CellKey.all] : []))
        for month in shown {
            try Self.forEachRow(of: connection.answer(sql: sql, given: ["month": month])) { row in
                for key in Self.key(of: row).withTotals where self.months.contains(key.month) {
                    for (name, _, sum) in Self.columns {
                        sums[key, default: MeasureSums()][keyPath: sum] += Self.integer(row[name]) ?? 0
                    }
                }
            }
        }
        let mart = try catalog.query("kpi_intervals")
        for month in (hasTotals ? [CellKey.all] : []) + shown {
            let given = ["month": month, "without": withheld.joined(separator: ",")]
            try Self.forEachRow(of: connection.answer(mart, given: given)) { row in
                intervals[Self.key(of: row), default: [:]][Self.text(row["measure"])] = row
            }
        }
    }

    private static func forEachRow(of answer: QueryAnswer, _ body: (Row) -> Void) throws {
        _ = try answer.forEach { body(Dictionary(uniqueKeysWithValues: zip(answer.columns, $0))) }
    }

    private static func key(of row: Row) -> CellKey {
        CellKey(month: text(row["month"]), region: text(row["region"]), tripType: text(row["trip_type"]))
    }

    private static func text(_ value: QueryValue?) -> String { if case .text(let text) = value { text } else { "" } }

    /// Nil for null.
    private static func integer(_ value: QueryValue?) -> Int? {
        if case .integer(let value) = value { Int(value) } else { nil }
    }

    /// What a summary shows otherwise than the store's rows; each in words, without a figure.
    func contradictions(to summary: KPISummaryV1) -> [String] {
        var problems: [String] = []
        var missing = Set(sums.keys)
        for cell in summary.cells where months.contains(cell.month) {
            missing.remove(cell.key)
            let expected = self.cell(at: cell.key)
            for kpi in KPICatalog.all {
                guard let shown = kpi.figure(cell), shown != kpi.figure(expected) else { continue }
                problems.append("\(Self.name(cell.key)): \(kpi.name) is not that of the store's rows")
            }
        }
        return problems + missing.map { "\(Self.name($0)): the store has this cell and the set has not" }.sorted()
    }

    private static func name(_ key: CellKey) -> String { "\(key.month), \(key.region), \(key.tripType)" }

    private func cell(at key: CellKey) -> KPISummaryV1.Cell {
        var cell = KPISummaryV1.Cell(
            month: key.month, region: key.region, tripType: key.tripType, suppressed: false, sourcingSuppressed: false)
        for kpi in KPICatalog.plain { cell[kpi.measure] = kpi.figure(of: sums[key] ?? MeasureSums()) }
        for interval in TripInterval.allCases {
            let own = intervals[key]?[interval.name] ?? [:]
            let used = Self.integer(own["used"]) ?? 0, seconds = Self.integer(own["sum_seconds"]) ?? 0
            let statistics = IntervalStatistics(
                used: used, excluded: Self.integer(own["excluded"]) ?? 0, sumSeconds: seconds,
                percentileSeconds: IntervalStatistic.percentiles.map {
                    Self.integer(own["\($0.rawValue)_seconds"])
                })
            for statistic in IntervalStatistic.allCases {
                cell[Measure(ofInterval: interval.rawValue, statistic)] = statistics[statistic]
            }
        }
        return cell
    }
}

extension CellKey {
    /// The cell, and each that sums it.
    fileprivate var withTotals: [CellKey] {
        [month, CellKey.all].flatMap { month in
            [region, CellKey.all].flatMap { region in
                [tripType, CellKey.all].map { CellKey(month: month, region: region, tripType: $0) }
            }
        }
    }
}
