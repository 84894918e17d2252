import KPIs
import Store
import TestSupport
import Testing
import Trips

/// What the store says of trips with parts is a function of the set of exports in it: which export came first, what was withdrawn
/// and loaded again, and which session was killed do not matter.
@Suite struct PartsLawTests {
    @Test func anyOrderOfTripsAndPartsEndsInTheSameStore() throws {
        for seed in 0..<FuzzPlan.iterations(60) {
            try TemporaryFolder.with(inMemory: true) { folder in try check(seed: UInt64(seed), in: folder) }
        }
    }

    private func check(seed: UInt64, in folder: borrowing TemporaryFolder) throws {
        var random = SplitMix64(seed: seed)
        var exports = StoreFixture.exports(
            &random, count: Int.random(in: 2...6, using: &random), trips: Int.random(in: 1...8, using: &random),
            rows: Int.random(in: 1...16, using: &random))
        for index in exports.indices {
            exports[index].partSource = [nil, "bills", "surveys"].randomElement(using: &random) ?? nil
        }
        let reference = ReferenceParts(exports)
        let whole = try StoreFixture.store("whole", in: folder, unindexedTrips: Int.random(in: 0...15, using: &random))
        try StoreFixture.load([exports], into: whole, &random)
        let other = try StoreFixture.store("other", in: folder, unindexedTrips: Int.random(in: 0...15, using: &random))
        try StoreFixture.loadWithDetours(exports, into: other, &random)
        #expect(try other.digest() == whole.digest(), "seed \(seed): another way of loading")
        for (name, store) in [("whole", whole), ("other", other)] {
            try store.checkIntegrity(rows: nil)
            #expect(try store.totals().trips == reference.counted.count, "seed \(seed), \(name): trips")
            #expect(
                try store.waitingParts().reduce(0) { $0 + $1.trips } >= reference.waiting,
                "seed \(seed), \(name): waiting")
            #expect(try store.waitingParts().isEmpty == (reference.waiting == 0), "seed \(seed), \(name): waiting")
            for export in try store.exports() { #expect(export.isReconciled, "seed \(seed), \(name)") }
            let expected = StoreFixture.table(reference.tally)
            let tally = try store.tally(shape: StoreFixture.shape)
            #expect(StoreFixture.table(tally) == expected, "seed \(seed), \(name): the tallies")
            let rows = try store.tallyRows(of: store.months(), shape: StoreFixture.shape, workers: 1)
            #expect(StoreFixture.table(rows) == expected, "seed \(seed), \(name): the rows")
        }
    }

    /// A part that comes first waits, and is in no figure until its trip is there; a void one takes the values back.
    @Test func aPartWaitsForItsTrip() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            var random = SplitMix64(seed: 3)
            let store = try StoreFixture.store("store", in: folder)
            var trip = StoreFixture.trip(1, offset: 0, &random)
            trip.facts.status = TripStatus.completed.rawValue
            trip.facts.costCents = AmountState.absent
            var bill = trip
            bill.facts.costCents = 12_345
            let dispatch = StoreFixture.export("d", [trip])
            var bills = StoreFixture.export("b", [bill]), noBill = StoreFixture.export("c", [bill])
            bills.partSource = "bills"
            noBill.partSource = "bills"
            noBill.asOf = 99
            noBill.trips[0].facts.status = TripStatus.void.rawValue
            noBill.trips[0].version.updatedAt = 1_000
            func cost() throws -> Int? {
                let tally = try store.tally(shape: StoreFixture.shape)
                let sums = tally.monthsMet.map { tally.sums(of: tally.allLeaves, in: $0) }
                return sums.first { $0.trips > 0 }.map { $0.costedTrips == 0 ? -1 : $0.completed.costCents }
            }
            try StoreFixture.load([[bills]], into: store, &random)
            #expect(try cost() == nil && store.totals().trips == 0)
            #expect(try store.waitingParts().map(\.trips) == [1])
            try StoreFixture.load([[dispatch]], into: store, &random)
            #expect(try cost() == 12_345 && store.waitingParts().isEmpty)
            let versions = try #require(try store.versions(of: trip.key))
            #expect(versions.counted?.costCents == 12_345 && versions.own.count == 1 && versions.parts.count == 1)
            try StoreFixture.load([[noBill]], into: store, &random)
            #expect(try cost() == -1)
            var session = try store.session(shape: StoreFixture.shape, completion: StoreFixture.completion)
            try store.withdraw(noBill.sha256, at: 0, session: &session)
            try store.refreshTallies(session, workers: 1)
            #expect(try cost() == 12_345)
            session = try store.session(shape: StoreFixture.shape, completion: StoreFixture.completion)
            try store.withdraw(bills.sha256, at: 0, session: &session)
            try store.refreshTallies(session, workers: 1)
            #expect(try cost() == -1)
            try store.checkIntegrity(rows: nil)
        }
    }
}

/// What a store must say of exports of which some are supplements, worked out plainly from all of their records at once.
private struct ReferenceParts {
    private(set) var counted: [StoredTrip] = []
    private(set) var waiting = 0

    init(_ exports: [StoreFixture.Export]) {
        let own = Dictionary(
            ReferenceStore(exports.filter { $0.partSource == nil }).newest.map { ($0.key, $0) }
        ) { first, _ in first }
        var parts: [TripKey: [TripFacts]] = [:]
        for source in ["surveys", "bills"] {
            for part in ReferenceStore(exports.filter { $0.partSource == source }).newest {
                if own[part.key] == nil { waiting += 1 }
                if part.facts.status != TripStatus.void.rawValue { parts[part.key, default: []].append(part.facts) }
            }
        }
        for var trip in own.values {
            for part in parts[trip.key] ?? [] {
                if part.costCents != AmountState.absent { trip.facts.costCents = part.costCents }
                if part.loadedHundredths != AmountState.absent { trip.facts.loadedHundredths = part.loadedHundredths }
                if part.region != 0 { trip.facts.region = part.region }
                if part.patient != 0 { trip.facts.patient = part.patient }
                if part.intervals[0] != IntervalState.missing { trip.facts.intervals[0] = part.intervals[0] }
                // The fixture's trips have 0 seconds in all others.
            }
            if parts[trip.key] != nil { trip.facts.sourcing = StoreFixture.sourcing(of: trip.facts) }
            counted.append(trip)
        }
    }

    var tally: KPITally {
        var tally = KPITally(shape: StoreFixture.shape)
        tally.add(StoreFixture.batch(counted))
        return tally
    }
}
