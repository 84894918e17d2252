import Basics
import GRDB
import KPIs
import Store
import TestSupport
import Testing
import Trips

/// Costs by line are those of the trips, whatever happened to these. `StoreLawTests` checks it for histories of exports that
/// come, go and come again: `checkIntegrity(rows: nil)` adds them up from the rows.
@Suite struct CostLinesTests {
    private static let identity = TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0")

    /// From the rows, by SQL.
    private func tallyOfRows(_ store: TripStore) throws -> CostTally {
        let hasBoth = "cost_cents IS NOT NULL AND loaded_hundredths > 0"
        let rows = try DatabaseQueue(path: store.path).read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT month, provider_id, provider_name, contract_number, region, trip_type, sourcing,
                        COUNT(*), COUNT(cost_cents), COALESCE(SUM(cost_cents), 0), COALESCE(SUM(loaded_hundredths), 0),
                        COALESCE(SUM(cost_cents) FILTER (WHERE \(hasBoth)), 0),
                        COALESCE(SUM(loaded_hundredths) FILTER (WHERE \(hasBoth)), 0)
                    FROM trips WHERE status = 0 GROUP BY 1, 2, 3, 4, 5, 6, 7
                    """)
        }
        var tally = CostTally()
        for row in rows {
            var sums = CostSums()
            (sums.trips, sums.costedTrips, sums.costCents) = (row[7], row[8], row[9])
            (sums.loadedHundredths, sums.costCentsWithMiles, sums.loadedHundredthsWithCost) = (
                row[10], row[11], row[12]
            )
            let key = CostKey(
                month: row[0], providerID: row[1], providerName: row[2], contract: row[3], region: row[4],
                tripType: row[5], sourcing: try #require(Sourcing(rawValue: row[6])))
            tally.add(sums, to: key)
        }
        return tally
    }

    private func filledStore(in folder: borrowing TemporaryFolder) throws -> TripStore {
        var random = SplitMix64(seed: 5)
        let store = try StoreFixture.store("store", in: folder)
        let exports = StoreFixture.exports(&random, count: 4, trips: 60, rows: 90)
        try StoreFixture.load(exports.map { [$0] }, into: store, &random)
        return store
    }

    private static let allMonths = Month(index: 0)...Month(index: 40_000)

    @Test func theyAreThoseOfTheTrips() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try filledStore(in: folder)
            let tally = try store.costTally(of: Self.allMonths)
            #expect(tally.lines.count > 5)
            #expect(try tally == tallyOfRows(store))
            let month = try #require(store.months().last)
            #expect(try store.costTally(of: month...month) == tally.within(month.index...month.index))
        }
    }

    @Test func otherRulesMoveTripsBetweenLines() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try filledStore(in: folder)
            let before = try store.costTally(of: Self.allMonths)
            let changed = try store.reclassify(rulesName: "none", rulesVersion: "1") { facts in
                TripStore.RuleDecision(sourcing: facts.day % 2 == 0 ? .inHouse : .contracted, rule: 0)
            } check: {
            }
            #expect(!changed.isEmpty)
            let after = try store.costTally(of: Self.allMonths)
            #expect(after != before && after.total == before.total)
            #expect(try after == tallyOfRows(store))
        }
    }

    /// A store of version 10 has no costs by line. It gets them from its trips.
    @Test func aStoreOfAnEarlierVersionGetsThem() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try filledStore(in: folder)
            let right = try store.costTally(of: Self.allMonths)
            let path = store.path
            try store.close()
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                try db.execute(sql: "DROP TABLE cost_lines; DELETE FROM ledger_digest")
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '11 %'")
            }
            try queue.close()
            #expect(throws: StoreError.tooOld(path: path)) { try TripStore(reading: path) }
            let newer = try TripStore(path: path, identity: Self.identity, isDurable: false)
            #expect(try newer.costTally(of: Self.allMonths) == right)
            try newer.checkIntegrity(rows: nil)
        }
    }

    /// Of a run that was stopped there is no digest of the ledger; the rows still show it.
    @Test func anotherCostThanThatOfTheTripsIsDamage() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try filledStore(in: folder)
            let path = store.path
            try store.close()
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                try db.execute(sql: "DELETE FROM ledger_digest; UPDATE cost_lines SET cost_cents = cost_cents + 1")
            }
            try queue.close()
            let damaged = try TripStore(path: path, identity: Self.identity, isDurable: false)
            let error = #expect(throws: StoreError.self) { try damaged.checkIntegrity(rows: nil) }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
