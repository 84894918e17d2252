import GRDB
import KPIs
import Trips

extension TripStore {
    /// Withdraws an export, as if it had never been loaded: its own trips are removed, others go back to the versions of
    /// the remaining exports. Only the withdrawal is recorded, so that runs pass the export over.
    ///
    /// - Parameter epochSeconds: now.
    package func withdraw(_ sha256: String, at epochSeconds: Int, session: inout LoadSession) throws {
        let shape = session.shape, completion = session.completion
        let change = try texts.keepingWritten {
            try write { db in
                try LedgerDigest.remove(db)
                let change = try Self.withdraw(sha256, db, shape, completion)
                // A trip that lost a part may have test results that no trip had.
                try texts.write(db)
                try db.execute(sql: "DELETE FROM waivers WHERE sha256 = ?", arguments: [sha256])
                try db.execute(
                    sql: "INSERT OR REPLACE INTO withdrawn_exports VALUES (?, ?)", arguments: [sha256, epochSeconds])
                try Self.deleteUnusedTexts(db)
                return change
            }
        }
        session.add([change])
        try read { try texts.reload($0) }
    }

    /// Deletes the texts that no trip has any more: they may be the reason of a withdrawal.
    static func deleteUnusedTexts(_ db: Database) throws {
        let used = ["trips", "older_versions", "trip_parts"].flatMap { table in
            TripColumns.texts.map { "SELECT \($0) FROM \(table)" }
        }
        try db.execute(sql: "DELETE FROM texts WHERE text_id NOT IN (\(used.joined(separator: " UNION ")))")
    }

    /// Gives an export another label and file, as if it had been loaded of that: its date and the file's time decide again which
    /// versions count.
    ///
    /// - Parameters:
    ///   - asOf: the date in the name; nil: it stays.
    ///   - modifiedNs: of its oldest file.
    package func rename(
        _ sha256: String, label: String, asOf: Int?, modifiedNs: Int, session: inout LoadSession
    ) throws {
        let shape = session.shape, completion = session.completion
        let change = try texts.keepingWritten {
            try write { db -> StoreChange? in
                try LedgerDigest.remove(db)
                let id = try Self.exportID(sha256, db)
                let before = try LoadedExports(db)
                var after = before
                after.ranks[id]?.modifiedNs = modifiedNs
                if let asOf { after.ranks[id]?.asOf = asOf }
                var change: StoreChange?
                if Self.order(before.ranks) != Self.order(after.ranks) {
                    change = try Self.replaceTrips(of: id, db, shape, completion) { $0.ranked(by: after) }
                    try texts.write(db)
                }
                try db.execute(
                    sql: "UPDATE exports SET label = ?, modified_ns = ? WHERE export_id = ?",
                    arguments: [label, modifiedNs, id])
                if let asOf {
                    try db.execute(
                        sql: "UPDATE exports SET as_of = ?, is_dated_by_name = 1 WHERE export_id = ?",
                        arguments: [asOf, id])
                }
                return change
            }
        }
        if let change { session.add([change]) }
    }

    /// The exports, oldest first.
    private static func order(_ ranks: [Int32: ExportRank]) -> [Int32] {
        ranks.sorted { $0.value < $1.value }.map(\.key)
    }

    private static func exportID(_ sha256: String, _ db: Database) throws -> Int32 {
        let id = try Int32.fetchOne(db, sql: "SELECT export_id FROM exports WHERE sha256 = ?", arguments: [sha256])
        guard let id else { throw StoreError.notLoaded(hash: sha256) }
        return id
    }

    static func withdraw(
        _ sha256: String, _ db: Database, _ shape: KPITally.Shape, _ completion: TripCompletion
    ) throws -> StoreChange {
        let id = try exportID(sha256, db)
        let change = try replaceTrips(of: id, db, shape, completion) { $0.without(id) }
        for table in ["exports", "rejects", "reject_places", "export_columns", "warnings", "warning_places"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE export_id = ?", arguments: [id])
        }
        return change
    }

    /// Replaces each trip of an export, or of which a supplement has a part.
    private static func replaceTrips(
        of id: Int32, _ db: Database, _ shape: KPITally.Shape, _ completion: TripCompletion,
        by replacement: (WholeTrip) -> WholeTrip
    ) throws -> StoreChange {
        let exports = try LoadedExports(db)
        let rows = try VersionRows(db, completion)
        var change = StoreChange(shape: shape)
        for key in try keys(of: id, db) {
            let before = try rows.trip(of: key, exports)
            let after = try rows.replace(before, by: replacement(before))
            change.totals.replace(before, by: after)
            guard before.counted != after.counted else { continue }
            if let trip = before.counted { try change.retract(trip) }
            if let trip = after.counted { try change.restore(trip) }
        }
        try rows.writeChanges(db)
        try change.finish(db)
        return change
    }

    /// The trips of an export. There is no index by export: this reads all rows once, which is rare.
    private static func keys(of exportID: Int32, _ db: Database) throws -> [TripKey] {
        var keys: [TripKey] = []
        // The own version of a trip with parts is among them twice.
        for (table, condition) in [("trips", ""), ("older_versions", ""), ("trip_parts", " AND is_own = 0")] {
            try IntegerStatement(db, "SELECT month, key_high, key_low FROM \(table) WHERE export_id = ?\(condition)")
                .forEachRow(Int64(exportID)) { keys.append($0.readKey()) }
        }
        return keys
    }
}
