import GRDB

/// The digests of the stored rows, slice by slice, as one transaction changes them. `write` puts the changes into
/// `row_digests` at its end, so that rows and digests are committed together.
final class RowDigests {
    private var changes: [RowSlice: RowDigest] = [:]
    /// Slices that rows were removed from. They are verified before the commit.
    private var reduced: Set<RowSlice> = []
    /// At most so many rows are verified in a transaction, which takes under a second. Newest months come first.
    private static let mostRowsRead = 1_000_000
    /// The slice of the row before: rows mostly come in the order of their keys.
    private var slice = RowSlice(number: .max)
    private var digest = RowDigest()

    @inline(__always)
    func add(_ trip: StoredTrip, to table: VersionTable) {
        select(RowSlice(trip, in: table))
        digest.add(trip)
    }

    func remove(_ trip: StoredTrip, from table: VersionTable) {
        select(RowSlice(trip, in: table))
        reduced.insert(slice)
        digest.remove(trip)
    }

    @inline(__always)
    private func select(_ own: RowSlice) {
        guard own != slice else { return }
        flush()
        slice = own
    }

    private func flush() {
        if !digest.isEmpty { changes[slice, default: RowDigest()].merge(digest) }
        digest = RowDigest()
    }

    /// Call it once, when all rows of the transaction are written.
    ///
    /// A row that was damaged and then removed leaves a digest that its slice cannot have. Slices that rows were removed
    /// from are therefore verified.
    ///
    /// - Throws: `StoreDamage` if their other rows are not what was written.
    func write(_ db: Database) throws {
        flush()
        let verifier = try SliceVerifier(db)
        let delete = try IntegerStatement(db, "DELETE FROM row_digests WHERE part = ?")
        let insert = try IntegerStatement(db, "INSERT OR REPLACE INTO row_digests VALUES (?, ?, ?, ?)")
        for (slice, change) in changes.sorted(by: { $0.key < $1.key }) where !change.isEmpty {
            var digest = try verifier.digest(of: slice)
            digest.merge(change)
            if digest.isEmpty {
                try delete.run(slice.number)
            } else {
                try insert.run(
                    slice.number, Int64(digest.rows), Int64(bitPattern: digest.high), Int64(bitPattern: digest.low))
            }
        }
        changes = [:]
        var rows = 0
        for slice in reduced.sorted(by: >) {
            rows += try verifier.digest(of: slice).rows
            guard rows <= Self.mostRowsRead else { break }
            try verifier.verify(slice...slice)
        }
        reduced = []
    }

    /// Makes all digests from the rows as they are.
    static func rebuild(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM row_digests")
        let digests = RowDigests()
        for table in try VersionTable.existing(db) {
            try IntegerStatement(db, "SELECT \(TripColumns.names) FROM \(table.rawValue)").forEachRow { row in
                digests.add(try row.readTrip(), to: table)
            }
        }
        try digests.write(db)
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
