import Basics
import GRDB
import KPIs
import Store
import TestSupport
import Testing
import Trips

/// Events in the store: which exports count, and that what is released stays.
@Suite struct EventStoreTests {
    private static let january = Month(year: 2026, month: 1)

    private static func tally(_ events: Int, _ kind: EventKind = .flood) -> EventTally {
        var tally = EventTally()
        tally.add(EventLeaf(month: january, region: "North", kind: kind, isEvacuation: true), events: events)
        return tally
    }

    private static func record(_ digit: String, source: String = "reports", exportedAt: Int, isComplete: Bool)
        -> EventExportRecord
    {
        EventExportRecord(
            sha256: String(repeating: digit, count: 64), label: "reports", source: source, exportedAt: exportedAt,
            bytes: 1,
            profileVersion: "1", isComplete: isComplete, loadedAt: 0)
    }

    /// Exports with all events of a source, and others: the same in any order.
    @Test func ofCompleteExportsTheNewestCountsInAnyOrder() throws {
        let exports = [
            (Self.record("a", exportedAt: 3, isComplete: true), Self.tally(5)),
            (Self.record("b", exportedAt: 9, isComplete: true), Self.tally(7)),
            (Self.record("c", exportedAt: 9, isComplete: true), Self.tally(8)),
            (Self.record("d", source: "closures", exportedAt: 1, isComplete: false), Self.tally(1, .fire)),
            (Self.record("e", source: "closures", exportedAt: 2, isComplete: false), Self.tally(2, .fire)),
        ]
        var expected = Self.tally(8)
        expected.merge(Self.tally(3, .fire))
        var digests: Set<String> = []
        for seed in UInt64(1)...6 {
            var random = SplitMix64(seed: seed)
            try TemporaryFolder.with(inMemory: true) { folder in
                let store = try StoreFixture.store("a", in: folder)
                #expect(try store.events() == nil && store.releasedEvents() == nil)
                for (record, events) in exports.shuffled(using: &random) + [exports[0]] {
                    try store.load(record, events: events, rejects: [.noUsableDate: 2]) {}
                }
                #expect(try store.events() == expected)
                #expect(try store.eventExports().count == 5)
                try store.checkIntegrity(rows: nil)
                digests.insert(try store.digest())
                try store.withdrawEvents(String(repeating: "c", count: 64), at: 5)
                #expect(try store.events()?.total == 10)
                #expect(try store.withdrawnExports() == [String(repeating: "c", count: 64)])
            }
        }
        #expect(digests.count == 1)
    }

    @Test func aRefusedExportLeavesTheStoreAsItWas() throws {
        struct Refusal: Error {}
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try StoreFixture.store("a", in: folder)
            #expect(throws: Refusal.self) {
                try store.load(Self.record("a", exportedAt: 1, isComplete: false), events: Self.tally(5), rejects: [:])
                {
                    throw Refusal()
                }
            }
            #expect(try store.events() == nil)
        }
    }

    @Test func releasedEventsStay() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try StoreFixture.store("a", in: folder)
            try store.load(Self.record("a", exportedAt: 1, isComplete: true), events: Self.tally(12), rejects: [:]) {}
            try store.release(events: Self.tally(12))
            try store.load(Self.record("b", exportedAt: 2, isComplete: true), events: Self.tally(30), rejects: [:]) {}
            try store.release(events: Self.tally(30))
            #expect(try store.releasedEvents() == Self.tally(12))
            #expect(try store.events() == Self.tally(30))
        }
    }

    @Test(arguments: [
        "UPDATE event_counts SET events = events + 1", "UPDATE event_releases SET region = 'South'",
        "UPDATE event_exports SET exported_at = 7", "DELETE FROM event_rejects",
    ])
    func damageIsFound(sql: String) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try StoreFixture.store("a", in: folder)
            try store.load(
                Self.record("a", exportedAt: 1, isComplete: true), events: Self.tally(12), rejects: [.nulByte: 1]
            ) {}
            try store.release(events: Self.tally(12))
            try store.close()
            let queue = try DatabaseQueue(path: folder.path(of: "a.sqlite"))
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
            #expect(throws: StoreError.self) {
                try TripStore(reading: folder.path(of: "a.sqlite")).checkLedger()
            }
        }
    }

    /// The events of a store of an earlier version are none, and its other content is as it was.
    @Test func aStoreOfAnEarlierVersionGetsTheTables() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try StoreFixture.store("a", in: folder)
            let digest = try store.digest()
            try store.close()
            let queue = try DatabaseQueue(path: folder.path(of: "a.sqlite"))
            try queue.write { db in
                for table in ["event_exports", "event_counts", "event_rejects", "event_releases"] {
                    try db.execute(sql: "DROP TABLE \(table)")
                }
                try db.execute(
                    sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '10 %'; DELETE FROM ledger_digest")
            }
            try queue.close()
            let again = try StoreFixture.store("a", in: folder)
            #expect(try again.events() == nil)
            #expect(try again.digest() == digest)
        }
    }
}
