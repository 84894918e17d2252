import Files
import GRDB

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension TripStore {
    /// Writes a copy of the store, from one moment, to a path where there is nothing. A run may go on: SQLite's online
    /// backup copies the pages of one read transaction, which does not block the writer.
    ///
    /// The first load of a new store is the exception: its rollback journal keeps readers out while it commits.
    ///
    /// - Throws: `FileError` with the path of the copy where that cannot be written.
    package func copy(to path: String) throws {
        // Only this user may read it, whatever the umask is.
        _ = try OpenFile(path, for: .create)
        try read { db in
            var configuration = Configuration()
            // The copy is complete or thrown away: it needs no journal.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
            let copy = try DatabaseQueue(path: path, configuration: configuration)
            do {
                try copy.writeWithoutTransaction { try db.backup(to: $0) }
                try copy.close()
            } catch let error as DatabaseError where Self.isOfWriting(error) {
                throw FileError(path, "be written", code: error.resultCode == .SQLITE_FULL ? ENOSPC : EIO)
            }
        }
    }

    /// Whether the file that is written to has failed.
    private static func isOfWriting(_ error: DatabaseError) -> Bool {
        [
            .SQLITE_FULL, .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_TRUNCATE, .SQLITE_IOERR_CLOSE,
        ].contains(error.extendedResultCode)
    }

    /// Makes a store that no other process knows remember an entry of another audit log. Nothing else of it changes, and all
    /// of it stays in its one file.
    package static func remember(auditEntry: String, in path: String) throws {
        try translatingErrors(path: path) {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { db in
                try leaveWriteAheadLog(db, path: path)
                try db.execute(sql: "INSERT OR REPLACE INTO audit_entry VALUES (1, ?)", arguments: [auditEntry])
            }
            try queue.close()
        }
    }

    /// Whether an earlier version of tripkpi made the tables.
    package func isOlder() throws -> Bool { try read(StoreSchema.isOlder) }

    /// The version of the tables: how many migrations they have had.
    package func schemaVersion() throws -> Int { try read { try StoreSchema.applied($0).count } }

    /// Runs a body while no other process reads or writes the store at a path, and all of it is in its one file: `-wal`, `-shm`
    /// and `-journal` are gone. The body may give the path to another store.
    ///
    /// - Throws: `StoreError.busy` if others do not end in time.
    package static func withWholeFile(_ path: String, _ body: () throws -> Void) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.allowsUnsafeTransactions = true
        let queue = try translatingErrors(path: path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try leaveWriteAheadLog(db, path: path)
                try db.execute(sql: "BEGIN EXCLUSIVE")
            }
            return queue
        }
        defer {
            try? queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try? queue.close()
        }
        try body()
    }

    /// Puts the log's pages into the file and deletes the log. SQLite refuses while another process has the store open, and does
    /// not wait for it.
    private static func leaveWriteAheadLog(_ db: Database, path: String) throws {
        for attempt in 1...attemptsToLeave {
            do {
                let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
                if mode == "delete" { return }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {}
            if attempt < attemptsToLeave { usleep(100_000) }
        }
        throw StoreError.busy(path: path)
    }

    /// In about ten seconds.
    private static let attemptsToLeave = 100

    /// SQLite's own files beside a store.
    package static let companionEndings = ["-wal", "-shm", "-journal"]
}
