import GRDB
package import Keys
import Trips

// A rotation of the key changes every pseudonym and nothing else: figures, rows and public ids stay as they are.

extension TripStore {
    /// Converts all pseudonyms to a rotated key, in one transaction. The months become stale, because their tallies count
    /// patients by pseudonym: `refreshTallies` tallies them from the rows, with the same figures.
    ///
    /// The old pseudonyms are overwritten in the file. Backups of it still have them.
    ///
    /// - Parameter fingerprint: of the rotated key.
    package func rekey(_ rekeying: PseudonymRekeying, fingerprint: String) throws {
        try translatingErrors {
            try queue.writeWithoutTransaction { db in
                let functions = Self.functions(rekeying)
                functions.forEach(db.add(function:))
                defer { functions.forEach(db.remove(function:)) }
                try db.inTransaction {
                    try LedgerDigest.remove(db)
                    try Self.rekey(db)
                    try Self.tallyReleasesAgain(db)
                    try RowDigests.rebuild(db)
                    try db.execute(sql: "UPDATE store SET key_fingerprint = ?", arguments: [fingerprint])
                    return .commit
                }
                // While anybody reads, the log keeps the old pages; the last to close the store deletes it.
                _ = try? db.checkpoint(.truncate)
            }
        }
    }

    private static func rekey(_ db: Database) throws {
        try db.execute(sql: "DROP INDEX trips_by_key")
        try copy("trips", TripColumns.all, db) { copy in
            // A month at a time, in the order of the rows: sorting all of them would take too much memory.
            for month in try Int32.fetchAll(db, sql: "SELECT DISTINCT month FROM trips_before") {
                try db.execute(sql: "\(copy) WHERE month = ? ORDER BY 2, 3", arguments: [month])
            }
        }
        try db.execute(sql: StoreSchema.keyIndex)
        for (table, columns) in [
            ("older_versions", TripColumns.all + ["is_copy"]), ("release_changes", TripColumns.all),
            ("trip_parts", TripColumns.all + ["is_own"]),
            ("public_ids", ["key_high", "key_low", "id_high", "id_low", "is_shown"]),
            ("removed_trips", ["key_high", "key_low"]), ("removed_patients", ["patient"]),
        ] {
            try copy(table, columns, db) { try db.execute(sql: $0) }
        }
        try db.execute(sql: "UPDATE month_tallies SET is_stale = 1, body = NULL")
        // Paths are hashed with the key too; the files are hashed again.
        try db.execute(sql: "DELETE FROM inbox_files")
    }

    /// - Parameter fill: gets the statement that copies all rows, without its end.
    private static func copy(
        _ table: String, _ columns: [String], _ db: Database, fill: (_ copy: String) throws -> Void
    ) throws {
        let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
        guard let sql else { throw StoreDamage(detail: "there is no table \(table)") }
        try db.execute(sql: "ALTER TABLE \(table) RENAME TO \(table)_before")
        try db.execute(sql: sql)
        let values = columns.map { column in
            switch column {
            case "key_high": "rekeyed_high(key_high, key_low)"
            case "key_low": "rekeyed_low(key_high, key_low)"
            case "patient": "rekeyed_patient(patient)"
            default: column
            }
        }
        try fill(
            "INSERT INTO \(table) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
                + "FROM \(table)_before")
        try db.execute(sql: "DROP TABLE \(table)_before")
    }

    private static func functions(_ rekeying: PseudonymRekeying) -> [DatabaseFunction] {
        @Sendable func key(_ values: [DatabaseValue]) -> TripKey? {
            guard let high = Int64.fromDatabaseValue(values[0]), let low = Int64.fromDatabaseValue(values[1]) else {
                return nil
            }
            return rekeying.tripKey(TripKey(high: high, low: low))
        }
        return [
            DatabaseFunction("rekeyed_high", argumentCount: 2, pure: true) { key($0)?.high },
            DatabaseFunction("rekeyed_low", argumentCount: 2, pure: true) { key($0)?.low },
            DatabaseFunction("rekeyed_patient", argumentCount: 1, pure: true) { values in
                Int64.fromDatabaseValue(values[0]).map {
                    Int64(bitPattern: rekeying.patient(UInt64(bitPattern: $0)))
                }
            },
        ]
    }
}
