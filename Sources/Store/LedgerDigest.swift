import GRDB

/// A hash of all that the store has besides rows: ledger, lists, texts, rejects, waivers, totals, releases, and the
/// checksums of the tallies, so that each is the last one that was written.
///
/// It stands in the store while no run is under way: a run's first change takes it away, and the end of its loading
/// writes it again. A store without one is being loaded, or its last run was stopped.
enum LedgerDigest {
    private static let tables = [
        "store", "exports", "regions", "trip_types", "texts", "calendar", "rejects", "failed_exports", "waivers",
        "withdrawn_exports", "inbox_files", "crosswalk",
    ]

    struct Value: Hashable {
        var high: Int64
        var low: Int64
    }

    /// Nil where there is none.
    static func written(_ db: Database) throws -> Value? {
        guard let row = try Row.fetchOne(db, sql: "SELECT high, low FROM ledger_digest") else { return nil }
        return Value(high: try row.decode(atIndex: 0), low: try row.decode(atIndex: 1))
    }

    /// Nil where none is written.
    ///
    /// - Throws: `StoreDamage` if the one that is written is not that of the tables.
    static func isRight(_ db: Database) throws -> Bool? {
        guard let written = try written(db) else { return nil }
        guard try of(db) == written else {
            throw StoreDamage(detail: "its ledger, lists, texts or releases are not what was written")
        }
        return true
    }

    static func write(_ db: Database) throws {
        let value = try of(db)
        try db.execute(
            sql: "INSERT OR REPLACE INTO ledger_digest VALUES (1, ?, ?)", arguments: [value.high, value.low])
    }

    static func remove(_ db: Database) throws { try db.execute(sql: "DELETE FROM ledger_digest") }

    /// That of the tables as they are.
    static func of(_ db: Database) throws -> Value {
        var hash = WordHash()
        // Tallies end with a checksum of their own.
        var queries = tables.map { "SELECT * FROM \($0) ORDER BY 1, 2" }
        queries.append("SELECT month, substr(body, -8) FROM month_tallies ORDER BY month")
        // A store of an earlier version has none yet: its digest is compared before the table is made.
        if try db.tableExists("releases") {
            queries.append(
                "SELECT month, released_at, rules_version, partition, substr(tally, -8) FROM releases ORDER BY month")
        }
        if try db.tableExists("revisions") {
            queries.append("SELECT * FROM revisions ORDER BY 1")
            queries.append("SELECT month, revised_at, maximum_interval_seconds FROM releases ORDER BY month")
        }
        // The order is that of the table's key, so it is the same for the same rows.
        for (number, sql) in queries.enumerated() {
            let rows = try Row.fetchCursor(db, sql: sql)
            while let row = try rows.next() {
                hash.add(Int64(number))
                for value in row.databaseValues { hash.add(value) }
            }
        }
        return Value(high: Int64(bitPattern: hash.high), low: Int64(bitPattern: hash.low))
    }
}

extension WordHash {
    /// A value with its type.
    fileprivate mutating func add(_ value: DatabaseValue) {
        switch value.storage {
        case .null: add(1)
        case .int64(let number):
            add(2)
            add(number)
        case .double(let number):
            add(3)
            add(Int64(bitPattern: number.bitPattern))
        case .string(let text):
            add(4)
            add(text.utf8, count: text.utf8.count)
        case .blob(let data):
            add(5)
            add(data, count: data.count)
        }
    }
}
