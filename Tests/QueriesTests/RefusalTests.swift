import Foundation
import Queries
import TestSupport
import Testing

/// What an analyst's statement cannot do, and that it is told why.
@Suite struct RefusalTests {
    private func withConnection(_ body: (QueryConnection) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let store = try StoreFixture.make(in: folder) { database in
                try StoreFixture.insert(StoreFixture.batch(20, seed: 1), into: database)
            }
            let before = try folder.read("store.sqlite")
            try body(QueryConnection(store: store, catalog: QueryCatalog(folder: StoreFixture.queries)))
            let after = try folder.read("store.sqlite")
            #expect(after == before)
        }
    }

    @Test(arguments: [
        ("INSERT INTO trips (month) VALUES (1)", "wrong"), ("UPDATE stg_trips SET month = 'x'", "UPDATE"),
        ("DELETE FROM stg_trips", "DELETE"), ("CREATE TABLE a (b)", "schema"),
        ("CREATE TEMP TABLE a (b)", "schema"), ("CREATE TEMP VIEW a AS SELECT 1", "schema"),
        ("DROP VIEW stg_trips", ""), ("ATTACH ':memory:' AS other", "ATTACH"), ("DETACH temp", "DETACH"),
        ("PRAGMA query_only = OFF", "PRAGMA"), ("VACUUM", ""), ("VACUUM INTO '/tmp/copy.sqlite'", ""),
        ("BEGIN", "transaction"), ("COMMIT", "transaction"), ("SAVEPOINT a", "transaction"),
        ("REINDEX", ""), ("ANALYZE", ""), ("EXPLAIN SELECT month FROM stg_trips", "EXPLAIN"),
        ("EXPLAIN QUERY PLAN SELECT month FROM stg_trips", "EXPLAIN"),
        ("SELECT load_extension('x')", "load_extension"), ("SELECT readfile('/etc/passwd')", ""),
        ("SELECT writefile('/tmp/x', 'y')", ""), ("SELECT randomblob(1000000000)", "randomblob"),
        ("SELECT zeroblob(1000000000)", "zeroblob"), ("SELECT printf('%1000000000d', 1)", "printf"),
        ("SELECT month FROM stg_trips; DROP TABLE trips", "more than one"), ("SELECT 1; SELECT 2", "more than one"),
        ("", "no statement"),
        ("-- nothing", "no statement"), ("SELECT month FROM stg_trips; x", "more than one"),
    ])
    func whatIsNoSelectIsRefused(sql: String, reason: String) throws {
        try withConnection { connection in
            let error = #expect(throws: QueryError.self) { try connection.answer(sql: sql) }
            #expect(
                reason.isEmpty || error?.description.contains(reason) == true, "\(sql): \(error?.description ?? "")")
        }
    }

    /// Only the staging views are in reach, however the statement goes about it.
    @Test(arguments: [
        "SELECT key_high FROM trips", "SELECT * FROM main.trips", "SELECT count(*) FROM older_versions",
        "SELECT patient FROM stg_trips", "SELECT key_high FROM stg_trips", "SELECT record_offset FROM stg_trips",
        "WITH stg_trips AS (SELECT key_high FROM trips) SELECT * FROM stg_trips",
        "WITH stg_trips AS (SELECT * FROM main.trips) SELECT key_high FROM stg_trips",
        "SELECT stg_trips.key_high FROM (SELECT * FROM trips) AS stg_trips",
        "SELECT * FROM (WITH stg_exports AS (SELECT patient FROM trips) SELECT * FROM stg_exports)",
        "SELECT (SELECT patient FROM trips LIMIT 1) FROM stg_trips",
        "SELECT month FROM stg_trips WHERE EXISTS (SELECT 1 FROM trips WHERE patient > 0)",
        "SELECT month FROM stg_trips ORDER BY (SELECT max(patient) FROM trips)",
        "SELECT sql FROM sqlite_schema", "SELECT sql FROM sqlite_temp_schema", "SELECT * FROM sqlite_master",
        "SELECT * FROM pragma_table_info('trips')", "SELECT * FROM json_each('[1]')", "SELECT * FROM dbstat",
        "SELECT name FROM pragma_database_list", "SELECT count(*) FROM trips", "SELECT count(*) FROM sqlite_schema",
        "SELECT 1 FROM main.trips", "SELECT count(*) FROM pragma_table_list", "SELECT sha256 FROM exports",
        "SELECT value FROM texts",
    ])
    func theTablesBehindTheViewsAreOutOfReach(sql: String) throws {
        try withConnection { connection in
            #expect(throws: QueryError.self) { try connection.answer(sql: sql).records() }
        }
    }

    @Test(arguments: [
        "SELECT count(*) AS n FROM stg_trips;", "SELECT month FROM stg_trips -- all", "VALUES (1), (2)",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
        "WITH m AS (SELECT DISTINCT month FROM stg_trips) SELECT count(*) FROM m JOIN stg_months s ON s.month = m.month",
        "SELECT month, row_number() OVER (ORDER BY month) FROM stg_trips",
        "SELECT upper(region) FROM stg_trips WHERE region LIKE 'n%'",
    ])
    func whatAnalystsWriteIsAnswered(sql: String) throws {
        try withConnection { connection in
            let rows = try connection.answer(sql: sql).records()
            #expect(!rows.isEmpty)
        }
    }

    @Test func aStatementThatNeverEndsIsStopped() throws {
        try withConnection { connection in
            let bomb = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
            var asked = 0
            #expect(throws: QueryError.interrupted) {
                try connection.answer(sql: bomb).forEach(stoppingWhen: {
                    asked += 1
                    return asked > 100
                }) { _ in }
            }
            let rows = try connection.answer(sql: "SELECT 1").records()
            #expect(rows.count == 1)
        }
    }

    @Test func rowsBeyondTheLimitAreLeftOutAndItSaysSo() throws {
        try withConnection { connection in
            let sql = "SELECT month FROM stg_trips"
            var rows = 0
            let isWhole = try connection.answer(sql: sql).forEach(maximumRows: 19) { _ in rows += 1 }
            #expect(rows == 19)
            #expect(!isWhole)
            let isWholeNow = try connection.answer(sql: sql).forEach(maximumRows: 20) { _ in rows += 1 }
            #expect(rows == 39)
            #expect(isWholeNow)
        }
    }

    @Test func quotesMakeNoTextOfAColumn() throws {
        try withConnection { connection in
            #expect(throws: QueryError.self) { try connection.answer(sql: "SELECT \"no_such_column\" FROM stg_trips") }
        }
    }

    @Test func parametersAreBoundAndNeverPasted() throws {
        try withConnection { connection in
            let sql = "SELECT :a AS a, :b AS b"
            let rows = try connection.answer(sql: sql, given: ["a": "'; DROP TABLE trips; --", "b": "2"]).records()
            #expect(rows == [["a": .text("'; DROP TABLE trips; --"), "b": .text("2")]])
            #expect(throws: QueryError.parameterMissing(name: "b")) {
                try connection.answer(sql: sql, given: ["a": ""])
            }
            #expect(throws: QueryError.self) { try connection.answer(sql: "SELECT 1", given: ["a": "1"]) }
        }
    }

    @Test func aWrongStatementSaysItsLine() throws {
        try withConnection { connection in
            let error = #expect(throws: QueryError.self) {
                try connection.answer(sql: "SELECT month\nFROM stg_trips\nWHERE regoin = 'North'")
            }
            #expect(error?.line == 3)
        }
    }

    @Test func aStoreThatIsNoneIsNamed() throws {
        try TemporaryFolder.with { folder in
            let catalog = try QueryCatalog(folder: StoreFixture.queries)
            #expect(throws: QueryError.storeMissing(path: "/nonexistent")) {
                try QueryConnection(store: "/nonexistent", catalog: catalog)
            }
            let text = try folder.write("month,trips\n", to: "trips.csv")
            let unreadable = #expect(throws: QueryError.self) { try QueryConnection(store: text, catalog: catalog) }
            #expect(unreadable?.description.contains("is a store") ?? false)
            #expect(try folder.read("trips.csv") == Array("month,trips\n".utf8))
        }
    }
}
