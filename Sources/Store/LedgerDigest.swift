import GRDB

/// A hash of everything in the store besides trip rows: ledger, lists, texts, rejects, waivers, totals, costs by line,
/// releases, and the checksums of the tallies, so that each is the last one that was written.
///
/// The store has it while no run is under way: the first change of a run removes it, and the end of loading writes it
/// again. A store without it is being loaded, or its last run was stopped.
enum LedgerDigest {
    private static let tables = [
        "store", "exports", "regions", "trip_types", "texts", "calendar", "rejects", "failed_exports", "waivers",
        "withdrawn_exports", "inbox_files", "crosswalk",
    ]

    static func isWritten(_ db: Database) throws -> Bool { try written(db) != nil }

    private static func written(_ db: Database) throws -> WordHash? {
        try Row.fetchOne(db, sql: "SELECT high, low FROM ledger_digest").map { row in
            WordHash(high: try row.decode(atIndex: 0), low: try row.decode(atIndex: 1))
        }
    }

    /// - Returns: whether there is a digest to verify.
    /// - Throws: `StoreDamage` if it is not the digest of the tables.
    @discardableResult
    static func verify(_ db: Database) throws -> Bool {
        guard let written = try written(db) else { return false }
        guard try hash(db) == written else {
            throw StoreDamage(detail: "its ledger, lists, texts or releases are not what was written")
        }
        return true
    }

    static func write(_ db: Database) throws {
        let hash = try hash(db)
        try db.execute(
            sql: "INSERT OR REPLACE INTO ledger_digest VALUES (1, ?, ?)",
            arguments: [Int64(bitPattern: hash.high), Int64(bitPattern: hash.low)])
    }

    static func remove(_ db: Database) throws { try db.execute(sql: "DELETE FROM ledger_digest") }

    /// The hash of the tables as they are.
    private static func hash(_ db: Database) throws -> WordHash {
        var hash = WordHash()
        // Tallies end with a checksum of their own.
        var queries = tables.map { "SELECT * FROM \($0) ORDER BY 1, 2" }
        queries.append("SELECT month, substr(body, -8) FROM month_tallies ORDER BY month")
        // The digest of a store of an earlier version is verified before the later tables are made.
        if try db.tableExists("releases") {
            queries.append(
                "SELECT month, released_at, rules_version, partition, substr(tally, -8) FROM releases ORDER BY month")
        }
        if try db.tableExists("revisions") {
            queries.append("SELECT * FROM revisions ORDER BY 1")
            queries.append("SELECT month, revised_at, maximum_interval_seconds FROM releases ORDER BY month")
        }
        if try db.tableExists("export_columns") { queries.append("SELECT * FROM export_columns ORDER BY 1, 2") }
        if try db.tableExists("warnings") { queries.append("SELECT * FROM warnings ORDER BY 1, 2") }
        if try db.tableExists("event_exports") {
            queries.append("SELECT * FROM event_exports ORDER BY 1")
            queries.append("SELECT * FROM event_counts ORDER BY 1, 2, 3, 4, 5")
            queries.append("SELECT * FROM event_rejects ORDER BY 1, 2")
            queries.append("SELECT * FROM event_releases ORDER BY 1, 2, 3, 4")
        }
        if try db.tableExists("cost_lines") {
            queries.append("SELECT * FROM cost_lines ORDER BY 1, 2, 3, 4, 5, 6, 7")
        }
        if try db.tableExists("retention") {
            queries.append("SELECT first_month FROM retention")
            queries.append("SELECT * FROM removed_patients ORDER BY 1")
            queries.append("SELECT month FROM releases WHERE is_frozen ORDER BY 1")
        }
        if try db.tableExists("staff_sets") {
            queries.append("SELECT month_removals, named_removals FROM retention")
            queries.append("SELECT * FROM staff_sets ORDER BY 1")
        }
        if try db.tableExists("removed_trips") {
            // May be many.
            try IntegerStatement(db, "SELECT key_high, key_low FROM removed_trips ORDER BY 1, 2").forEachRow { row in
                hash.add(row.column(0))
                hash.add(row.column(1))
            }
        }
        // The order is that of the table's key, so it is the same for the same rows.
        for (number, sql) in queries.enumerated() {
            let rows = try Row.fetchCursor(db, sql: sql)
            while let row = try rows.next() {
                hash.add(Int64(number))
                for value in row.databaseValues { hash.add(value) }
            }
        }
        return hash
    }
}
