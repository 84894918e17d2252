import Files
import Foundation
import GRDB
import Queries
import TestSupport
import Testing

/// Reading leaves nothing beside the store, whoever reads it and whatever a writer is doing.
@Suite struct ReadAccessTests {
    private let catalog: QueryCatalog

    init() throws {
        catalog = try QueryCatalog(folder: StoreFixture.queries)
    }

    private func withStore(_ body: (TemporaryFolder, String) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let store = try StoreFixture.make(in: folder) { database in
                try StoreFixture.insert(StoreFixture.batch(20, seed: 1), into: database)
            }
            var configuration = Configuration()
            configuration.journalMode = .wal
            try DatabaseQueue(path: store, configuration: configuration).close()
            try body(folder, store)
        }
    }

    private func names(_ folder: borrowing TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func months(_ store: String) throws -> Int {
        try QueryConnection(store: store, catalog: catalog).answer(sql: "SELECT month FROM stg_trips").records().count
    }

    /// Without the log beside it, an older state of the store would be read.
    @Test func aPathThatCannotBeLookedUpIsAnError() throws {
        try TemporaryFolder.with { folder in
            let long = folder.path(of: String(repeating: "x", count: 300))
            #expect(throws: FileError.self) { try FileStamp.of(path: long) }
            #expect(throws: QueryError.self) { try QueryConnection(store: long, catalog: catalog) }
        }
    }

    @Test func nothingIsLeftInAFolderThatMayBeWritten() throws {
        try withStore { folder, store in
            let before = try folder.read("store.sqlite")
            #expect(try months(store) == 20)
            #expect(try names(folder) == ["store.sqlite"])
            #expect(try folder.read("store.sqlite") == before)
        }
    }

    @Test func aWritersCommitsAreSeenAndItsFilesLeftToIt() throws {
        try withStore { folder, store in
            var configuration = Configuration()
            configuration.journalMode = .wal
            let writer = try DatabaseQueue(path: store, configuration: configuration)
            try writer.write { try $0.execute(sql: "DELETE FROM trips WHERE key_high < 5") }
            let reader = try QueryConnection(store: store, catalog: catalog)
            try writer.write { try $0.execute(sql: "DELETE FROM trips WHERE key_high < 7") }
            #expect(try reader.answer(sql: "SELECT month FROM stg_trips").records().count == 15)
            #expect(try months(store) == 13)
            #expect(try names(folder) == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
            try writer.close()
        }
    }

    @Test func theLastToLeaveClearsAwayWhatAWriterLeft() throws {
        try withStore { folder, store in
            do {
                var configuration = Configuration()
                configuration.journalMode = .wal
                let writer = try DatabaseQueue(path: store, configuration: configuration)
                try writer.write { try $0.execute(sql: "DELETE FROM trips WHERE key_high < 5") }
                let reader = try QueryConnection(store: store, catalog: catalog)
                try writer.close()
                #expect(try reader.answer(sql: "SELECT month FROM stg_trips").records().count == 15)
            }
            #expect(try names(folder) == ["store.sqlite"])
            #expect(try months(store) == 15)
        }
    }

    /// As `alone` and `observer` are chosen for an analyst who may not write; tests may run as root, who may.
    @Test func howToReadFollowsFromWhatMayBeWrittenAndWhatLiesThere() throws {
        try withStore { folder, store in
            #expect(try ReadAccess(path: store) == .writable)
            guard geteuid() != 0 else { return }
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
            defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
            guard case .immutable = try ReadAccess(path: store) else {
                Issue.record("there is no writer, and the access is another")
                return
            }
            #expect(try months(store) == 20)
            #expect(try names(folder) == ["store.sqlite"])
        }
    }

    @Test func aNameIsHiddenInAURIByItsSpecialLetters() {
        #expect(ReadAccess.immutable(nil).name(of: "/a b/50%?#.sqlite") == "file:/a%20b/50%25%3F%23.sqlite?immutable=1")
        #expect(ReadAccess.readOnly.name(of: "/a b/50%?#.sqlite") == "/a b/50%?#.sqlite")
    }

    @Test func aStoreThatIsReadWithoutLocksIsStillUntilItIsWritten() throws {
        try withStore { _, store in
            let access = ReadAccess.immutable(try FileStamp.of(path: store))
            #expect(access.isUnchanged(path: store))
            let writer = try DatabaseQueue(path: store)
            try writer.write { try $0.execute(sql: "DELETE FROM trips WHERE key_high < 5") }
            try writer.close()
            #expect(!access.isUnchanged(path: store))
        }
    }
}
