import GRDB

/// The digests of the stored rows, part by part, as one transaction changes them. `write` puts the changes into
/// `row_digests` at its end, so that rows and digests are committed together.
final class RowDigests {
    private var changes: [RowPart: RowDigest] = [:]
    /// Parts that rows were taken out of: what these rows said was built on.
    private var reduced: Set<RowPart> = []
    /// Rows of such parts that a transaction reads again at most: under half a second. The newest months come first.
    private static let mostRowsRead = 1_000_000
    /// The part of the row before: rows mostly come in the order of their keys.
    private var part = RowPart(number: .max)
    private var digest = RowDigest()

    @inline(__always)
    func add(_ trip: StoredTrip, to table: RowTable) {
        enter(RowPart(trip, in: table))
        digest.add(trip)
    }

    func remove(_ trip: StoredTrip, from table: RowTable) {
        enter(RowPart(trip, in: table))
        reduced.insert(part)
        digest.remove(trip)
    }

    @inline(__always)
    private func enter(_ own: RowPart) {
        guard own != part else { return }
        flush()
        part = own
    }

    private func flush() {
        if !digest.isEmpty { changes[part, default: RowDigest()].merge(digest) }
        digest = RowDigest()
    }

    func write(_ db: Database) throws {
        flush()
        for (part, change) in changes.sorted(by: { $0.key < $1.key }) where !change.isEmpty {
            var digest = try Self.digest(of: part, db)
            digest.merge(change)
            if digest.isEmpty {
                try db.execute(sql: "DELETE FROM row_digests WHERE part = ?", arguments: [part.number])
                continue
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO row_digests VALUES (?, ?, ?, ?)",
                arguments: [
                    part.number, digest.rows, Int64(bitPattern: digest.high), Int64(bitPattern: digest.low),
                ])
        }
        changes = [:]
        try checkReduced(db)
    }

    /// A row that was damaged and then taken out leaves a digest that its part can never have: so it is found before the
    /// transaction is committed.
    private func checkReduced(_ db: Database) throws {
        var rows = 0
        for part in reduced.sorted(by: >) {
            rows += try Self.digest(of: part, db).rows
            guard rows <= Self.mostRowsRead else { break }
            try TripStore.check(part, db)
        }
        reduced = []
    }

    /// What is written of a part; that of no rows if nothing is.
    static func digest(of part: RowPart, _ db: Database) throws -> RowDigest {
        let row = try Row.fetchOne(
            db, sql: "SELECT row_count, high, low FROM row_digests WHERE part = ?", arguments: [part.number])
        guard let row else { return RowDigest() }
        let rows: Int = try row.decode(atIndex: 0)
        let high: Int64 = try row.decode(atIndex: 1), low: Int64 = try row.decode(atIndex: 2)
        return RowDigest(rows: rows, high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }

    /// Makes all of them from the rows as they are.
    static func rebuild(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM row_digests")
        let digests = RowDigests()
        // A store of an earlier version lacks the last one.
        for table in try RowTable.allCases.filter({ try db.tableExists($0.rawValue) }) {
            let statement = try IntegerStatement(db, "SELECT \(TripColumns.names) FROM \(table.rawValue)")
            defer { statement.reset() }
            while try statement.step(db) { digests.add(try TripColumns.read(statement), to: table) }
        }
        try digests.write(db)
    }
}
