import Foundation
import GRDB
import KPIs
import Queries
package import Trips

// The face of Store: trips at rest.
//
// In: versions of trips, export by export, each in one transaction with its line in the ledger. Out: month tallies, rows,
// the ledger. It holds no identifier: keys and patients are pseudonyms, times are gone, texts are public ones. One
// process writes at a time (the run lock sees to it); any number may read.

/// The store: a SQLite file of de-identified trips.
package final class TripStore: Sendable {
    /// Of pages, in memory.
    static let cacheKiB = 131_072
    private static let passingCacheKiB = 2048

    package let path: String
    package let texts: TextTable
    let queue: DatabaseQueue
    let unindexedTrips: Int
    /// Nil for the writer.
    private let access: ReadAccess?

    /// What a new store is made with, and an old one must agree with.
    package struct Terms: Sendable {
        package var keyFingerprint: String
        /// Of the key before its rotations: a store of one of these is opened too, and is the caller's to rekey.
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
    ///   - unindexedTrips: how many trips of a store's first export are taken in before their keys are indexed; at the
    ///     peak each of them costs about 150 bytes of memory.
    package init(path: String, terms: Terms, isDurable: Bool = true, unindexedTrips: Int = 1 << 21) throws {
        self.path = path
        self.unindexedTrips = unindexedTrips
        access = nil
        do {
            queue = try DatabaseQueue(path: path, configuration: Self.configuration())
            // One transaction from nothing, or from an older version, to a store: a kill leaves what was there before.
            try queue.write { db in
                guard try Self.isOurs(db) else { throw StoreError.notAStore(path: path) }
                guard try !StoreSchema.isNewer(db) else { throw StoreError.tooNew(path: path) }
                let isNew = try !Self.isCommitted(db)
                try StoreSchema.migrate(db)
                guard isNew else { return }
                try db.execute(
                    sql: "INSERT INTO store VALUES (1, ?, ?, ?, 0, 0, 0)",
                    arguments: [terms.keyFingerprint, terms.rulesName, terms.rulesVersion])
                try LedgerDigest.write(db)
            }
            // GRDB has set it to NORMAL on its way to the journal's mode: a commit could be lost with the power.
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
            }
            texts = try queue.read { db in
                let known = try String.fetchOne(db, sql: "SELECT key_fingerprint FROM store")
                guard let known, ([terms.keyFingerprint] + terms.earlierFingerprints).contains(known) else {
                    throw StoreError.otherKey(path: path)
                }
                return try TextTable(db)
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        } catch let error as StoreDamage {
            throw StoreError.damaged(path: path, detail: error.detail)
        } catch is RowDecodingError {
            throw StoreError.damaged(path: path, detail: "a value is missing")
        }
    }

    /// Opens the store to read it; a run may be writing to it at the same time. Nothing is left beside it.
    ///
    /// - Parameter acceptsOlder: whether a store of an earlier version is opened too, as for its key's fingerprint; its
    ///   tables may be others.
    package init(reading path: String, acceptsOlder: Bool = false) throws {
        self.path = path
        unindexedTrips = 0
        guard try StorePlace(path: path).hasFile() else { throw StoreError.missing(path: path) }
        let access = ReadAccess(path: path)
        guard access != .unfinished else { throw StoreError.forbidden(path: path) }
        self.access = access
        do {
            var configuration = Self.configuration()
            configuration.journalMode = .default
            configuration.readonly = access.isReadOnly
            configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = ON") }
            queue = try DatabaseQueue(path: access.name(of: path), configuration: configuration)
            texts = try queue.read { db in
                guard try Self.isOurs(db) else { throw StoreError.notAStore(path: path) }
                guard try !StoreSchema.isNewer(db) else { throw StoreError.tooNew(path: path) }
                guard try Self.isCommitted(db) else { throw StoreError.missing(path: path) }
                guard try acceptsOlder || !StoreSchema.isOlder(db) else { throw StoreError.tooOld(path: path) }
                return try TextTable(db)
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        } catch let error as StoreDamage {
            throw StoreError.damaged(path: path, detail: error.detail)
        } catch is RowDecodingError {
            throw StoreError.damaged(path: path, detail: "a value is missing")
        }
    }

    static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(10)
        configuration.journalMode = .wal
        configuration.prepareDatabase { db in
            // Sorts and the like stay in memory: nothing of the store lies in a temporary file.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            // Of a store that is made now. Larger pages load faster, and cost every night that touches a few rows of many:
            // see Benchmarks/Runs.
            try db.execute(sql: "PRAGMA page_size = 8192")
            // 128 MiB at most, for large exports: pages that leave the cache early are written several times.
            try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB)")
        }
        return configuration
    }

    /// Whether the file is empty, a store, or what an earlier version left that was killed before its first commit: the
    /// list of migrations. A SQLite file of another program is left alone.
    private static func isOurs(_ db: Database) throws -> Bool {
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        return tables.allSatisfy { $0 == StoreSchema.migrations }
            || tables.contains("store") && tables.contains("trips")
    }

    /// Whether a store was ever committed here. What a kill or a full disk left of making one is none, and a new one is
    /// made in its place.
    private static func isCommitted(_ db: Database) throws -> Bool {
        guard try db.tableExists("store"), try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM store") == 0 else {
            return try db.tableExists("store")
        }
        guard try isEmpty(db) else { throw StoreDamage(detail: "it does not say whose key it was made with") }
        return false
    }

    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors {
            try queue.write { db in
                let before = db.totalChangesCount
                // While exports are loaded there is none: `settle` writes it.
                let isFinished = try LedgerDigest.written(db) != nil
                let value = try body(db)
                if isFinished, db.totalChangesCount != before, try LedgerDigest.written(db) != nil {
                    try LedgerDigest.write(db)
                }
                return value
            }
        }
    }

    /// Writes what is in no ledger: public ids.
    func writeAside<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors { try queue.write(body) }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let value = try translatingErrors { try queue.read(body) }
        guard access?.isStill(path: path) ?? true else { throw StoreError.busy(path: path) }
        return value
    }

    /// Reads rows that are met once, in their order: a large cache would only hold what is not asked for again.
    func readPassing<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try read { db in
            try db.execute(sql: "PRAGMA cache_size = -\(Self.passingCacheKiB)")
            defer { try? db.execute(sql: "PRAGMA shrink_memory; PRAGMA cache_size = -\(Self.cacheKiB)") }
            return try body(db)
        }
    }

    /// What SQLite answers, or a value that no store of ours has, becomes an error of this store.
    func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
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

    /// Ends all use of the file: what was written lies in it, and nothing beside it.
    package func close() throws { try translatingErrors { try queue.close() } }

    /// Gives back what was kept of the file in memory: after a load up to `cacheKiB`, of pages that publishing does not read.
    package func releaseMemory() { queue.releaseMemory() }

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

    /// Adds names that the store does not know at the end of its lists.
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

    // MARK: - Rules

    package func rules() throws -> (name: String, version: String) {
        try read { db in
            let row = try Row.fetchOne(db, sql: "SELECT rules_name, rules_version FROM store")
            guard let row else { throw StoreDamage(detail: "it does not say which rules it has") }
            return (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
        }
    }

    /// Trips are about to be loaded by other rules than the store's: until all are classified anew, by no rules that
    /// can be named.
    package func forgetRules() throws {
        try write { try $0.execute(sql: "UPDATE store SET rules_name = 'mixed', rules_version = 'mixed'") }
    }

    package func totals() throws -> StoreTotals {
        try read { db in
            let row = try Row.fetchOne(db, sql: "SELECT trips, copies, superseded FROM store")
            guard let row else { throw StoreDamage(detail: "there are no totals") }
            return StoreTotals(
                trips: try row.decode(atIndex: 0), copies: try row.decode(atIndex: 1),
                superseded: try row.decode(atIndex: 2))
        }
    }
}
