import GRDB
import KPIs
import Trips

extension TripStore {
    /// Takes an export out as if it had never been loaded: trips it alone had are gone, others fall back to what the
    /// remaining exports say of them. Only that it was taken out is remembered, so that runs pass it over.
    ///
    /// - Parameter epochSeconds: now.
    package func withdraw(_ sha256: String, at epochSeconds: Int, session: inout StoreSession) throws {
        let shape = session.shape
        let change = try write { db in
            try LedgerDigest.remove(db)
            let change = try Self.withdraw(sha256, db, shape)
            try db.execute(sql: "DELETE FROM waivers WHERE sha256 = ?", arguments: [sha256])
            try db.execute(
                sql: "INSERT OR REPLACE INTO withdrawn_exports VALUES (?, ?)", arguments: [sha256, epochSeconds])
            try Self.deleteTextsOfNoTrip(db)
            return change
        }
        session.note([change])
        try read { try texts.reload($0) }
    }

    /// Texts that came with an export alone go with it: they may be what it was withdrawn for.
    private static func deleteTextsOfNoTrip(_ db: Database) throws {
        let columns = ["rule", "provider_id", "provider_name", "contract_number", "hcpcs_code", "hcpcs_modifiers"]
        let used = ["trips", "older_versions"].flatMap { table in
            (columns + ["evidence"]).map { "SELECT \($0) FROM \(table)" }
        }
        try db.execute(sql: "DELETE FROM texts WHERE text_id NOT IN (\(used.joined(separator: " UNION ")))")
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

    /// The content of exports that were taken out and not loaded since.
    package func withdrawnExports() throws -> Set<String> {
        try read { Set(try String.fetchAll($0, sql: "SELECT sha256 FROM withdrawn_exports")) }
    }

    /// Gives an export another name, as if it had been loaded under that: its date decides anew which versions count.
    ///
    /// - Parameter asOf: the date in the name; nil where there is none.
    package func rename(_ sha256: String, label: String, asOf: Int?, session: inout StoreSession) throws {
        let shape = session.shape
        let change = try write { db -> StoreSession.Change? in
            try LedgerDigest.remove(db)
            let row = try Row.fetchOne(
                db, sql: "SELECT export_id, as_of FROM exports WHERE sha256 = ?", arguments: [sha256])
            guard let row else { throw StoreError.notLoaded(hash: sha256) }
            let id: Int32 = try row.decode(forColumn: "export_id"), before: Int = try row.decode(forColumn: "as_of")
            try db.execute(sql: "UPDATE exports SET label = ? WHERE export_id = ?", arguments: [label, id])
            guard let asOf else { return nil }
            var change: StoreSession.Change?
            if asOf != before {
                var ranks = try Self.ranks(db)
                ranks[id]?.asOf = asOf
                let changed = ranks
                change = try Self.settleAnew(tripsOf: id, db, shape) { TripHistory($0.versions, ranks: changed) }
            }
            try db.execute(
                sql: "UPDATE exports SET as_of = ?, is_dated_by_name = 1 WHERE export_id = ?", arguments: [asOf, id])
            return change
        }
        if let change { session.note([change]) }
    }

    static func withdraw(
        _ sha256: String, _ db: Database, _ shape: KPITally.Shape
    ) throws -> StoreSession.Change {
        let id = try Int32.fetchOne(
            db, sql: "SELECT export_id FROM exports WHERE sha256 = ?", arguments: [sha256])
        guard let id else { throw StoreError.notLoaded(hash: sha256) }
        let change = try settleAnew(tripsOf: id, db, shape) { $0.without(id) }
        for table in ["exports", "rejects", "reject_places"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE export_id = ?", arguments: [id])
        }
        return change
    }

    /// Replaces the history of each trip of an export by another one.
    private static func settleAnew(
        tripsOf id: Int32, _ db: Database, _ shape: KPITally.Shape, change: (TripHistory) -> TripHistory
    ) throws -> StoreSession.Change {
        let ranks = try ranks(db)
        let rows = try TripRows(db)
        var outcome = ExportWriter.Outcome(
            retracted: KPITally(shape: shape), restored: KPITally(shape: shape))
        var lost = TripBatch(capacity: 1024, textFields: [])
        var found = TripBatch(capacity: 1024, textFields: [])
        func flush() {
            outcome.retracted.add(lost)
            outcome.restored.add(found)
            lost.count = 0
            found.count = 0
        }
        for key in try keys(of: id, db) {
            let before = TripHistory(try rows.history(of: key), ranks: ranks)
            let after = change(before)
            try rows.replace(before, by: after)
            outcome.change.add(before.losers, -1)
            outcome.change.add(after.losers, 1)
            if after.newest == nil { outcome.change.trips -= 1 }
            guard before.newest != after.newest else { continue }
            for (trip, isFound) in [(before.newest, false), (after.newest, true)] {
                guard let trip else { continue }
                outcome.months.insert(trip.facts.month)
                if isFound {
                    try found.append(stored: trip.facts, for: shape)
                } else {
                    try lost.append(stored: trip.facts, for: shape)
                }
            }
            if lost.count == lost.capacity || found.count == found.capacity { flush() }
        }
        flush()
        try rows.writeDigests()
        try outcome.change.write(db)
        try markStale(outcome.months, db)
        return StoreSession.Change(tally: nil, outcome: outcome)
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
