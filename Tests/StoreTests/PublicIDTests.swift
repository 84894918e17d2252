import Store
import TestSupport
import Testing
import Trips

@Suite struct PublicIDTests {
    private func keys(_ range: ClosedRange<Int64>) -> [TripKey] {
        range.map { TripKey(high: $0 * 3 - 7, low: $0) }
    }

    @Test func aTripKeepsItsIDFromRunToRun() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 1), other = SplitMix64(seed: 2)
            let some = keys(1...500)
            let first = try StoreFixture.store("s", in: folder).publicIDs(of: some, random: &random)
            #expect(Set(first).count == 500)
            // Another run, with another source: only the new ones are new.
            let store = try StoreFixture.store("s", in: folder)
            let second = try store.publicIDs(of: keys(-100...500).shuffled(using: &other), random: &other)
            #expect(Set(second).isSuperset(of: first) && Set(second).count == 601)
            #expect(try store.publicIDs(of: some, random: &other) == first)
            #expect(try store.knownPublicIDs(of: some + keys(501...501)) == first + [nil])
            for (key, id) in zip(some, first) { #expect(try store.tripKey(of: id) == key) }
            #expect(try store.tripKey(of: PublicTripID(high: 1, low: 2)) == nil)
            let reader = try TripStore(reading: store.path)
            #expect(try reader.knownPublicIDs(of: some) == first)
            #expect(try reader.tripKey(of: first[7]) == some[7])
        }
    }

    /// The same key in two stores has two ids: nothing of the trip is in them.
    @Test func anIDComesFromNothing() throws {
        try TemporaryFolder.with { folder in
            var system = SystemRandomNumberGenerator()
            let ids = try ["a", "b"].map {
                try StoreFixture.store($0, in: folder).publicIDs(of: keys(1...50), random: &system)
            }
            #expect(Set(ids[0]).isDisjoint(with: ids[1]))
        }
    }

    @Test func aSourceThatRepeatsItselfGivesNoIDTwice() throws {
        struct Stuck: RandomNumberGenerator {
            func next() -> UInt64 { 5 }
        }
        try TemporaryFolder.with { folder in
            let store = try StoreFixture.store("s", in: folder)
            var stuck = Stuck()
            #expect(throws: StoreError.self) { try store.publicIDs(of: keys(1...2), random: &stuck) }
            #expect(try store.knownPublicIDs(of: keys(1...2)) == [nil, nil], "one transaction")
        }
    }

    /// Withdrawing and loading again changes no id, and assigning ids changes no digest.
    @Test func idsOutliveWithdrawalAndAreInNoDigest() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 3)
            let store = try StoreFixture.store("s", in: folder)
            let export = StoreFixture.exports(&random, count: 1, trips: 20, rows: 60)[0]
            try StoreFixture.load([[export]], into: store, &random)
            let digest = try store.digest()
            let some = Array(Set(export.trips.map(\.key))).sorted()
            let ids = try store.publicIDs(of: some, random: &random)
            #expect(try store.digest() == digest)
            var session = try store.session(shape: StoreFixture.shape)
            try store.withdraw(export.sha256, at: 0, session: &session)
            try StoreFixture.load(export, into: store, session: &session, &random)
            try store.refreshTallies(session, workers: 1)
            #expect(try store.publicIDs(of: some, random: &random) == ids)
            #expect(try store.digest() == digest)
        }
    }

    @Test func asTextItIs32Digits() throws {
        let id = PublicTripID(high: 0x00AB, low: .max)
        #expect(id.description == "00000000000000abffffffffffffffff")
        #expect(PublicTripID(id.description) == id && PublicTripID(id.description.uppercased()) == id)
        for text in [
            "", "ab", String(repeating: "g", count: 32), "+" + String(repeating: "1", count: 31),
            String(repeating: "1", count: 33), String(repeating: "１", count: 32),
        ] {
            #expect(PublicTripID(text) == nil)
        }
        var random = SplitMix64(seed: 4)
        for _ in 0..<100 {
            let id = PublicTripID(random: &random)
            #expect(PublicTripID(id.description) == id)
        }
    }
}
