import GRDB
import KPIs
import Trips

extension TripStore {
    /// Takes an export out as if it had never been loaded: trips it alone had are gone, others fall back to what the
    /// remaining exports say of them.
    package func withdraw(_ sha256: String, session: inout StoreSession) throws {
        var next = session
        try write { db in try Self.withdraw(sha256, db, &next) }
        session = next
    }

    /// The one export whose SHA-256 begins with these digits.
    package func export(beginningWith hash: String) throws -> ExportRecord {
        let matches = try exports().filter { $0.sha256.hasPrefix(hash.lowercased()) }
        guard let match = matches.first, hash.count >= 8 else {
            throw StoreError.notLoaded(hash: String(hash.prefix(64)))
        }
        guard matches.count == 1 else { throw StoreError.ambiguous(hash: hash) }
        return match
    }

    static func withdraw(_ sha256: String, _ db: Database, _ session: inout StoreSession) throws {
        let id = try Int32.fetchOne(
            db, sql: "SELECT export_id FROM exports WHERE sha256 = ?", arguments: [sha256])
        guard let id else { throw StoreError.notLoaded(hash: sha256) }
        let ranks = try ranks(db)
        let rows = try TripRows(db)
        var outcome = ExportWriter.Outcome(
            retracted: KPITally(shape: session.shape), restored: KPITally(shape: session.shape))
        var lost = TripBatch(capacity: 1024, textFields: [])
        var found = TripBatch(capacity: 1024, textFields: [])
        for key in try keys(of: id, db) {
            let before = TripHistory(try rows.history(of: key), ranks: ranks)
            let after = before.without(id)
            try rows.replace(before, by: after)
            outcome.change.add(before.losers, -1)
            outcome.change.add(after.losers, 1)
            if after.newest == nil { outcome.change.trips -= 1 }
            guard before.newest != after.newest else { continue }
            for (trip, isFound) in [(before.newest, false), (after.newest, true)] {
                guard let trip else { continue }
                outcome.months.insert(trip.facts.month)
                if isFound { found.append(trip.facts) } else { lost.append(trip.facts) }
            }
            if lost.count == lost.capacity || found.count == found.capacity { flush() }
        }
        flush()
        func flush() {
            outcome.retracted.add(lost)
            outcome.restored.add(found)
            lost.count = 0
            found.count = 0
        }
        for table in ["exports", "rejects", "reject_places"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE export_id = ?", arguments: [id])
        }
        try outcome.change.write(db)
        try markStale(outcome.months, db)
        session.note(added: KPITally(shape: session.shape), outcome: outcome)
    }

    /// The trips of an export. There is no index by export: this reads all rows once, which is rare.
    private static func keys(of exportID: Int32, _ db: Database) throws -> [TripKey] {
        var keys: [TripKey] = []
        for table in ["trips", "older_versions"] {
            let statement = try IntegerStatement(db, "SELECT key_high, key_low FROM \(table) WHERE export_id = ?")
            statement.bind(1, Int64(exportID))
            while try statement.step(db) {
                keys.append(TripKey(high: statement.column(0), low: statement.column(1)))
            }
            statement.reset()
        }
        return keys
    }
}
