import GRDB

/// The table `row_digests`, as a whole. `RowChanges` keeps it up to date.
enum RowDigests {
    /// Makes all digests from the rows as they are.
    static func rebuild(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM row_digests")
        let rows = RowChanges(changesCosts: false)
        for table in try VersionTable.existing(db) {
            try IntegerStatement(db, "SELECT \(TripColumns.names) FROM \(table.rawValue)").forEachRow { row in
                rows.add(try row.readTrip(), to: table)
            }
        }
        try rows.write(db)
    }

    /// Rebuilds the digests for smaller slices. Digests add up, so their total does not depend on the size of the slices.
    ///
    /// - Throws: `StoreDamage` if the rows are not what was written.
    static func divide(_ db: Database) throws {
        let before = try total(db)
        try rebuild(db)
        guard try total(db) == before else { throw StoreDamage.changedRows }
    }

    private static func total(_ db: Database) throws -> RowDigest {
        var total = RowDigest()
        try IntegerStatement(db, "SELECT row_count, high, low FROM row_digests").forEachRow { row in
            total.merge(RowDigest(row, from: 0))
        }
        return total
    }
}
