package import Basics
import GRDB
package import Trips

// The small tables: lists, rules, totals, the mark of the crosswalk, and the known files of the inbox.

extension TripStore {
    // MARK: - Lists

    /// The store's regions and trip types, by code.
    package func lists() throws -> (regions: NamedList, tripTypes: NamedList) {
        try read { db in
            (
                NamedList(try String.fetchAll(db, sql: "SELECT name FROM regions ORDER BY code")),
                NamedList(try String.fetchAll(db, sql: "SELECT name FROM trip_types ORDER BY code"))
            )
        }
    }

    /// Adds unknown names at the end of the store's lists.
    package func adopt(regions: NamedList, tripTypes: NamedList) throws {
        try write { db in
            for (table, list) in [("regions", regions), ("trip_types", tripTypes)] {
                let known = try String.fetchAll(db, sql: "SELECT name FROM \(table)")
                for name in list.names where !known.contains(name) {
                    try db.execute(
                        sql: "INSERT INTO \(table) SELECT MAX(code) + 1, ? FROM \(table)", arguments: [name])
                }
            }
        }
    }

    // MARK: - Rules, totals, key

    /// The one row of the table `store`.
    private static func row(_ db: Database) throws -> Row {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM store") else {
            throw StoreDamage(detail: "it has no key fingerprint")
        }
        return row
    }

    package func rules() throws -> (name: String, version: String) {
        try read { db in
            let row = try Self.row(db)
            return (try row.decode(forColumn: "rules_name"), try row.decode(forColumn: "rules_version"))
        }
    }

    /// Records that trips are loaded with other rules than the store's, until all trips are classified again.
    package func forgetRules() throws {
        try write { try $0.execute(sql: "UPDATE store SET rules_name = 'mixed', rules_version = 'mixed'") }
    }

    package func totals() throws -> StoreTotals { try read(Self.totals) }

    static func totals(_ db: Database) throws -> StoreTotals {
        let row = try row(db)
        return StoreTotals(
            trips: try row.decode(forColumn: "trips"), copies: try row.decode(forColumn: "copies"),
            superseded: try row.decode(forColumn: "superseded"))
    }

    /// Of the key that the store's pseudonyms were made with.
    package func keyFingerprint() throws -> String {
        try read { try Self.row($0).decode(forColumn: "key_fingerprint") }
    }

    // MARK: - Health

    /// The state of a store besides its trips.
    package struct Health: Sendable, Hashable {
        /// Of the key that its pseudonyms were made with.
        package var keyFingerprint: String
        package var schemaVersion: Int
        /// Months whose tallies were not finished, ascending.
        package var staleMonths: [Month]
    }

    package func health() throws -> Health {
        Health(
            keyFingerprint: try keyFingerprint(), schemaVersion: try read { try StoreSchema.applied($0).count },
            staleMonths: try staleMonths())
    }

    /// Reads every page of the file.
    ///
    /// - Returns: at most five problems that SQLite finds, without a value of a row.
    package func integrityErrors() throws -> [String] {
        let lines = try read { try String.fetchAll($0, sql: "PRAGMA quick_check(5)") }
        return lines == ["ok"] ? [] : lines
    }

    // MARK: - Crosswalk

    /// How far the crosswalk went when an export was last loaded; nil if none was ever loaded with a crosswalk.
    package func crosswalkMark() throws -> CrosswalkMark? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT file_id, byte_count, tag FROM crosswalk").map { row in
                CrosswalkMark(
                    fileID: try row.decode(atIndex: 0), byteCount: try row.decode(atIndex: 1),
                    tag: try row.decode(atIndex: 2))
            }
        }
    }

    /// The crosswalk is gone or another one: the next load starts a mark or adopts the other one.
    package func forgetCrosswalk() throws {
        try write { try $0.execute(sql: "DELETE FROM crosswalk") }
    }

    /// Within the transaction of an export.
    static func remember(_ mark: CrosswalkMark, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO crosswalk VALUES (1, ?, ?, ?)",
            arguments: [mark.fileID, mark.byteCount, mark.tag])
    }

    // MARK: - Times of runs

    private static let timeColumns = [
        ("exports", "loaded_at"), ("event_exports", "loaded_at"), ("releases", "released_at"),
        ("releases", "revised_at"),
        ("failed_exports", "first_seen"), ("failed_exports", "last_tried"), ("waivers", "waived_at"),
        ("withdrawn_exports", "withdrawn_at"), ("inbox_files", "hashed_at"),
    ]

    /// When a run last wrote its time, in seconds since 1970; nil: never.
    package func newestTime() throws -> Int? {
        let columns = Self.timeColumns + [("revisions", "revised_at"), ("accepted_clock", "accepted_at")]
        let all = columns.map { "SELECT MAX(\($1)) AS time FROM \($0)" }.joined(separator: " UNION ALL ")
        return try read { try Int.fetchOne($0, sql: "SELECT MAX(time) FROM (\(all))") }
    }

    /// Takes back the times of runs whose clock was ahead: they become `now`, in seconds since 1970.
    package func takeBackTimes(after now: Int) throws {
        try write { db in
            for (table, column) in Self.timeColumns {
                try db.execute(
                    sql: "UPDATE \(table) SET \(column) = ?1 WHERE \(column) > ?1", arguments: [now])
            }
            // Of several revisions then, the last one counts.
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO revisions SELECT ?1, months, groups, pending FROM revisions
                    WHERE revised_at > ?1 ORDER BY revised_at DESC LIMIT 1
                    """, arguments: [now])
            try db.execute(sql: "DELETE FROM revisions WHERE revised_at > ?", arguments: [now])
            try db.execute(sql: "UPDATE retention SET clock_day = ?", arguments: [now / 86_400])
            // Where nothing was removed by its age, a month to come is one that a clock ahead has set.
            try db.execute(
                sql: "UPDATE retention SET first_month = NULL WHERE first_month > ? AND month_removals = 0",
                arguments: [UTCTime(secondsSince1970: now).day.month.index])
            // After a pause nothing else may say that there was a run.
            try db.execute(sql: "INSERT OR REPLACE INTO accepted_clock VALUES (1, ?)", arguments: [now])
        }
    }

    // MARK: - Audit log

    /// What identifies the last entry of the audit log when the store was last written; nil before the first. The store only
    /// keeps it: the digest does not cover it, so that keeping it costs nothing.
    package func auditEntry() throws -> String? {
        try read { db in
            // Not in a store of an earlier version.
            guard try db.tableExists("audit_entry") else { return nil }
            return try String.fetchOne(db, sql: "SELECT entry FROM audit_entry")
        }
    }

    package func remember(auditEntry: String) throws {
        guard try auditEntry != self.auditEntry() else { return }
        try translatingErrors {
            try queue.write {
                try $0.execute(sql: "INSERT OR REPLACE INTO audit_entry VALUES (1, ?)", arguments: [auditEntry])
            }
        }
    }

    // MARK: - Inbox

    /// The state of a file when its content was hashed. With the same signature it is not hashed again.
    package struct FileSignature: Sendable, Hashable {
        /// A keyed hash: file names may contain names of people.
        package var pathHash: String
        package var bytes: Int
        package var modifiedNanoseconds: Int
        package var changedNanoseconds: Int
        package var inode: Int

        package init(
            pathHash: String, bytes: Int, modifiedNanoseconds: Int, changedNanoseconds: Int, inode: Int
        ) {
            self.pathHash = pathHash
            self.bytes = bytes
            self.modifiedNanoseconds = modifiedNanoseconds
            self.changedNanoseconds = changedNanoseconds
            self.inode = inode
        }

        fileprivate var arguments: StatementArguments {
            [pathHash, bytes, modifiedNanoseconds, changedNanoseconds, inode]
        }

        /// A file is hashed again after one to two weeks, also if its signature is the same: not every file system keeps
        /// times. Each file has its own day, so that no night hashes all of them.
        ///
        /// - Parameter now: seconds since 1970.
        /// - Returns: when it must have been hashed. A time ahead of the clock is that of a night whose clock was wrong.
        package func hashTimes(at now: Int) -> ClosedRange<Int> {
            now - (7 + Int(inode.magnitude % 7)) * 86_400...now + 86_400
        }
    }

    /// The SHA-256 of a file with this signature; nil for a new or changed file, or one that was hashed at another time.
    ///
    /// - Parameter times: in seconds since 1970.
    package func contentHash(
        of signature: FileSignature, hashedIn times: ClosedRange<Int> = .min ... .max
    ) throws -> String? {
        let condition =
            "path_hash = ? AND bytes = ? AND modified_ns = ? AND changed_ns = ? AND inode = ? AND hashed_at BETWEEN ? AND ?"
        return try read { db in
            try String.fetchOne(
                db, sql: "SELECT sha256 FROM inbox_files WHERE " + condition,
                arguments: signature.arguments + [times.lowerBound, times.upperBound])
        }
    }

    /// - Parameter now: seconds since 1970.
    package func remember(_ signatures: [(signature: FileSignature, sha256: String)], now: Int) throws {
        guard !signatures.isEmpty else { return }
        try write { db in
            for (signature, sha256) in signatures {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO inbox_files VALUES (?, ?, ?, ?, ?, ?, ?)",
                    arguments: signature.arguments + [sha256, now])
            }
        }
    }
}
