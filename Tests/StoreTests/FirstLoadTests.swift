import Foundation
import GRDB
import Store
import TestSupport
import Testing
import Trips

/// The first export of a store is written without the log, and its keys are indexed last.
@Suite struct FirstLoadTests {
    private func journalMode(_ path: String) throws -> String? {
        try DatabaseQueue(path: path).read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    }

    @Test(arguments: [0, 1, 7, 1000]) func theStoreIsAsAnyOtherAfterwards(unindexedTrips: Int) throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 5)
            let exports = StoreFixture.exports(&random, count: 2, trips: 30, rows: 60)
            let store = try StoreFixture.store("store", in: folder, unindexedTrips: unindexedTrips)
            try StoreFixture.load([exports], into: store, &random)
            let plain = try StoreFixture.store("plain", in: folder, unindexedTrips: 0)
            try StoreFixture.load([exports.reversed()], into: plain, &random)
            #expect(try store.digest() == plain.digest())
            let path = folder.path(of: "store.sqlite")
            #expect(try journalMode(path) == "wal")
            let index = try DatabaseQueue(path: path).read { db in
                try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'trips_by_key'")
            }
            #expect(index == "CREATE UNIQUE INDEX trips_by_key ON trips (key_high, key_low)")
        }
    }

    @Test func oneThatFailsLeavesTheStoreAsItWas() throws {
        struct Failure: Error {}
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 6)
            let exports = StoreFixture.exports(&random, count: 1, trips: 30, rows: 60)
            let store = try StoreFixture.store("store", in: folder)
            let empty = try store.digest()
            var session = try store.session(shape: StoreFixture.shape)
            #expect(throws: Failure.self) {
                try store.load(
                    UnreadExport(StoreFixture.record(exports[0]), findAsOf: { 0 }), session: &session
                ) { load in
                    try load.insert(exports[0].trips)
                    throw Failure()
                }
            }
            #expect(try store.digest() == empty)
            #expect(try journalMode(folder.path(of: "store.sqlite")) == "wal")
            try StoreFixture.load([exports], into: store, &random)
            #expect(try store.exports().count == 1)
        }
    }

    /// While somebody reads, the log stays; the load is none the worse.
    @Test func aReaderIsNotInTheWay() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 7)
            let exports = StoreFixture.exports(&random, count: 1, trips: 30, rows: 60)
            let store = try StoreFixture.store("store", in: folder)
            let reader = try DatabaseQueue(path: folder.path(of: "store.sqlite"))
            try reader.inDatabase { db in
                try db.execute(sql: "BEGIN")
                #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM trips") == 0)
                try StoreFixture.load([exports], into: store, &random)
                #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM trips") == 0)
                try db.execute(sql: "COMMIT")
            }
            let plain = try StoreFixture.store("plain", in: folder, unindexedTrips: 0)
            try StoreFixture.load([exports], into: plain, &random)
            #expect(try store.digest() == plain.digest())
        }
    }

    /// One that comes while it is under way has to wait, and cannot keep it from being committed.
    @Test func aReaderThatComesLaterIsShutOut() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 8)
            let exports = StoreFixture.exports(&random, count: 1, trips: 30, rows: 60)
            let path = folder.path(of: "store.sqlite")
            let store = try StoreFixture.store("store", in: folder)
            var session = try store.session(shape: StoreFixture.shape)
            let counts = try store.load(
                UnreadExport(StoreFixture.record(exports[0]), findAsOf: { 0 }), session: &session
            ) { load in
                #expect(throws: DatabaseError.self) {
                    try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trips") }
                }
                try load.insert(exports[0].trips)
                return try load.finish(StoreFixture.figures(exports[0].trips, of: exports[0]))
            }.counts
            #expect(counts.read == exports[0].trips.count)
            #expect(try journalMode(path) == "wal")
            #expect(try store.exports().count == 1)
        }
    }
}
