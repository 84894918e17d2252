import Basics
import KPIs
import Privacy
import Reporting
import Store
import TestSupport
import Testing
import Trips
import UseCases

/// A revision of a store that has a trip outside its own lists: damage of the store, not an internal error.
@Suite struct ReleaseRevisionTests {
    /// Which trip of the change lies outside.
    enum Outside: CaseIterable {
        case released, current
    }

    private static let month = Month(year: 2025, month: 3)
    private static let shape = KPITally.Shape(regionCount: 3, tripTypeCount: 2, maximumIntervalSeconds: 86_400)
    private static let outside: UInt8 = 200

    private static func trip(
        _ key: Int64, cents: Int, region: UInt8 = 1, updatedAt: Int = 1, month: Month = ReleaseRevisionTests.month
    ) -> StoredTrip {
        var facts = TripFacts()
        facts.month = month.index
        facts.day = CivilDay.days(year: month.year, month: month.month, day: 10)
        facts.region = region
        facts.tripType = 1
        facts.costCents = cents
        facts.patient = UInt64(key)
        return StoredTrip(
            key: TripKey(high: key, low: key), exportID: 0, recordOffset: Int(key) * 10,
            version: TripVersion(updatedAt: updatedAt), facts: facts)
    }

    private static func load(_ trips: [StoredTrip], sha256: String, into store: TripStore) throws {
        var session = try store.session(shape: shape)
        let record = ExportRecord(
            sha256: sha256, label: "export", source: "test", asOf: 1, bytes: 1, profileVersion: "1",
            dateBasis: "as printed", intervalPairs: "", maximumIntervalSeconds: 86_400, loadedAt: 0)
        _ = try store.load(UnreadExport(record, findAsOf: { 1 }), session: &session) { load in
            try load.insert(trips)
            var counts = ReadCounts()
            counts.read = trips.count
            var tally = KPITally(shape: shape)
            try tally.add(trips.map(\.facts).filter { $0.region != outside })
            return try load.finish(
                ExportFigures(asOf: 1, counts: counts, rejectsByReason: [:], rejects: [], tally: tally))
        }
    }

    /// Forty trips of a released month, and corrected costs of twelve of them since.
    private static func revisableStore(_ folder: borrowing TemporaryFolder) throws -> TripStore {
        let store = try TripStore(
            path: folder.path(of: "store.sqlite"),
            identity: TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0"), isDurable: false)
        try store.adopt(regions: NamedList(["North", "South"]), tripTypes: NamedList(["Routine"]))
        let trips = (1...40).map { trip($0, cents: 10_000) }
        try load(trips, sha256: String(repeating: "a", count: 64), into: store)
        var tally = KPITally(shape: shape)
        try tally.add(trips.map(\.facts))
        try store.add([
            StoredRelease(
                month: month, releasedAt: 1, rulesVersion: "0",
                partition: ReleaseRegister.encode(PartitionRule().partition(of: month, in: tally)),
                tally: tally.encoded(month: month), maximumIntervalSeconds: shape.maximumIntervalSeconds)
        ])
        let corrections = (1...12).map { trip($0, cents: 20_000, updatedAt: 2) }
        try load(corrections, sha256: String(repeating: "b", count: 64), into: store)
        return store
    }

    private static func plan(_ store: TripStore) throws -> PlannedRevision {
        var current = KPITally(shape: shape)
        try current.add((1...40).map { trip($0, cents: $0 <= 12 ? 20_000 : 10_000).facts })
        return try ReleaseRevision(store: store, rule: PartitionRule()).plan(
            current, rulesVersion: "0", at: UTCTime(secondsSince1970: 2))
    }

    @Test func aSoundStoreIsRevised() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let plan = try Self.plan(Self.revisableStore(folder))
            #expect(plan.months == [Self.month] && plan.changes.count == 12 && plan.unknown == [])
        }
    }

    /// A trip that came to a released month and moved on to the next, before that was released: the next month counts it once.
    @Test func aTripThatMovedBeforeItsMonthWasReleasedCountsOnce() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try Self.revisableStore(folder), april = Self.month.advanced(by: 1)
            func digest(_ letter: String) -> String { String(repeating: letter, count: 64) }
            let trips = (101...140).map { Self.trip($0, cents: 10_000, month: april) }
            try Self.load(trips, sha256: digest("c"), into: store)
            try Self.load([Self.trip(200, cents: 10_000, updatedAt: 2)], sha256: digest("d"), into: store)
            let moved = Self.trip(200, cents: 10_000, updatedAt: 3, month: april)
            try Self.load([moved], sha256: digest("e"), into: store)
            var tally = KPITally(shape: Self.shape)
            try tally.add((trips + [moved]).map(\.facts))
            try store.add([
                StoredRelease(
                    month: april, releasedAt: 1, rulesVersion: "0",
                    partition: ReleaseRegister.encode(PartitionRule().partition(of: april, in: tally)),
                    tally: tally.encoded(month: april), maximumIntervalSeconds: Self.shape.maximumIntervalSeconds)
            ])
            let corrected = (101...112).map { Self.trip($0, cents: 20_000, updatedAt: 4, month: april) }
            try Self.load(corrected, sha256: digest("f"), into: store)

            var current = KPITally(shape: Self.shape)
            try current.add((1...40).map { Self.trip($0, cents: $0 <= 12 ? 20_000 : 10_000).facts })
            try current.add((corrected + trips.dropFirst(12) + [moved]).map(\.facts))
            let plan = try ReleaseRevision(store: store, rule: PartitionRule()).plan(
                current, rulesVersion: "0", at: UTCTime(secondsSince1970: 2))
            #expect(plan.months == [Self.month, april] && plan.unknown == [])
            var revised = KPITally(shape: Self.shape)
            try revised.merge(encoded: #require(plan.releases.last).tally, month: april)
            #expect(revised.tripsByMonth == [april: 41])
            #expect(revised.hasSameFigures(as: current, inEachLeafOf: april, TripPopulation.allCases.map { [$0] }))
        }
    }

    @Test(arguments: Outside.allCases)
    func aTripOutsideTheListsIsDamage(_ which: Outside) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let store = try Self.revisableStore(folder)
            switch which {
            case .released:
                var changes = try store.releaseChanges()
                changes[0].released?.region = Self.outside
                try store.revise(store.releases(), changes: changes, groups: 0, waiting: 0, at: 1)
            case .current:
                let beyond = Self.trip(13, cents: 10_000, region: Self.outside, updatedAt: 3)
                try Self.load([beyond], sha256: String(repeating: "c", count: 64), into: store)
            }
            let error = #expect(throws: StoreError.self) { try Self.plan(store) }
            guard case .damaged(let path, let detail) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(path == store.path && detail == TripOutsideTally().description)
        }
    }
}
