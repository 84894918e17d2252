import Basics
import GRDB
package import KPIs

extension TripStore {
    /// Begins to load; `refreshTallies` ends it.
    ///
    /// - Parameter completion: how trips are completed by their parts; nil: the session changes none.
    package func session(shape: KPITally.Shape, completion: TripCompletion? = nil) throws -> LoadSession {
        LoadSession(shape: shape, staleBefore: Set(try staleMonths().map(\.index)), completion ?? .none)
    }

    /// Loads an export in one transaction: all of it with its row of the ledger, or nothing.
    ///
    /// - Parameters:
    ///   - replacing: the same export was loaded before and is withdrawn in the same transaction (a replay).
    ///   - steps: inserts the export's versions, finishes the load, and looks at what it finds. If it throws, nothing is loaded.
    /// - Returns: what `steps` returns, committed.
    @discardableResult
    package func load(
        _ export: UnreadExport, session: inout LoadSession, replacing: Bool = false,
        _ steps: (ExportLoad) throws -> LoadedExport
    ) throws -> LoadedExport {
        let shape = session.shape, completion = session.completion
        let isFirst = try read(Self.isEmpty)
        var changes: [StoreChange] = []
        let loaded = try texts.keepingWritten {
            try writeAll(withoutLog: isFirst) { db in
                try LedgerDigest.remove(db)
                if replacing { changes.append(try Self.withdraw(export.record.sha256, db, shape, completion)) }
                let loaded = try steps(
                    ExportLoad(
                        export, db, shape, completion, unindexedTrips: isFirst ? unindexedTrips : 0, texts: texts))
                changes.append(loaded.change)
                return loaded
            }
        }
        session.add(changes)
        return loaded
    }

    /// Marks the tallies of these months (`Month.index`) as stale.
    static func markStale(_ months: Set<Int32>, _ db: Database) throws {
        for index in months {
            let month = Month(index: index)
            try db.execute(
                sql: """
                    INSERT INTO month_tallies VALUES (?, 1, NULL) ON CONFLICT (month) DO UPDATE SET is_stale = 1
                    """, arguments: [index])
            let lastDay = CivilDay.daysInMonth(year: month.year, month: month.month)
            try db.execute(
                sql: "INSERT INTO calendar VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [
                    index, month.description, month.year, month.month, month.fiscalYear,
                    CivilDay.days(year: month.year, month: month.month, day: 1),
                    CivilDay.days(year: month.year, month: month.month, day: lastDay),
                ])
        }
    }

    // MARK: - The first export

    // The first export of a store may be the history of years. The store has no rows and no readers yet, so the export is
    // written in the way that costs least.

    static func isEmpty(_ db: Database) throws -> Bool { try ExportRecord.fetchCount(db) == 0 }

    /// Writes in one transaction. Without the write-ahead log pages go to their place at once, instead of to the log and
    /// from there to the store. A kill then leaves SQLite's rollback journal, which the next to open the store plays
    /// back.
    ///
    /// Readers are locked out from the beginning, so that none blocks the commit.
    private func writeAll<Value>(withoutLog: Bool, _ body: (Database) throws -> Value) throws -> Value {
        guard withoutLog else { return try write(body) }
        // SQLite refuses it while anybody reads: then the log is used.
        guard (try? setJournalMode("DELETE")) != nil else { return try write(body) }
        // If SQLite refuses it, the next to open the store turns the log on; the transaction is complete either way.
        defer { try? setJournalMode("WAL") }
        var value: Value?
        var hasBegun = false
        do {
            try translatingErrors {
                try queue.writeWithoutTransaction { db in
                    try db.inTransaction(.exclusive) {
                        hasBegun = true
                        value = try body(db)
                        return .commit
                    }
                }
            }
        } catch {
            if hasBegun { throw error }
        }
        // A reader came in between.
        return try value ?? write(body)
    }

    private func setJournalMode(_ mode: String) throws {
        try translatingErrors {
            try queue.writeWithoutTransaction { db in
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)")
            }
        }
    }
}
