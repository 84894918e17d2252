import GRDB

/// Reads the rows of parts, and what is written of them.
struct RowPartReader {
    private let db: Database
    private let digest: IntegerStatement
    private let digests: IntegerStatement
    private let rows: [RowTable: IntegerStatement]

    init(_ db: Database) throws {
        self.db = db
        digest = try IntegerStatement(db, "SELECT row_count, high, low FROM row_digests WHERE part = ?")
        digests = try IntegerStatement(
            db, "SELECT part, row_count, high, low FROM row_digests WHERE part BETWEEN ? AND ? ORDER BY part")
        // A store of an earlier version lacks the last table.
        let tables = try RowTable.allCases.filter { try db.tableExists($0.rawValue) }
        rows = Dictionary(
            try tables.map { table in
                let month = table == .trips ? "month = ?3 AND " : ""
                return (
                    table,
                    try IntegerStatement(
                        db,
                        """
                        SELECT \(TripColumns.names) FROM \(table.rawValue) WHERE \(month)key_high BETWEEN ?1 AND ?2
                        ORDER BY key_high
                        """)
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// What is written of a part; that of no rows if nothing is.
    func digest(of part: RowPart) throws -> RowDigest {
        digest.bind(1, part.number)
        defer { digest.reset() }
        guard try digest.step(db) else { return RowDigest() }
        return RowDigest(
            rows: Int(digest.column(0)), high: UInt64(bitPattern: digest.column(1)),
            low: UInt64(bitPattern: digest.column(2)))
    }

    /// - Parameter parts: of one run.
    /// - Throws: `StoreDamage` if rows are not what was written.
    func check(_ parts: ClosedRange<RowPart>) throws {
        let table = parts.lowerBound.table
        guard let rows = rows[table] else { return }
        rows.bind(1, parts.lowerBound.keys.lowerBound)
        rows.bind(2, parts.upperBound.keys.upperBound)
        if table == .trips { rows.bind(3, parts.lowerBound.run) }
        digests.bind(1, parts.lowerBound.number)
        digests.bind(2, parts.upperBound.number)
        defer {
            rows.reset()
            digests.reset()
        }
        var part = parts.lowerBound, found = RowDigest()
        func finish() throws {
            guard !found.isEmpty else { return }
            guard try digests.step(db), digests.column(0) == part.number, Int(digests.column(1)) == found.rows,
                UInt64(bitPattern: digests.column(2)) == found.high, UInt64(bitPattern: digests.column(3)) == found.low
            else { throw Self.damage }
        }
        while try rows.step(db) {
            let trip = try TripColumns.read(rows)
            let own = RowPart(trip, in: table)
            if own != part {
                try finish()
                (part, found) = (own, RowDigest())
            }
            found.add(trip)
        }
        try finish()
        guard try !digests.step(db) else { throw Self.damage }
    }

    private static var damage: StoreDamage { StoreDamage(detail: "rows of trips are not what was written") }
}
