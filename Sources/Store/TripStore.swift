import Foundation
import GRDB
import KPIs
import Queries
import Trips

// The interface of Store: trips at rest.
//
// In: versions of trips, export by export, each in one transaction with its row of the ledger. Out: month tallies, rows,
// the ledger. It has no identifier: keys and patients are pseudonyms, times are left out, texts are public ones. One
// process writes at a time (the run lock ensures it); any number may read.

/// The store: a SQLite file of de-identified trips.
package final class TripStore: Sendable {
    /// The page cache, in memory.
    private static let cacheKiB = 131_072
    /// The page cache while rows are read once.
    private static let scanCacheKiB = 2048

    package let path: String
    package let texts: TextTable
    let queue: DatabaseQueue
    let unindexedTrips: Int
    /// Nil for the writer.
    private let access: ReadAccess?

    /// The key and the rules of a store. A new store gets them; an existing one must have the same key.
    package struct Identity: Sendable {
        package var keyFingerprint: String
        /// Of the key before its rotations. A store with one of these is opened too, and the caller rekeys it.
        package var earlierFingerprints: [String] = []
        package var rulesName: String
        package var rulesVersion: String

        package init(keyFingerprint: String, rulesName: String, rulesVersion: String) {
            self.keyFingerprint = keyFingerprint
            self.rulesName = rulesName
            self.rulesVersion = rulesVersion
        }
    }

    /// Opens the store to write to it, and makes it if there is none.
    ///
    /// - Parameters:
    ///   - isDurable: false only where nothing is lost with it, as in tests: commits then do not wait for the disk.
    ///   - unindexedTrips: how many trips of a store's first export are inserted before their keys are indexed; at the
    ///     peak each of them costs about 150 bytes of memory.
    package init(path: String, identity: Identity, isDurable: Bool = true, unindexedTrips: Int = 1 << 21) throws {
        self.path = path
        self.unindexedTrips = unindexedTrips
        access = nil
        (queue, texts) = try Self.translatingErrors(path: path) {
            let queue = try DatabaseQueue(path: path, configuration: Self.configuration())
            // One transaction from an empty or older file to a store: a kill leaves the file as it was.
            try queue.write { db in
                guard try Self.isOurs(db) else { throw StoreError.notAStore(path: path) }
                guard try !StoreSchema.isNewer(db) else { throw StoreError.tooNew(path: path) }
                let isNew = try !Self.isCommitted(db)
                try StoreSchema.migrate(db)
                guard isNew else { return }
                try db.execute(
                    sql: "INSERT INTO store VALUES (1, ?, ?, ?, 0, 0, 0)",
                    arguments: [identity.keyFingerprint, identity.rulesName, identity.rulesVersion])
                try LedgerDigest.write(db)
            }
            // What a full disk has left in the log beside the store is moved into it now, or this says that it cannot be: the
            // log would take the room of every later run.
            try queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
            // GRDB sets it to NORMAL together with the journal mode: a commit could be lost with the power.
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
            }
            return try queue.read { db in
                let known = try String.fetchOne(db, sql: "SELECT key_fingerprint FROM store")
                guard let known, ([identity.keyFingerprint] + identity.earlierFingerprints).contains(known) else {
                    // The fingerprint itself may be damaged.
                    try LedgerDigest.verify(db)
                    throw StoreError.otherKey(path: path)
                }
                return (queue, try TextTable(db))
            }
        }
    }

    /// Opens the store to read it; a run may be writing to it at the same time. It leaves no file beside the store.
    ///
    /// - Parameter acceptsOlder: whether a store of an earlier version is opened too, to read its key's fingerprint; its
    ///   other tables may differ.
    package init(reading path: String, acceptsOlder: Bool = false) throws {
        self.path = path
        unindexedTrips = 0
        guard try StoreFile(path: path).exists() else { throw StoreError.missing(path: path) }
        let access = try ReadAccess(path: path)
        guard access != .unfinished else { throw StoreError.forbidden(path: path) }
        self.access = access
        (queue, texts) = try Self.translatingErrors(path: path) {
            var configuration = Self.configuration()
            configuration.journalMode = .default
            configuration.readonly = access.isReadOnly
            configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = ON") }
            let queue = try DatabaseQueue(path: access.name(of: path), configuration: configuration)
            return try queue.read { db in
                guard try Self.isOurs(db) else { throw StoreError.notAStore(path: path) }
                guard try !StoreSchema.isNewer(db) else { throw StoreError.tooNew(path: path) }
                guard try Self.isCommitted(db) else { throw StoreError.missing(path: path) }
                guard try acceptsOlder || !StoreSchema.isOlder(db) else { throw StoreError.tooOld(path: path) }
                return (queue, try TextTable(db))
            }
        }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(10)
        configuration.journalMode = .wal
        configuration.prepareDatabase { db in
            // Deleted rows are overwritten: none is left in a free page.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // Sorts stay in memory: no temporary file holds data of the store.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            // For a new store. Larger pages load faster, and cost every night that changes a few rows of many: see
            // Benchmarks/Runs.
            try db.execute(sql: "PRAGMA page_size = 8192")
            // 128 MiB at most, for large exports: pages that leave the cache early are written several times.
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB)")
        }
        return configuration
    }

    /// Whether there is no store at this path: no file, or one in which no store was ever committed.
    ///
    /// - Throws: `StoreError.forbidden` if this user may not search the folder.
    package static func isAbsent(_ path: String) throws -> Bool {
        guard try hasFile(path) else { return true }
        do {
            _ = try TripStore(reading: path)
            return false
        } catch StoreError.missing {
            return true
        } catch StoreError.busy {
            throw StoreError.busy(path: path)
        } catch {
            // There is a store, and opening it reports the problem.
            return false
        }
    }

    /// Whether there is a file, or anything else, at this path.
    ///
    /// - Throws: `StoreError.forbidden` if this user may not search the folder.
    package static func hasFile(_ path: String) throws -> Bool { try StoreFile(path: path).exists() }

    /// Whether the file is empty, a store, or has only the list of migrations: an earlier version was killed before its
    /// first commit. A SQLite file of another program is not touched.
    private static func isOurs(_ db: Database) throws -> Bool {
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        if tables.allSatisfy({ $0 == StoreSchema.migrationTable }) { return true }
        if tables.contains("store") && tables.contains("trips") { return true }
        guard !tables.contains("month_tallies") else { throw StoreDamage(detail: "a table is missing") }
        return false
    }

    /// Whether a store was ever committed here. Otherwise a kill or a full disk stopped its creation, and a new one
    /// replaces it.
    private static func isCommitted(_ db: Database) throws -> Bool {
        guard try db.tableExists("store"), try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM store") == 0 else {
            return try db.tableExists("store")
        }
        guard try isEmpty(db) else { throw StoreDamage(detail: "it has no key fingerprint") }
        return false
    }

    // MARK: - Access

    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors {
            try queue.write { db in
                let before = db.totalChangesCount
                // While exports are loaded there is no digest: `refreshTallies` writes it.
                let isFinished = try LedgerDigest.isWritten(db)
                let value = try body(db)
                if isFinished, db.totalChangesCount != before, try LedgerDigest.isWritten(db) {
                    try LedgerDigest.write(db)
                }
                return value
            }
        }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let value = try translatingErrors { try queue.read(body) }
        guard access?.isUnchanged(path: path) ?? true else { throw StoreError.busy(path: path) }
        return value
    }

    /// Reads rows once and in their order: a large cache would only keep pages that are not read again.
    func scan<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try read { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Self.scanCacheKiB)")
            defer { try? db.execute(sql: "PRAGMA shrink_memory; PRAGMA cache_size = -\(Self.cacheKiB)") }
            return try body(db)
        }
    }

    /// Reads several things that belong together: again, if a run has committed something in between.
    ///
    /// - Throws: what the body throws, or `StoreError.busy` if runs keep committing.
    package func readConsistently<Value>(_ body: () throws -> Value) throws -> Value {
        // Changes when another connection commits.
        func version() throws -> Int { try read { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 } }
        for _ in 0..<20 {
            let before = try version()
            let value = Result { try body() }
            if try version() == before { return try value.get() }
        }
        throw StoreError.busy(path: path)
    }

    func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        try Self.translatingErrors(path: path, body)
    }

    /// Turns errors of SQLite, and values that no version of tripkpi writes, into errors of the store at `path`.
    static func translatingErrors<Value>(path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        } catch is RowDecodingError {
            throw StoreError.damaged(path: path, detail: "a value is missing")
        } catch let error as TallyDecodingError {
            throw StoreError.damaged(path: path, detail: error.detail)
        } catch let error as StoreDamage {
            throw StoreError.damaged(path: path, detail: error.detail)
        }
    }

    /// What SQLite does at a commit: 2 (FULL) waits for the disk.
    package func synchronous() throws -> Int {
        try queue.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") ?? -1 }
    }

    /// Closes the file: all data is in it, and no file is left beside it.
    package func close() throws { try translatingErrors { try queue.close() } }

    /// Frees the page cache. After a load it has pages that publishing does not read.
    package func releaseMemory() { queue.releaseMemory() }
}
