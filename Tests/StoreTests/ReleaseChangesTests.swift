import Basics
import GRDB
import KPIs
import Keys
import Store
import TestSupport
import Testing
import Trips

/// A released month can be tallied again as it was released, whatever was loaded, withdrawn, replayed or classified again
/// since, and under a rotated key too.
@Suite struct ReleaseChangesTests {
    @Test func theReleaseCanAlwaysBeTalliedAgain() throws {
        for seed in 0..<FuzzPlan.iterations(60) {
            try TemporaryFolder.with(inMemory: true) { folder in try check(seed: UInt64(seed), in: folder) }
        }
    }

    private func check(seed: UInt64, in folder: borrowing TemporaryFolder) throws {
        var random = SplitMix64(seed: seed)
        var exports = StoreFixture.exports(
            &random, count: Int.random(in: 2...6, using: &random), trips: Int.random(in: 1...20, using: &random),
            rows: Int.random(in: 1...30, using: &random))
        let store = try StoreFixture.store("store", in: folder, unindexedTrips: Int.random(in: 0...15, using: &random))
        let half = Int.random(in: 1..<exports.count, using: &random)
        try StoreFixture.load([Array(exports.prefix(half))], into: store, &random)
        try StoreFixture.release(store)
        exports.removeFirst(half)
        for step in 0..<Int.random(in: 1...5, using: &random) {
            try change(store, &exports, &random)
            try expectReleased(store, "seed \(seed), step \(step)")
            if Int.random(in: 0...2, using: &random) == 0 {
                try revise(store, &random)
                try expectReleased(store, "seed \(seed), step \(step), revised")
            }
        }
    }

    private func change(
        _ store: TripStore, _ exports: inout [StoreFixture.Export], _ random: inout SplitMix64
    ) throws {
        var session = try store.session(shape: StoreFixture.shape)
        switch Int.random(in: 0...4, using: &random) {
        case 0:
            guard let known = try store.exports().randomElement(using: &random) else { return }
            try store.withdraw(known.sha256, at: 0, session: &session)
        case 1:
            let sourcing = Sourcing.allCases.randomElement(using: &random) ?? .inHouse
            let region = UInt8.random(in: 0...1, using: &random)
            _ = try store.reclassify(rulesName: "r", rulesVersion: "\(random.next())") { facts in
                facts.region == region ? .init(sourcing: sourcing, rule: 0) : nil
            } check: {
            }
            session = try store.session(shape: StoreFixture.shape)
        case 2:
            let layers = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            let old = try #require(PseudonymKey(bytes: Array(layers.prefix(32))))
            let new = try #require(PseudonymKey(bytes: layers))
            try store.rekey(try #require(PseudonymRekeying(from: old, to: new)), fingerprint: new.fingerprint)
            // Exports know trips by the old key: no more of them.
            exports = []
            session = try store.session(shape: StoreFixture.shape)
        default:
            guard let export = exports.popLast() else { return }
            try StoreFixture.load(export, into: store, session: &session, &random)
        }
        try store.refreshTallies(session, workers: 1)
    }

    private func expectReleased(_ store: TripStore, _ place: String) throws {
        try store.checkIntegrity(rows: nil)
        let current = try store.tally(shape: StoreFixture.shape)
        let changes = try store.releaseChanges()
        for release in try store.releases() {
            let month = release.month
            let unchanged = try store.unchangedTally(of: month, changes)
            var before = unchanged, now = unchanged
            try before.add(changes.compactMap(\.released).filter { $0.month == month.index })
            // A trip in a month that keeps no row of it has not changed there.
            try now.add(
                changes.filter { $0.months.contains(month) }.compactMap(\.current).filter { $0.month == month.index })
            var released = KPITally(shape: StoreFixture.shape)
            try released.merge(encoded: release.tally, month: month)
            #expect(
                before.hasSameFigures(as: released, in: released.allLeaves, of: month, TripPopulation.allCases),
                "\(place): before")
            #expect(
                now.hasSameFigures(as: current, in: current.allLeaves, of: month, TripPopulation.allCases),
                "\(place): now")
            // Patients are known by the key of the store, in the release too.
            #expect(before.encoded(month: month) == release.tally, "\(place): patients")
        }
    }

    /// Takes up the changes of some leaves.
    private func revise(_ store: TripStore, _ random: inout SplitMix64) throws {
        let region = UInt8.random(in: 0...1, using: &random)
        let before = try store.releaseChanges()
        let releases = try store.releases()
        let releasedMonths = Set(releases.map(\.month.index))
        let after = before.map { change in
            var change = change
            let isCounted = change.current.map { releasedMonths.contains($0.month) } ?? true
            guard change.revisedAt == nil, isCounted, (change.released ?? change.current)?.region == region else {
                return change
            }
            change.released = change.current
            change.revisedAt = 7
            return change
        }
        let revised = try releases.map { release in
            var release = release
            var tally = try store.unchangedTally(of: release.month, before)
            try tally.add(after.compactMap(\.released).filter { $0.month == release.month.index })
            release.tally = tally.encoded(month: release.month)
            return release
        }
        try store.revise(revised, changes: after, groups: 1, waiting: 0, at: Int(random.next() >> 40))
        #expect(try store.lastRevision() != nil)
        // A trip that a revision has taken up is known as such from then on.
        let marked = Set(after.filter { $0.revisedAt != nil }.map(\.key))
        #expect(Set(try store.releaseChanges().filter { $0.revisedAt != nil }.map(\.key)) == marked)
    }

    @Test(arguments: [
        "DELETE FROM release_changes", "UPDATE release_changes SET region = region + 1 WHERE region = 0",
        "UPDATE release_changes SET cost_cents = 1", "UPDATE releases SET revised_at = 7",
        "INSERT INTO revisions VALUES (1, 1, 1, 1)",
    ])
    func aChangedJournalIsDamage(sql: String) throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 5)
            let exports = StoreFixture.exports(&random, count: 3, trips: 40, rows: 80)
            let store = try StoreFixture.store("store", in: folder)
            try StoreFixture.load([[exports[0]]], into: store, &random)
            try StoreFixture.release(store)
            try StoreFixture.load([[exports[1], exports[2]]], into: store, &random)
            try store.checkIntegrity(rows: nil)
            try store.close()
            let queue = try DatabaseQueue(path: folder.path(of: "store.sqlite"))
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
            let damaged = try TripStore(
                path: folder.path(of: "store.sqlite"),
                identity: TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0"),
                isDurable: false)
            let error = #expect(throws: StoreError.self) { try damaged.checkIntegrity(rows: nil) }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
