import Basics
import KPIs
import Store
import TestSupport
import Testing
import Trips

/// A register: a store that has only the trips that changed since the release of their month, and tallies of the others.
@Suite struct ChangedTripsTests {
    private static let march = Month(year: 2025, month: 3), april = march.advanced(by: 1)

    private static func trip(_ key: Int64, cents: Int, in month: Month = march, status: TripStatus = .completed)
        -> StoredTrip
    {
        var facts = TripFacts()
        facts.month = month.index
        facts.day = CivilDay.days(year: month.year, month: month.month, day: 10)
        facts.status = status.rawValue
        facts.costCents = cents
        return StoredTrip(
            key: TripKey(high: key, low: key), exportID: 0, recordOffset: 0, version: TripVersion(), facts: facts)
    }

    private static func tally(_ trips: [StoredTrip]) throws -> KPITally {
        var tally = KPITally(shape: StoreFixture.shape)
        try tally.add(trips.map(\.facts))
        return tally
    }

    /// A register with March released: trips 1 to 20.
    private static func register(_ folder: borrowing TemporaryFolder) throws -> TripStore {
        let store = try StoreFixture.store("register", in: folder)
        try store.add([
            StoredRelease(
                month: march, releasedAt: 1, rulesVersion: "0", partition: [],
                tally: tally((1...20).map { trip($0, cents: 100) }).encoded(month: march),
                maximumIntervalSeconds: StoreFixture.shape.maximumIntervalSeconds)
        ])
        return store
    }

    @Test func theFirstStateOfATripIsKept() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try Self.register(folder), others = try Self.tally((2...20).map { Self.trip($0, cents: 100) })
            for (before, now) in [(100, 200), (100, 200), (200, 300)] {
                try store.journal(
                    before: [Self.trip(1, cents: before)], added: [Self.trip(30, cents: before)],
                    current: [Self.trip(1, cents: now), Self.trip(30, cents: now)], months: [Self.march], others: others
                )
                let changes = try store.releaseChanges()
                #expect(changes.map(\.released?.costCents) == [100, nil], "\(before)")
                #expect(changes.map(\.current?.costCents) == [now, now])
            }
            #expect(
                try store.tally(of: Self.march...Self.march, shape: StoreFixture.shape).tripsByMonth == [Self.march: 19]
            )
        }
    }

    /// A month whose changed trips are gone has no tally of the others, which would not be made again.
    @Test func aTallyEndsWithTheChangedTripsOfItsMonth() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try Self.register(folder), other = Self.trip(2, cents: 100)
            try store.journal(
                before: [Self.trip(1, cents: 100)], added: [], current: [Self.trip(1, cents: 200)],
                months: [Self.march],
                others: Self.tally([other]))
            #expect(try store.months() == [Self.march])
            try store.journal(
                before: [Self.trip(1, cents: 200)], added: [], current: [Self.trip(1, cents: 200, in: Self.april)],
                months: [Self.april], others: Self.tally([]))
            #expect(try store.months() == [Self.april])
            let change = try #require(store.releaseChanges().first)
            #expect(change.released?.costCents == 100 && change.current?.month == Self.april.index)
            try store.journal(
                before: [], added: [], current: [Self.trip(1, cents: 200, in: Self.april, status: .void)], months: [],
                others: Self.tally([]))
            #expect(try store.releaseChanges().map(\.current) == [nil])
        }
    }

    /// What is in no released month is not journaled.
    @Test func onlyReleasedMonthsAreJournaled() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try Self.register(folder)
            try store.journal(
                before: [Self.trip(1, cents: 100, in: Self.april)], added: [Self.trip(2, cents: 1, in: Self.april)],
                current: [Self.trip(1, cents: 200, in: Self.april)], months: [Self.april], others: Self.tally([]))
            #expect(try store.releaseChanges().isEmpty)
        }
    }
}
