import KPIs
import Store
import TestSupport
import Testing
import Trips

/// The promise of the store: what it says is a function of the set of exports in it, and of nothing else.
@Suite struct StoreLawTests {
    /// Random exports with corrections, copies, voids and ties, loaded in random orders over random sessions, replayed,
    /// withdrawn and loaded again: the same store as one load of everything, and as a plain reference says.
    @Test func anyOrderOfTheSameExportsEndsInTheSameStore() throws {
        for seed in 0..<FuzzPlan.iterations(60) {
            try TemporaryFolder.with(inMemory: true) { folder in try check(seed: UInt64(seed), in: folder) }
        }
    }

    private func check(seed: UInt64, in folder: borrowing TemporaryFolder) throws {
        var random = SplitMix64(seed: seed)
        let exports = StoreFixture.exports(
            &random, count: Int.random(in: 1...5, using: &random), trips: Int.random(in: 1...12, using: &random),
            rows: Int.random(in: 1...20, using: &random))
        let reference = ReferenceStore(exports)
        let whole = try StoreFixture.store("whole", in: folder, unindexedTrips: Int.random(in: 0...15, using: &random))
        try StoreFixture.load([exports], into: whole, &random)
        let other = try StoreFixture.store("other", in: folder, unindexedTrips: Int.random(in: 0...15, using: &random))
        try StoreFixture.loadWithDetours(exports, into: other, &random)

        let digest = try whole.digest()
        #expect(try other.digest() == digest, "seed \(seed): another way of loading")
        for (name, store) in [("whole", whole), ("other", other)] {
            let totals = try store.totals()
            #expect(
                (totals.trips, totals.copies, totals.superseded) == reference.totals, "seed \(seed), \(name): totals")
            for export in try store.exports() {
                let own = try #require(reference.inside[export.sha256])
                #expect(
                    (export.copiesInside, export.supersededInside, export.trips) == own, "seed \(seed), \(name): inside"
                )
                #expect(export.isReconciled, "seed \(seed), \(name)")
            }
            try store.checkIntegrity(rows: nil)
            let tally = try store.tally(shape: StoreFixture.shape)
            #expect(
                StoreFixture.table(tally) == StoreFixture.table(reference.tally), "seed \(seed), \(name): the tallies")
            let fromRows = try store.tallyRows(of: store.months(), shape: StoreFixture.shape, workers: 1)
            #expect(
                StoreFixture.table(fromRows) == StoreFixture.table(reference.tally), "seed \(seed), \(name): the rows")
        }
    }

    @Test func theSameExportTwiceIsRefused() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 1)
            let export = StoreFixture.exports(&random, count: 1, trips: 5, rows: 10)
            let store = try StoreFixture.store("store", in: folder)
            try StoreFixture.load([export], into: store, &random)
            let digest = try store.digest()
            #expect(throws: StoreError.alreadyLoaded(sha256: export[0].sha256)) {
                try StoreFixture.load([export], into: store, &random)
            }
            #expect(try store.digest() == digest)
        }
    }

    /// What is committed survives the loss of power: SQLite waits for the disk at each commit.
    @Test func commitsAreDurable() throws {
        try TemporaryFolder.with { folder in
            let identity = TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0")
            let full = try TripStore(path: folder.path(of: "full.sqlite"), identity: identity)
            #expect(try full.synchronous() == 2)
            let off = try TripStore(path: folder.path(of: "off.sqlite"), identity: identity, isDurable: false)
            #expect(try off.synchronous() == 0)
        }
    }

    /// What a load says of itself adds up against the store as it was.
    @Test func everyLoadAddsUp() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 4)
            let store = try StoreFixture.store("store", in: folder)
            var session = try store.session(shape: StoreFixture.shape)
            var trips = 0
            for export in StoreFixture.exports(&random, count: 20, trips: 40, rows: 60) {
                let counts = try StoreFixture.load(export, into: store, session: &session, &random)
                #expect(counts.isReconciled)
                trips += counts.added
                #expect(try store.totals().trips == trips)
            }
        }
    }
}
