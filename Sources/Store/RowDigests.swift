import GRDB

/// The digests of the stored rows, part by part, as one transaction changes them. `write` puts the changes into
/// `row_digests` at its end, so that rows and digests are committed together.
final class RowDigests {
    private var changes: [RowPart: RowDigest] = [:]
    /// Parts that rows were taken out of: what these rows said was built on.
    private var reduced: Set<RowPart> = []
    /// Rows of such parts that a transaction reads again at most: under a second. The newest months come first.
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
        let reader = try RowPartReader(db)
        let delete = try IntegerStatement(db, "DELETE FROM row_digests WHERE part = ?")
        let insert = try IntegerStatement(db, "INSERT OR REPLACE INTO row_digests VALUES (?, ?, ?, ?)")
        for (part, change) in changes.sorted(by: { $0.key < $1.key }) where !change.isEmpty {
            var digest = try reader.digest(of: part)
            digest.merge(change)
            if digest.isEmpty {
                delete.bind(1, part.number)
                try delete.run(db)
            } else {
                insert.bind(1, part.number)
                insert.bind(2, Int64(digest.rows))
                insert.bind(3, Int64(bitPattern: digest.high))
                insert.bind(4, Int64(bitPattern: digest.low))
                try insert.run(db)
            }
        }
        changes = [:]
        try checkReduced(reader)
    }

    /// A row that was damaged and then taken out leaves a digest that its part can never have: so it is found before the
    /// transaction is committed.
    private func checkReduced(_ reader: RowPartReader) throws {
        var rows = 0
        for part in reduced.sorted(by: >) {
            rows += try reader.digest(of: part).rows
            guard rows <= Self.mostRowsRead else { break }
            try reader.check(part...part)
        }
        reduced = []
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

    /// Replaces the digests of sixteen parts a month by those of today's smaller parts.
    ///
    /// - Throws: `StoreDamage` if the rows are not those of the former digests.
    static func divide(_ db: Database) throws {
        let before = try all(db)
        try rebuild(db)
        let after = try all(db)
        var former: [RowPart: RowDigest] = [:]
        for (part, digest) in after { former[part.former, default: RowDigest()].merge(digest) }
        guard before == after || before == former else {
            throw StoreDamage(detail: "rows of trips are not what was written")
        }
    }

    private static func all(_ db: Database) throws -> [RowPart: RowDigest] {
        let select = try IntegerStatement(db, "SELECT part, row_count, high, low FROM row_digests")
        defer { select.reset() }
        var digests: [RowPart: RowDigest] = [:]
        while try select.step(db) {
            digests[RowPart(number: select.column(0))] = RowDigest(
                rows: Int(select.column(1)), high: UInt64(bitPattern: select.column(2)),
                low: UInt64(bitPattern: select.column(3)))
        }
        return digests
    }
}
