import Basics
import Foundation
import GRDB
import KPIs
import Store
import TestSupport
import Testing
import Trips

/// What is removed leaves no figure, row or byte behind, and does not come back.
@Suite struct RemovalTests {
    private static let line = Month(index: 2025 * 12 + 1)

    /// Made-up exports in which all versions of a trip are of one month and one patient.
    private func exports(_ random: inout SplitMix64) -> [StoreFixture.Export] {
        let parts = Bool.random(using: &random)
        return StoreFixture.exports(
            &random, count: Int.random(in: 1...5, using: &random), trips: Int.random(in: 1...30, using: &random),
            rows: Int.random(in: 1...40, using: &random)
        ).enumerated().map { number, export in
            var export = export
            // A part of another source's trips.
            if parts, number == 1 { export.partSource = "bills" }
            for index in export.trips.indices {
                let key = export.trips[index].key.low
                let month = Int32(key % 3)
                export.trips[index].facts.month = Int32(2025 * 12) + month
                export.trips[index].facts.day = CivilDay.days(year: 2025, month: Int(month) + 1, day: 1)
                export.trips[index].facts.patient = key % 5 == 0 ? 0 : Self.patient(Int(key % 7))
            }
            return export
        }
    }

    private static func patient(_ number: Int) -> UInt64 { 0xC0FF_EE00_DEAD_0000 + UInt64(number) }

    private func removal(_ random: inout SplitMix64) -> Removal {
        Removal(
            before: Bool.random(using: &random) ? Self.line : nil,
            trips: Set(
                (0..<2).map { _ in Int64.random(in: 0..<30, using: &random) }.map { TripKey(high: $0 * 3 - 7, low: $0) }
            ),
            patients: Bool.random(using: &random) ? [Self.patient(3)] : [])
    }

    private func remove(_ removal: Removal, from store: TripStore) throws -> RemovedTrips {
        var session = try store.session(shape: StoreFixture.shape, completion: StoreFixture.completion)
        let planned = try store.preview(removal, session: session)
        let removed = try store.remove(removal, session: &session) { leaving in
            #expect(leaving == planned)
            return nil
        }
        #expect(removed == planned, "a preview says what is removed")
        try store.refreshTallies(session, workers: 1)
        #expect(try store.eraseRemains())
        return removed
    }

    /// Removed before, between or after the exports: the store has the same trips and figures, and its ledger adds up.
    @Test func theStoreIsAsIfTheTripsHadNeverBeenThere() throws {
        for seed in 0..<FuzzPlan.iterations(80) {
            try TemporaryFolder.with(inMemory: true) { folder in
                var random = SplitMix64(seed: UInt64(seed))
                let exports = exports(&random), removal = removal(&random)
                let before = try StoreFixture.store("before", in: folder)
                _ = try remove(removal, from: before)
                try StoreFixture.load([exports], into: before, &random)
                let after = try StoreFixture.store(
                    "after", in: folder, unindexedTrips: Int.random(in: 0...15, using: &random))
                let half = Int.random(in: 0...exports.count, using: &random)
                try StoreFixture.load([Array(exports.prefix(half))], into: after, &random)
                if Bool.random(using: &random) { _ = try remove(removal, from: after) }
                try StoreFixture.load([Array(exports.dropFirst(half))], into: after, &random)
                _ = try remove(removal, from: after)
                let tally = try after.tally(shape: StoreFixture.shape)
                #expect(
                    try StoreFixture.table(tally) == StoreFixture.table(before.tally(shape: StoreFixture.shape)),
                    "seed \(seed)")
                #expect(try after.totals() == before.totals(), "seed \(seed)")
                if removal.before != nil { #expect(tally.monthsMet.allSatisfy { $0 >= Self.line }) }
                for store in [before, after] {
                    try store.checkIntegrity(rows: nil)
                    #expect(try store.exports().allSatisfy(\.isReconciled), "seed \(seed)")
                    try store.exports().forEach { export in
                        #expect(export.trips >= 0 && export.recordsSkipped >= 0)
                    }
                }
                try after.close()
                try before.close()
            }
        }
    }

