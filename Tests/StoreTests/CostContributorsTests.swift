import KPIs
import Store
import TestSupport
import Testing
import Trips

/// Whom the costs of the store's trips are paid to.
@Suite struct CostContributorsTests {
    private static let january = Month(year: 2025, month: 1)

    private struct Trip {
        var month = january
        var region: UInt8 = 1
        var status = TripStatus.completed
        var sourcing = Sourcing.contracted
        /// Numbers of texts.
        var id: Int32 = 0
        var name: Int32 = 0
        var cents = TripBatch.absent
        var loadedHundredths = TripBatch.absent
    }

    private func contributors(
        _ trips: [Trip], months: ClosedRange<Month>? = nil
    ) throws -> [CellScope: CostContributors] {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 1)
            let stored = trips.enumerated().map { number, trip in
                var stored = StoreFixture.trip(Int64(number), offset: number, &random)
                stored.facts.month = trip.month.index
                stored.facts.day = CivilDay.days(year: trip.month.year, month: trip.month.month, day: 1)
                stored.facts.status = trip.status.rawValue
                stored.facts.region = trip.region
                stored.facts.sourcing = trip.sourcing.rawValue
                stored.facts[.providerID] = trip.id
                stored.facts[.providerName] = trip.name
                stored.facts.costCents = trip.cents
                stored.facts.loadedHundredths = trip.loadedHundredths
                return stored
            }
            let store = try StoreFixture.store("s", in: folder)
            let export = StoreFixture.Export(
                sha256: String(repeating: "b", count: 64), asOf: 1, bytes: 1, trips: stored)
            try StoreFixture.load([[export]], into: store, &random)
            return try store.costContributors(of: months)
        }
    }

    @Test("Completed trips with a cost that are not in-house, by cell and provider")
    func whatCounts() throws {
        let february = Self.january.advanced(by: 1)
        let trips = [
            Trip(id: 1, cents: 100, loadedHundredths: 500), Trip(id: 1, cents: 20, loadedHundredths: 0),
            Trip(id: 2, cents: 7), Trip(sourcing: .unclassified, id: 1, cents: 3), Trip(id: 1),
            Trip(sourcing: .inHouse, id: 1, cents: 1000), Trip(status: .cancelled, id: 1, cents: 1000),
            Trip(region: 2, id: 1, cents: 9), Trip(month: february, id: 4, cents: 11),
        ]
        let found = try contributors(trips)
        let cell = try #require(found[CellScope(month: Self.january, region: 1, tripType: 0)])
        #expect(cell.contracted.centsByProvider == [1: 120, 2: 7] && cell.unclassified.centsByProvider == [1: 3])
        #expect(cell.all.centsByProvider == [1: 123, 2: 7] && cell.withLoadedMiles.centsByProvider == [1: 100])
        #expect(found[CellScope(month: Self.january, region: 2, tripType: 0)]?.all.totalCents == 9)
        #expect(found[CellScope(month: february, region: 1, tripType: 0)]?.all.totalCents == 11)
        #expect(found.count == 3)
        #expect(try contributors(trips, months: february...february).count == 1)
    }

    @Test("Without an id the name's; the id that comes with the name, if it is one; of neither nobody knows whose")
    func names() throws {
        let trips = [
            Trip(id: 1, name: 8, cents: 100), Trip(name: 8, cents: 20), Trip(name: 9, cents: 3),
            Trip(id: 2, name: 5, cents: 7), Trip(id: 3, name: 5, cents: 7), Trip(name: 5, cents: 50), Trip(cents: 6),
            // Of another month, which says nothing of this one.
            Trip(month: Self.january.advanced(by: 1), id: 2, name: 9, cents: 1),
        ]
        let cell = try #require(
            try contributors(trips)[CellScope(month: Self.january, region: 1, tripType: 0)])
        #expect(cell.all.centsByProvider == [1: 120, -9: 3, 2: 7, 3: 7])
        #expect(cell.all.unknownCents == 56)
    }
}
