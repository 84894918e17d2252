import Basics
import GRDB
import KPIContract
import KPIs
import Queries
import TestSupport
import Testing
import Trips

/// The marts give the tallies' numbers, and the checks find what they are for.
@Suite struct ShippedQueriesTests {
    private let catalog: QueryCatalog

    init() throws {
        catalog = try QueryCatalog(folder: StoreFixture.queries)
    }

    private func withStore(
        of batch: TripBatch, _ change: (Database) throws -> Void = { _ in }, _ body: (QueryConnection) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            let store = try StoreFixture.make(in: folder) { database in
                try StoreFixture.insert(batch, into: database)
                try change(database)
            }
            try body(QueryConnection(store: store, catalog: catalog))
        }
    }

    @Test func everyQueryRunsAndItsValuesAreOfTheirTypes() throws {
        var empty: [String] = []
        try withStore(of: StoreFixture.batch(300, seed: 2)) { connection in
            for query in catalog.queries {
                let answer =
                    query.layer == .staging
                    ? try connection.answer(sql: "SELECT * FROM \(query.name)") : try connection.answer(query)
                #expect(answer.columns == query.columns.map(\.name))
                var rows = 0
                _ = try answer.forEach { row in
                    rows += 1
                    #expect(row.count == query.columns.count)
                    for (column, value) in zip(query.columns, row) {
                        #expect(value.kind == nil || value.kind == column.type, "\(query.name).\(column.name)")
                    }
                }
                if rows == 0 { empty.append(query.name) }
            }
        }
        // The store has no older versions and no rejects; a check has a row for each fault.
        let checks = catalog.queries.filter { $0.layer == .checks }.map(\.name)
        #expect(
            Set(empty).subtracting(checks) == [
                "stg_older_versions", "stg_rejects", "stg_trip_parts", "stg_version_faults", "waiting_parts",
            ])
    }

    @Test func eventsAreThoseOfTheNewestCompleteExport() throws {
        try withStore(of: StoreFixture.batch(1, seed: 1)) { connection in
            var rows: [[QueryValue]] = []
            _ = try connection.answer(catalog.query("events")).forEach { row in rows.append(Array(row)) }
            #expect(
                rows == [
                    [.text("2026-01"), .text("North"), .text("Flood"), .integer(5), .integer(3)],
                    [.text("2026-02"), .text("South"), .text("Fire"), .integer(1), .integer(0)],
                ])
        }
    }

    @Test func theMartsAreTheTallies() throws {
        let context = KPITally.TableContext(
            regions: NamedList(["North", "South"]), tripTypes: NamedList(["Routine"]), intervalPairs: [:])
        let shape = KPITally.Shape(regionCount: 3, tripTypeCount: 2, maximumIntervalSeconds: 86_400)
        for (rows, seed) in [(0, UInt64(1)), (1, 2), (7, 3), (40, 4), (1500, 5)] {
            let batch = StoreFixture.batch(rows, seed: seed)
            var tally = KPITally(shape: shape)
            tally.add(batch)
            let table = try #require(tally.table(context))
            try withStore(of: batch) { connection in
                let cells = try Self.byPlace(connection.answer(catalog.query("kpi_cells")).records())
                let intervals = try Self.byPlace(connection.answer(catalog.query("kpi_intervals")).records())
                let live = table.cells.filter { !$0.sums.isEmpty }
                #expect(cells.count == live.count)
                #expect(intervals.count == live.filter { $0.sums.trips > 0 }.count * 6)
                for cell in live {
                    let place = Self.place(cell.scope, table)
                    #expect(cells[place] == Self.figures(cell))
                    for interval in TripInterval.allCases where cell.sums.trips > 0 {
                        let statistics = cell.intervals[interval.rawValue]
                        #expect(intervals[place + [.text(interval.name)]] == Self.figures(statistics))
                    }
                }
            }
        }
    }

    @Test func aMonthCanBeAskedFor() throws {
        try withStore(of: StoreFixture.batch(200, seed: 6)) { connection in
            let query = try catalog.query("kpi_cells")
            let rows = try connection.answer(query, given: ["month": "2026-02"]).records()
            #expect(!rows.isEmpty && rows.allSatisfy { $0["month"] == .text("2026-02") })
            #expect(throws: QueryError.self) { try connection.answer(query, given: ["month": "February"]) }
            #expect(throws: QueryError.self) { try connection.answer(query, given: ["moth": "2026-02"]) }
        }
        #expect(throws: QueryError.unknownQuery(hint: "did you mean “kpi_cells”?")) { try catalog.query("kpi_cell") }
        #expect(throws: QueryError.self) { try catalog.query("stg_trips") }
    }

    @Test func aSoundStorePassesEveryCheck() throws {
        var batch = StoreFixture.batch(300, seed: 7)
        for row in 0..<batch.count { batch.costCents[row] = abs(batch.costCents[row] / 2) }
        try withStore(of: batch) { connection in
            let checks = catalog.queries.filter { $0.layer == .checks }
            #expect(checks.count > 5)
            for check in checks {
                let rows = try connection.answer(check).records()
                #expect(rows.isEmpty, "\(check.name)")
            }
        }
    }

    @Test(arguments: [
        ("record_equation", "UPDATE exports SET records_read = records_read + 1"),
        ("export_trips", "DELETE FROM trips WHERE key_high = 3"),
        ("exports_exist", "UPDATE trips SET export_id = 9 WHERE key_high = 3"),
        ("versions_agree", "INSERT INTO older_versions VALUES (24312, 3, -3, 1, 0)"),
        ("versions_agree", "INSERT INTO older_versions VALUES (24312, 77777, 0, 1, 0)"),
        ("rejects_agree", "INSERT INTO rejects VALUES (1, 'nul_byte', 2)"),
        ("month_agrees_with_day", "UPDATE trips SET day = day + 100 WHERE key_high = 3"),
        ("codes_have_names", "UPDATE trips SET region = 7 WHERE key_high = 3"),
        ("codes_have_names", "DELETE FROM calendar WHERE month_of_year = 2"),
        ("interval_bounds", "UPDATE trips SET scene = 86401 WHERE key_high = 3"),
        ("interval_bounds", "UPDATE trips SET scene = -4 WHERE key_high = 3"),
        ("sourcing_agrees_with_rule", "UPDATE trips SET rule = 0, sourcing = 1 WHERE key_high = 3"),
        ("months_are_tallied", "UPDATE month_tallies SET is_stale = 1"),
        ("months_are_tallied", "DELETE FROM month_tallies"),
        ("negative_costs", "UPDATE trips SET cost_cents = -1, status = 0 WHERE key_high = 3"),
    ])
    func eachCheckFindsItsFault(check: String, damage: String) throws {
        try withStore(of: StoreFixture.batch(300, seed: 8), { try $0.execute(sql: damage) }) { connection in
            let rows = try connection.answer(catalog.query(check)).records()
            #expect(!rows.isEmpty)
        }
    }

    @Test func theBitsOfWarningsAreTheProgramsOwn() throws {
        try withStore(of: StoreFixture.batch(0, seed: 9)) { connection in
            let rows = try connection.answer(sql: "SELECT bit_value, code FROM stg_warning_codes").records()
            let expected = WarningCode.allCases.map { code -> [String: QueryValue] in
                ["bit_value": .integer(1 << Int64(code.index)), "code": .text(code.rawValue)]
            }
            #expect(rows == expected)
        }
    }

    // MARK: - The tallies as rows

    private static let placeColumns = ["month", "region", "trip_type", "measure"]

    private static func byPlace(_ records: [[String: QueryValue]]) -> [[QueryValue]: [String: QueryValue]] {
        var byPlace: [[QueryValue]: [String: QueryValue]] = [:]
        for record in records {
            let place = placeColumns.compactMap { record[$0] }
            byPlace[place] = record.filter { !placeColumns.contains($0.key) }
        }
        return byPlace
    }

    private static func place(_ scope: CellScope, _ table: KPITable) -> [QueryValue] {
        [
            .text(scope.month?.description ?? "All"),
            .text(scope.region.map { table.regions.names[Int($0)] } ?? "All"),
            .text(scope.tripType.map { table.tripTypes.names[Int($0)] } ?? "All"),
        ]
    }

    private static func figures(_ cell: KPICell) -> [String: QueryValue] {
        let sums = cell.sums
        var figures = [
            "trips": sums.trips, "cancelled": sums.cancelled, "no_show": sums.noShow,
            "cost_cents": sums.completed.costCents, "cost_not_run_cents": sums.costNotRunCents,
            "costed_trips": sums.costedTrips,
            "loaded_hundredths": sums.completed.loadedHundredths,
            "unloaded_hundredths": sums.completed.unloadedHundredths,
            "cost_cents_with_loaded_miles": sums.completed.costCentsWithLoadedMiles,
            "loaded_hundredths_with_cost": sums.completed.loadedHundredthsWithCost,
        ].mapValues { QueryValue.integer(Int64($0)) }
        for (sourcing, name) in zip(Sourcing.allCases, ["in_house", "contracted", "unclassified"]) {
            figures[name + "_trips"] = .integer(Int64(sums[sourcing].trips))
            figures[name + "_cost_cents"] = .integer(Int64(sums[sourcing].costCents))
            figures[name + "_costed_trips"] = .integer(Int64(sums[sourcing].costedTrips))
        }
        figures["patients_to_11"] =
            switch cell.patients {
            case .unknown: .null
            case .exactly(let count): .integer(Int64(count))
            case .atLeastCap: .integer(11)
            }
        return figures
    }

    private static func figures(_ statistics: IntervalStatistics) -> [String: QueryValue] {
        func value(_ number: Int?) -> QueryValue { number.map { .integer(Int64($0)) } ?? .null }
        return [
            "used": value(statistics.used), "excluded": value(statistics.excluded),
            "sum_seconds": value(statistics.sumSeconds), "p50_seconds": value(statistics[.p50]),
            "p90_seconds": value(statistics[.p90]),
        ]
    }
}