    /// A set is from before a removal if the store does not know it, or has counted a removal since.
    @Test func aStoreKnowsWhatHadBeenRemovedWhenAStaffSetWasMade() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            var random = SplitMix64(seed: 3)
            let store = try StoreFixture.store("store", in: folder)
            let trips = (0..<20).map { number in
                var trip = StoreFixture.trip(Int64(number), offset: number, &random)
                trip.facts.month = Self.line.index - (number < 10 ? 1 : 0)
                trip.facts.day = CivilDay.days(year: 2025, month: Int(trip.facts.month % 12) + 1, day: 1)
                return trip
            }
            try StoreFixture.load([[StoreFixture.export("a", trips)]], into: store, &random)
            func counts(_ counts: RemovalCounts?) -> [Int]? { counts.map { [$0.ofMonths, $0.named] } }
            try store.remember(staffSet: "first")
            _ = try remove(Removal(trips: [TripKey(high: 1, low: 1)]), from: store)
            #expect(
                try counts(store.removalCounts()) == [0, 1] && store.staffSets().isEmpty, "earlier sets may have it")
            _ = try remove(Removal(trips: [TripKey(high: 1, low: 1)]), from: store)
            #expect(try counts(store.removalCounts()) == [0, 1], "it is kept out already")
            _ = try remove(Removal(before: Self.line), from: store)
            #expect(try counts(store.removalCounts()) == [1, 1] && store.staffSets().isEmpty)
            try store.remember(staffSet: "second")
            _ = try remove(Removal(before: Self.line), from: store)
            #expect(try counts(store.removalCounts()) == [1, 1], "nothing was there")
            _ = try remove(Removal(trips: [trips[15].key]), from: store)
            #expect(try counts(store.removalCounts()) == [1, 2] && counts(store.staffSets()["second"]) == [1, 1])
            try store.remember(staffSet: "third")
            #expect(try store.staffSets().keys.sorted() == ["third"] && counts(store.staffSets()["third"]) == [1, 2])
            try store.checkIntegrity(rows: nil)
            try store.close()
        }
    }

    /// An earlier version dated removals, or did not know when they were. Of its sets nothing is known.
    @Test(arguments: [20, 21], [nil, Removal(before: Self.line), Removal(patients: [Self.patient(1)])])
    func theRemovalsOfAnEarlierVersionCount(version: Int, removal: Removal?) throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 4)
            let store = try StoreFixture.store("store", in: folder)
            try StoreFixture.load([exports(&random)], into: store, &random)
            if let removal { _ = try remove(removal, from: store) }
            let expected = try store.removalCounts()
            try store.close()
            let queue = try DatabaseQueue(path: folder.path(of: "store.sqlite"))
            try queue.write { db in
                try db.execute(
                    sql: """
                        ALTER TABLE retention ADD COLUMN removed_at INTEGER;
                        ALTER TABLE retention ADD COLUMN named_removed_at INTEGER;
                        UPDATE retention SET removed_at = 100 WHERE month_removals > 0 OR named_removals > 0;
                        UPDATE retention SET named_removed_at = 100 WHERE named_removals > 0;
                        ALTER TABLE retention DROP COLUMN month_removals;
                        ALTER TABLE retention DROP COLUMN named_removals;
                        DROP TABLE staff_sets;
                        DELETE FROM grdb_migrations WHERE identifier LIKE '22 %';
                        DELETE FROM ledger_digest;
                        """)
                guard version == 20 else { return }
                try db.execute(
                    sql: """
                        ALTER TABLE retention DROP COLUMN removed_at;
                        ALTER TABLE retention DROP COLUMN named_removed_at;
                        ALTER TABLE retention DROP COLUMN clock_day;
                        ALTER TABLE retention ADD COLUMN has_old_sets INTEGER NOT NULL DEFAULT 0;
                        DELETE FROM grdb_migrations WHERE identifier LIKE '21 %';
                        """)
            }
            try queue.close()
            let migrated = try StoreFixture.store("store", in: folder), counts = try migrated.removalCounts()
            // Version 20 did not know which it was.
            let isUnknown = version == 20 && expected != .none
            #expect(counts.ofMonths == expected.ofMonths && counts.named == (isUnknown ? 1 : expected.named))
            try migrated.checkIntegrity(rows: nil)
            try migrated.close()
        }
    }

    /// The pseudonyms of a patient and of the patient's trips are in no page, free page or log of the store; but for the lists that
    /// keep them out.
    @Test func noByteOfARemovedPatientIsLeft() throws {
        try TemporaryFolder.with { folder in
            var random = SplitMix64(seed: 11)
            let store = try StoreFixture.store("store", in: folder)
            let patient: UInt64 = 0xA1B2_C3D4_E5F6_0718
            // As SQLite stores eight bytes: smaller numbers take fewer.
            var trips = (0..<3000).map { number in
                let trip = StoreFixture.trip(0, offset: number, &random)
                let key = TripKey(high: Int64(random.next() >> 1 | 1 << 62), low: Int64(random.next() >> 1 | 1 << 62))
                return StoredTrip(
                    key: key, exportID: 0, recordOffset: number, version: TripVersion(updatedAt: 1), facts: trip.facts)
            }
            for index in trips.indices where index % 100 == 7 {
                trips[index].facts.patient = patient
                trips[index].facts.status = TripStatus.completed.rawValue
            }
            let keys = trips.filter { $0.facts.patient == patient }.map(\.key)
            // A second export changes every trip: rows are deleted and inserted again.
            let changed = trips.map { trip in
                var trip = trip
                trip.version = TripVersion(updatedAt: 9)
                trip.facts.costCents = 12_345
                return trip
            }
            try StoreFixture.load(
                [[StoreFixture.export("a", trips)], [StoreFixture.export("b", changed)]], into: store, &random)
            let tally = try StoreFixture.release(store)
            // After the release: the journal has the trips as they were.
            let late = changed.map { trip in
                var trip = trip
                trip.version = TripVersion(updatedAt: 10)
                trip.facts.costCents = 999
                return trip
            }
            try StoreFixture.load([[StoreFixture.export("c", late)]], into: store, &random)
            _ = try store.publicIDs(of: keys, random: &random)
            #expect(try store.releaseChanges().contains { keys.contains($0.key) })
            func occurrences(of bytes: [UInt8]) throws -> Int {
                try [".sqlite", ".sqlite-wal"].map { folder.path(of: "store" + $0) }
                    .filter { FileManager.default.fileExists(atPath: $0) }
                    .reduce(0) { count, path in
                        let data = try Data(contentsOf: URL(fileURLWithPath: path))
                        var found = 0, from = data.startIndex
                        while let range = data.range(of: Data(bytes), in: from..<data.endIndex) {
                            found += 1
                            from = range.upperBound
                        }
                        return count + found
                    }
            }
            func bigEndian(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
            #expect(try occurrences(of: bigEndian(Int64(bitPattern: patient))) > 1)
            #expect(try occurrences(of: bigEndian(keys[0].low)) > 1)

            let removed = try remove(Removal(patients: [patient]), from: store)
            #expect(removed.trips == Set(keys) && removed.versions == 3 * keys.count)
            #expect(removed.frozenMonths == tally.monthsMet)
            #expect(try store.releaseChanges().allSatisfy { !keys.contains($0.key) })
            #expect(try store.knownPublicIDs(of: keys).allSatisfy { $0 == nil })
            // Also while the store is open. The list that keeps the patient out has the pseudonym as a row number, in SQLite's own form.
            let left = try occurrences(of: bigEndian(Int64(bitPattern: patient)))
            #expect(left == 0)
            // And the trips' pseudonyms once each.
            for key in keys { #expect(try occurrences(of: bigEndian(key.low)) == 1) }
            try store.checkIntegrity(rows: nil)
            // The released figures are those from before.
            for release in try store.releases() {
                #expect(release.isFrozen)
                var released = KPITally(shape: StoreFixture.shape)
                try released.merge(encoded: release.tally, month: release.month)
                #expect(
                    released.hasSameFigures(
                        as: tally, in: tally.allLeaves, of: release.month, TripPopulation.allCases))
                #expect(
                    TripPopulation.allCases.allSatisfy { population in
                        released.allLeaves.allSatisfy {
                            released.patientCount(of: [$0], in: release.month, [population])
                                == tally.patientCount(of: [$0], in: release.month, [population])
                        }
                    })
            }
            try store.close()
        }
    }
}
