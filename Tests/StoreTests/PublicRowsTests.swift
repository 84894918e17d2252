import Basics
import GRDB
import Store
import TestSupport
import Testing
import Trips

/// Trips in the order of their public ids.
@Suite struct PublicRowsTests {
    private func withStore(_ body: (TripStore) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 4)
            let store = try StoreFixture.store("s", in: folder)
            let exports = StoreFixture.exports(&random, count: 3, trips: 6000, rows: 9000)
            try StoreFixture.load([exports], into: store, &random)
            try body(store)
        }
    }

    @Test func everyCompletedTripGetsAnIDOnceAndRowsComeInTheirOrder() throws {
        try withStore { store in
            var random = SplitMix64(seed: 5)
            try store.assignPublicIDs(random: &random)
            var ids: [PublicTripID] = []
            try store.forEachPublicTrip { id, facts, _ in
                ids.append(id)
                #expect(facts.status == TripStatus.completed.rawValue)
            }
            var completed = 0
            for month in try store.months() {
                try store.forBatches(of: month) { batch in
                    completed += batch.status.prefix(batch.count).count { $0 == TripStatus.completed.rawValue }
                }
            }
            #expect(completed > 1000 && ids.count == completed && Set(ids).count == completed)
            let order = ids.map { (Int64(bitPattern: $0.high), Int64(bitPattern: $0.low)) }
            #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 })
            try store.assignPublicIDs(random: &random)
            var again: [PublicTripID] = []
            try store.forEachPublicTrip { id, _, _ in again.append(id) }
            #expect(again == ids, "ids are given once")
        }
    }

    @Test func onlyTheMonthsAskedForGetIDs() throws {
        try withStore { store in
            var random = SplitMix64(seed: 6)
            let month = try #require(try store.months().first)
            try store.assignPublicIDs(months: month...month, random: &random)
            var months: Set<Int32> = []
            try store.forEachPublicTrip { _, facts, _ in months.insert(facts.month) }
            #expect(months == [month.index])
            try store.assignPublicIDs(random: &random)
            var count = 0
            try store.forEachPublicTrip(months: month...month) { _, facts, _ in
                count += 1
                #expect(facts.month == month.index)
            }
            #expect(count > 100)
        }
    }

    /// Memory would grow with the store if SQLite sorted: it has to walk the index of ids.
    @Test func nothingIsSorted() throws {
        try withStore { store in
            let queue = try DatabaseQueue(path: store.path)
            let plan = try queue.read { db in
                try Row.fetchAll(
                    db, sql: "EXPLAIN QUERY PLAN " + TripStore.publicTripsSQL, arguments: [Int64(0), Int64(0)]
                ).map { try $0.decode(forColumn: "detail") as String }
            }
            #expect(plan.count == 2 && !plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }
}
