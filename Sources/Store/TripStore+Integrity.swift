package import Basics
import GRDB

// Damage is found before anything is built on it. Every row counts in the digest of its slice, every tally has a checksum,
// and one digest covers all the rest. A writer verifies a small store whole when it opens it. Of a large one it verifies
// the ledger and as many slices as a night can afford, each night others, so that all are verified in turn. And a change
// that removes rows verifies the slices that they were in (`RowChanges`).

extension TripStore {
    /// Up to this many rows a store is small.
    package static let mostRowsOfASmallStore = 100_000
    /// Of a large store: about a thirtieth of the time a night takes.
    private static let rowsVerifiedInANight = 60_000

    /// - Parameters:
    ///   - limit: a store with at most this many rows is verified whole; nil: any is.
    ///   - day: days since 1970; each day verifies other slices.
    /// - Throws: `StoreError.damaged` if the store is not what was written to it.
    package func checkIntegrity(rows limit: Int? = TripStore.mostRowsOfASmallStore, on day: Int = 0) throws {
        try scan { db in
            try LedgerDigest.verify(db)
            let totals = try Self.totals(db)
            let rows = totals.trips + totals.copies + totals.superseded
            let slices = try Self.slices(db)
            guard let limit, rows > limit else {
                try Self.verify(slices, db)
                if limit == nil { try CostLines.verify(db) }
                return try Self.verifyWhole(db, trips: totals.trips)
            }
            let perNight = max(1, Self.rowsVerifiedInANight / max(1, rows / max(1, slices.count)))
            try Self.verify(
                (0..<min(perNight, slices.count)).map { offset in
                    slices[(max(0, day) % slices.count * perNight + offset) % slices.count]
                }.sorted(), db)
        }
    }

    /// Reads every row, text and checksum, where every page is whole (`integrityErrors`).
    ///
    /// - Returns: the first damage, without a value of a row; empty: there is none.
    package func contentErrors() throws -> [String] {
        do {
            try checkIntegrity(rows: nil)
            return []
        } catch StoreError.damaged(_, let detail) {
            return [detail]
        }
    }

    /// Verifies the rows of these months, in a store of any size, before they are read one by one.
    ///
    /// - Throws: `StoreError.damaged`.
    package func checkRows(of periods: [ClosedRange<Month>]) throws {
        let known = try months()
        try scan { db in
            try LedgerDigest.verify(db)
            let verifier = try SliceVerifier(db)
            for month in known where periods.contains(where: { $0.contains(month) }) {
                try verifier.verify(RowSlice.all(ofMonth: month.index))
            }
            for period in periods {
                // Damage may move a row into a month that has no digest.
                let strays = try Int.fetchOne(
                    db,
                    sql: "SELECT COUNT(*) FROM trips WHERE month BETWEEN ? AND ? AND month NOT IN "
                        + "(SELECT month FROM month_tallies)",
                    arguments: [period.lowerBound.index, period.upperBound.index])
                guard strays == 0 else { throw StoreDamage(detail: "there is a month that no run has tallied") }
            }
        }
    }

    /// Verifies the stored tallies that are not stale.
    ///
    /// - Throws: `StoreError.damaged`.
    package func checkTallies() throws {
        let stale = Set(try staleMonths()), shape = try shape()
        for month in try months() where !stale.contains(month) { _ = try tally(of: month...month, shape: shape) }
    }

    /// Verifies everything besides rows and tallies.
    package func checkLedger() throws { _ = try read(LedgerDigest.verify) }

    /// The slices that have a digest, ascending.
    ///
    /// - Throws: `StoreDamage` if SQLite reads them in another order: a damaged page has its cells in another one.
    private static func slices(_ db: Database) throws -> [RowSlice] {
        let slices = try Int64.fetchAll(db, sql: "SELECT part FROM row_digests ORDER BY part")
            .map(RowSlice.init(number:))
        guard zip(slices, slices.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw StoreDamage(detail: "the digests of its rows are out of order")
        }
        return slices
    }

    /// - Parameter slices: ascending.
    private static func verify(_ slices: [RowSlice], _ db: Database) throws {
        let verifier = try SliceVerifier(db)
        var rest = slices[...]
        while let first = rest.first {
            // The gaps are slices without rows.
            let section = rest.prefix { $0.section == first.section }
            guard let last = section.last else { return }
            try verifier.verify(first...last)
            rest = rest.dropFirst(section.count)
        }
    }

    /// Verifies what the slices do not cover: that no row is outside of them, that indices fit their tables, and that each
    /// page is used once.
    private static func verifyWhole(_ db: Database, trips: Int) throws {
        for table in VersionTable.allCases {
            let rows = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table.rawValue)")
            let counted = try Int.fetchOne(
                db, sql: "SELECT COALESCE(SUM(row_count), 0) FROM row_digests WHERE \(RowSlice.condition(of: table))")
            guard rows == counted, table != .trips || rows == trips else {
                throw StoreDamage(detail: "there are more or fewer trips than were written")
            }
        }
        // A number of a text that is missing would become that of the next new text.
        let missing = TripColumns.texts.map { "(\($0) <> 0 AND \($0) NOT IN (SELECT text_id FROM texts))" }
            .joined(separator: " OR ")
        for table in VersionTable.allCases {
            let strays = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table.rawValue) WHERE \(missing)")
            guard strays == 0 else { throw StoreDamage(detail: "trips have texts that are not there") }
        }
        guard try String.fetchAll(db, sql: "PRAGMA integrity_check(1)") == ["ok"] else {
            throw StoreDamage(detail: "its pages or indices contradict each other")
        }
    }
}
