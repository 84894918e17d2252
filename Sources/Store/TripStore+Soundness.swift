import GRDB
package import Trips

// Damage is found before anything is built on it. Every row counts in the digest of its part, every tally has a checksum,
// and one digest is over all the rest. A writer checks a small store whole when it opens it. Of a large one it checks the
// ledger, and of the rows as many parts as a night can afford, each night others, so that all are checked in turn. And a
// change that takes rows out checks the parts that they were in (`RowDigests`).

extension TripStore {
    /// Up to so many rows a store is a small one.
    package static let mostRowsOfASmallStore = 100_000
    /// Of a large store: about a thirtieth of the time a night takes.
    private static let rowsCheckedInANight = 60_000

    /// - Parameters:
    ///   - limit: a store with no more rows is checked whole; nil: any is.
    ///   - day: days since 1970; each day has parts of its own.
    /// - Throws: `StoreError.damaged` if the store does not say what was written to it.
    package func checkSoundness(rows limit: Int? = TripStore.mostRowsOfASmallStore, on day: Int = 0) throws {
        try readPassing { db in
            guard try db.tableExists("row_digests") else { return }
            try Self.checkLedger(db)
            let totals = try Row.fetchOne(db, sql: "SELECT trips, trips + copies + superseded FROM store")
            guard let totals else { throw StoreDamage(detail: "there are no totals") }
            let trips: Int = try totals.decode(atIndex: 0), rows: Int = try totals.decode(atIndex: 1)
            let parts = try Int64.fetchAll(db, sql: "SELECT part FROM row_digests ORDER BY part")
                .map(RowPart.init(number:))
            guard let limit, rows > limit else {
                try Self.check(parts, db)
                return try Self.checkWhole(db, trips: trips)
            }
            let perNight = max(1, Self.rowsCheckedInANight / max(1, rows / max(1, parts.count)))
            try Self.check(
                (0..<min(perNight, parts.count)).map { offset in
                    parts[(max(0, day) % parts.count * perNight + offset) % parts.count]
                }.sorted(), db)
        }
    }

    /// The rows of these months as they were written, in a store of any size: for who reads them one by one.
    ///
    /// - Throws: `StoreError.damaged`.
    package func checkRows(of periods: [ClosedRange<Month>]) throws {
        let known = try months()
        try readPassing { db in
            guard try db.tableExists("row_digests") else { return }
            try Self.checkLedger(db)
            for month in known where periods.contains(where: { $0.contains(month) }) {
                try RowPartReader(db).check(RowPart.all(ofMonth: month.index))
            }
            for period in periods {
                // A row may have come into a month that has no digest.
                let strays = try Int.fetchOne(
                    db,
                    sql: "SELECT COUNT(*) FROM trips WHERE month BETWEEN ? AND ? AND month NOT IN "
                        + "(SELECT month FROM month_tallies)",
                    arguments: [period.lowerBound.index, period.upperBound.index])
                guard strays == 0 else { throw StoreDamage(detail: "there is a month that no run has tallied") }
            }
        }
    }

    /// The written tallies, but those that a run has not finished.
    ///
    /// - Throws: `StoreError.damaged`.
    package func checkTallies() throws {
        let stale = Set(try staleMonths()), shape = try shape()
        for month in try months() where !stale.contains(month) { _ = try tally(of: month...month, shape: shape) }
    }

    /// What figures are made of besides tallies, which have checksums of their own.
    package func checkLedger() throws {
        try read { db in
            if try db.tableExists("ledger_digest") { try Self.checkLedger(db) }
        }
    }

    private static func checkLedger(_ db: Database) throws {
        _ = try LedgerDigest.isRight(db)
    }

    /// - Parameter parts: ascending.
    private static func check(_ parts: [RowPart], _ db: Database) throws {
        let reader = try RowPartReader(db)
        var rest = parts[...]
        while let first = rest.first {
            // Parts without rows have no digest and lie between these.
            let run = rest.prefix { $0.run == first.run }
            guard let last = run.last else { return }
            try reader.check(first...last)
            rest = rest.dropFirst(run.count)
        }
    }

    /// What the parts do not say: that no row lies outside of them, that indices fit their tables, that each page is used
    /// once.
    private static func checkWhole(_ db: Database, trips: Int) throws {
        for table in RowTable.allCases {
            let rows = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table.rawValue)")
            let counted = try Int.fetchOne(
                db, sql: "SELECT COALESCE(SUM(row_count), 0) FROM row_digests WHERE \(RowPart.condition(of: table))")
            guard rows == counted, table != .trips || rows == trips else {
                throw StoreDamage(detail: "there are more or fewer trips than were written")
            }
        }
        guard try String.fetchAll(db, sql: "PRAGMA integrity_check(1)") == ["ok"] else {
            throw StoreDamage(detail: "its pages or indices contradict each other")
        }
    }
}
