import KPIs
import Store
import TestSupport
import Testing
import Trips

/// Texts have numbers before they are written. A load that is refused, at whatever step, leaves none behind: the next new text
/// would get the number, and with it the trips.
@Suite struct RefusedLoadTests {
    private struct Refusal: Error {}

    private static func trips(_ export: StoreFixture.Export, provider: Int32) -> [StoredTrip] {
        export.trips.map { trip in
            var trip = trip
            trip.facts[.providerID] = provider
            return trip
        }
    }

    private func load(
        _ export: StoreFixture.Export, provider: String, into store: TripStore, isRefused: Bool = false,
        session: inout LoadSession
    ) throws {
        let trips = Self.trips(export, provider: store.texts.number(of: provider))
        try store.load(UnreadExport(StoreFixture.record(export), findAsOf: { 0 }), session: &session) { load in
            try load.insert(trips)
            let loaded = try load.finish(StoreFixture.figures(trips, of: export))
            if isRefused { throw Refusal() }
            return loaded
        }
    }

    @Test func oneThatIsRefusedOnceAllIsWrittenLeavesNoNumberOfAText() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 11)
            let exports = StoreFixture.exports(&random, count: 3, trips: 30, rows: 60)
            let store = try StoreFixture.store("store", in: folder)
            var session = try store.session(shape: StoreFixture.shape)
            #expect(throws: Refusal.self) {
                try load(exports[0], provider: "C-500", into: store, isRefused: true, session: &session)
            }
            try load(exports[1], provider: "C-500", into: store, session: &session)
            try store.refreshTallies(session, workers: 1)
            try store.checkIntegrity(rows: nil)
            // The next run reads the texts anew.
            let next = try TripStore(reading: folder.path(of: "store.sqlite"))
            #expect(next.texts.all == store.texts.all && next.texts.all.values.contains("C-500"))
        }
    }

    @Test func aNumberWithoutItsTextIsDamage() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 12)
            let export = StoreFixture.exports(&random, count: 1, trips: 30, rows: 60)[0]
            let store = try StoreFixture.store("store", in: folder)
            var session = try store.session(shape: StoreFixture.shape)
            let trips = Self.trips(export, provider: 999)
            try store.load(UnreadExport(StoreFixture.record(export), findAsOf: { 0 }), session: &session) { load in
                try load.insert(trips)
                return try load.finish(StoreFixture.figures(trips, of: export))
            }
            try store.refreshTallies(session, workers: 1)
            #expect { try store.checkIntegrity(rows: nil) } throws: { "\($0)".contains("texts that are not there") }
        }
    }
}
