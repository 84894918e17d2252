import GRDB

// The first export of a store may be the history of years. Nothing is there that it could meet or that readers are busy
// with, so it is written in the way that costs least.

extension TripStore {
    static func isEmpty(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM exports)") ?? false
    }

    /// One transaction; without the log its pages go to their place at once, instead of to the log and from there to
    /// the store. A kill then leaves SQLite's rollback journal, which the next to open the store plays back.
    func writeAll<Value>(withoutLog: Bool, _ body: (Database) throws -> Value) throws -> Value {
        guard withoutLog else { return try write(body) }
        // Refused while somebody reads: then it is done with the log.
        try? setJournalMode("DELETE")
        let result = Result { try write(body) }
        try setJournalMode("WAL")
        return try result.get()
    }

    private func setJournalMode(_ mode: String) throws {
        try translatingErrors {
            try queue.writeWithoutTransaction { db in
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)")
            }
        }
    }
}
