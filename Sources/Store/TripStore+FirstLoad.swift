import GRDB

// The first export of a store may be the history of years. Nothing is there that it could meet or that readers are busy
// with, so it is written in the way that costs least.

extension TripStore {
    static func isEmpty(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM exports)") ?? false
    }

    /// One transaction; without the log its pages go to their place at once, instead of to the log and from there to
    /// the store. A kill then leaves SQLite's rollback journal, which the next to open the store plays back.
    ///
    /// Readers are shut out from the beginning, so that none is in the way at the end.
    func writeAll<Value>(withoutLog: Bool, _ body: (Database) throws -> Value) throws -> Value {
        guard withoutLog else { return try write(body) }
        // Refused while somebody reads: then it is done with the log.
        guard (try? setJournalMode("DELETE")) != nil else { return try write(body) }
        // Where it is refused, the next to open the store takes the log up again; what was done stands or not either way.
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
        // Somebody began to read in between.
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
