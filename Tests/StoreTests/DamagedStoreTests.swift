import Basics
import Foundation
import GRDB
import Store
import TestSupport
import Testing
import Trips

/// Whatever happened to its bytes, a store says what was written to it, or that it is damaged.
@Suite struct DamagedStoreTests {
    private static let identity = TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0")

    /// What a night makes of a store: its figures as text.
    private func night(_ path: String, _ export: StoreFixture.Export) throws -> String {
        var random = SplitMix64(seed: 1)
        let store = try TripStore(path: path, identity: Self.identity, isDurable: false)
        try store.checkIntegrity()
        try StoreFixture.load([[export]], into: store, &random)
        let lists = try store.lists()
        return StoreFixture.table(try store.tally(shape: StoreFixture.shape))
            + "\(try store.totals()) \(try store.exports()) \(lists.regions) \(lists.tripTypes) \(try store.digest())"
    }

    /// A store of three exports, and a fourth that corrects some of their trips and brings others.
    ///
    /// - Parameter isSpread: whether the keys are in some twenty slices of a month.
    private func site(
        _ folder: TemporaryFolder, isSpread: Bool = false
    ) throws -> (bytes: [UInt8], export: StoreFixture.Export) {
        var random = SplitMix64(seed: 11)
        var exports = StoreFixture.exports(&random, count: 4, trips: 400, rows: 900)
        for (number, export) in exports.enumerated() where isSpread {
            exports[number].trips = export.trips.map { trip in
                var trip = trip
                trip.key = TripKey(high: trip.key.high << 47, low: trip.key.low)
                return trip
            }
        }
        let last = exports.removeLast()
        let store = try StoreFixture.store("whole", in: folder)
        try StoreFixture.load([exports], into: store, &random)
        try store.checkIntegrity(rows: nil)
        try store.close()
        return (try folder.read("whole.sqlite"), last)
    }

    /// Damage must not look like another key, a newer version or the file of another program, which have other remedies.
    @Test(arguments: [
        "UPDATE store SET key_fingerprint = '01'",
        "UPDATE grdb_migrations SET identifier = '5 releasea' WHERE identifier = '5 releases'",
        "UPDATE grdb_migrations SET identifier = '' WHERE identifier LIKE '9%'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = 'stora' WHERE name = 'store'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'tabla' WHERE name = 'trips'",
    ])
    func damageLooksLikeNothingElse(sql: String) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let path = try folder.write(site(folder).bytes, to: "damaged.sqlite")
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
            try queue.close()
            func isDamaged(_ body: () throws -> Void) -> Bool {
                do {
                    try body()
                } catch StoreError.damaged {
                    return true
                } catch {
                    Issue.record("\(error)")
                }
                return false
            }
            #expect(isDamaged { _ = try TripStore(path: path, identity: Self.identity) })
            // A reader does not compare the key.
            if !sql.contains("key_fingerprint") { #expect(isDamaged { _ = try TripStore(reading: path) }) }
        }
    }

    @Test func aNightOnDamagedBytesEndsWithTheSameFiguresOrSaysDamaged() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let (whole, export) = try site(folder)
            let right = try night(try folder.write(whole, to: "right.sqlite"), export)
            var random = SplitMix64(seed: 12)
            var found = 0
            for number in 0..<FuzzPlan.iterations(200) {
                var bytes = whole
                let place = Int.random(in: 0..<whole.count, using: &random)
                switch number % 4 {
                case 0, 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2:
                    for index in place..<min(place + Int.random(in: 1...64, using: &random), whole.count) {
                        bytes[index] = UInt8.random(in: .min ... .max, using: &random)
                    }
                default: for index in place..<min(place + 512, whole.count) { bytes[index] = 0 }
                }
                let path = try folder.write(bytes, to: "damaged.sqlite")
                defer {
                    for end in ["", "-wal", "-shm", "-journal"] {
                        try? FileManager.default.removeItem(atPath: path + end)
                    }
                }
                do {
                    let figures = try night(path, export)
                    #expect(figures == right, "number \(number), byte \(place)")
                } catch let error as StoreError {
                    if case .damaged = error { found += 1 }
                    if case .inconsistent = error { Issue.record("number \(number), byte \(place): \(error)") }
                }
            }
            #expect(found > 20)
        }
    }

    @Test(arguments: [
        "UPDATE trips SET cost_cents = cost_cents + 100 WHERE cost_cents IS NOT NULL",
        "UPDATE trips SET month = 5000000 WHERE (key_high, key_low) IN (SELECT key_high, key_low FROM trips LIMIT 1)",
        "UPDATE trips SET status = 200", "UPDATE trips SET warnings = 4000000000", "UPDATE trips SET day = day + 100",
        "UPDATE trips SET cost_cents = 9223372036854775807", "UPDATE trips SET response = 2000000000",
        "UPDATE trips SET region = 250", "UPDATE trips SET updated_at = 77",
        "DELETE FROM trips WHERE (key_high, key_low) IN (SELECT key_high, key_low FROM trips LIMIT 1)",
        "DELETE FROM older_versions", "UPDATE older_versions SET is_copy = is_copy, response = 3",
        "UPDATE regions SET name = 'Nroth' WHERE code = 1", "UPDATE exports SET records_read = records_read + 1",
        "UPDATE exports SET as_of = as_of + 1", "DELETE FROM store", "UPDATE store SET trips = trips + 1",
        "INSERT INTO exports SELECT 9000000000, 'x', label, source, as_of, 0, 1, '', '', '', 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL, NULL FROM exports LIMIT 1",
        "UPDATE month_tallies SET body = x'00'", "UPDATE month_tallies SET body = substr(body, 1, 40)",
        "UPDATE cost_lines SET cost_cents = cost_cents + 1", "UPDATE cost_lines SET cost_cents = 9223372036854775807",
        "UPDATE cost_lines SET region = region + 300", "UPDATE cost_lines SET provider_id = 5",
        "DELETE FROM cost_lines",
        "DELETE FROM row_digests",
        "UPDATE row_digests SET high = high + 1 WHERE part = (SELECT MIN(part) FROM row_digests)",
    ])
    func whatNoRunHasWrittenIsDamage(sql: String) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let (whole, export) = try site(folder)
            let path = try folder.write(whole, to: "changed.sqlite")
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
            do {
                _ = try night(path, export)
                Issue.record("nothing was found")
            } catch StoreError.damaged {
            }
        }
    }

    /// SQLite reads the cells of a page in the order of its cell pointers, whatever their keys are.
    @Test(arguments: ["row_digests", "month_tallies", "exports", "trips"])
    func cellPointersInReverseAreDamage(table: String) throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            var (bytes, export) = try site(folder, isSpread: true)
            let queue = try DatabaseQueue(path: folder.path(of: "whole.sqlite"))
            let root = try queue.read {
                try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
            }
            try queue.close()
            let whole = bytes, pageSize = word(16)
            func word(_ place: Int) -> Int { Int(whole[place]) << 8 | Int(whole[place + 1]) }
            var page = (try #require(root) - 1) * pageSize
            // An interior page has a header of 12 bytes, and its first cell begins with the number of a page below it.
            while whole[page] < 10 {
                let cell = page + word(page + 12)
                page = ((word(cell) << 16 | word(cell + 2)) - 1) * pageSize
            }
            let cells = word(page + 3), pointers = page + 8
            try #require(cells > 1)
            for cell in 0..<cells {
                let other = pointers + 2 * (cells - 1 - cell)
                bytes.replaceSubrange(pointers + 2 * cell..<pointers + 2 * cell + 2, with: whole[other..<other + 2])
            }
            let path = try folder.write(bytes, to: "damaged.sqlite")
            let error = #expect(throws: StoreError.self) { _ = try night(path, export) }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    /// A store of an earlier version has no digests. It gets them, and then it is as any other.
    @Test func aStoreOfAnEarlierVersionGetsItsDigests() throws {
        try TemporaryFolder.with(inMemory: true) { folder in
            let (whole, export) = try site(folder)
            let right = try night(try folder.write(whole, to: "right.sqlite"), export)
            let path = try folder.write(whole, to: "old.sqlite")
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                try db.execute(sql: "DROP TABLE row_digests; DROP TABLE ledger_digest")
                try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '4 digests'")
            }
            try queue.close()
            #expect(try night(path, export) == right)
            let after = try DatabaseQueue(path: path).read { db in
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM row_digests, ledger_digest")
            }
            #expect((after ?? 0) > 0)
        }
    }

    /// A store too large to be checked whole each night finds damage in the rows that a correction takes out.
    @Test func rowsThatACorrectionTakesOutAreCheckedInAnyStore() throws {
        try TemporaryFolder.with { folder in
            let (whole, export) = try site(folder)
            let path = try folder.write(whole, to: "damaged.sqlite")
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: "UPDATE trips SET day = day, region = 1 - region WHERE region < 2") }
            try queue.close()
            var random = SplitMix64(seed: 1)
            let store = try TripStore(path: path, identity: Self.identity, isDurable: false)
            let error = #expect(throws: StoreError.self) {
                try StoreFixture.load([[export]], into: store, &random)
            }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    private func release(_ month: Month) -> StoredRelease {
        StoredRelease(
            month: month, releasedAt: 1, rulesVersion: "0", partition: [1, 2], tally: Array(0..<16),
            maximumIntervalSeconds: 86_400)
    }

    @Test(arguments: [
        "UPDATE releases SET month = 9999999999", "UPDATE releases SET partition = x'00'", "DELETE FROM releases",
        "UPDATE releases SET rules_version = '1'", "UPDATE releases SET tally = x'00'",
    ])
    func aChangedReleaseIsDamage(sql: String) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(site(folder).bytes, to: "store.sqlite")
            let store = try TripStore(path: path, identity: Self.identity, isDurable: false)
            try store.add([release(Month(year: 2024, month: 1))])
            try store.checkIntegrity()
            try store.close()
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
            let damaged = try TripStore(path: path, identity: Self.identity, isDurable: false)
            let error = #expect(throws: StoreError.self) { try damaged.checkIntegrity() }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            if sql.contains("9999999999") { #expect(throws: StoreError.self) { try damaged.releases() } }
        }
    }

    /// A store from before there were releases, or revisions: readers ask for a run, and the run takes it up as it is.
    @Test(arguments: [
        ["DROP TABLE releases", "DELETE FROM grdb_migrations WHERE identifier LIKE '5 %'"],
        [
            "ALTER TABLE releases DROP COLUMN revised_at", "ALTER TABLE releases DROP COLUMN maximum_interval_seconds",
            "ALTER TABLE releases DROP COLUMN is_frozen",
        ],
    ])
    func aStoreOfAnEarlierVersionIsBroughtUpToDate(statements: [String]) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(site(folder).bytes, to: "store.sqlite")
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in
                let newest = [
                    "DROP TABLE cost_lines", "DELETE FROM grdb_migrations WHERE identifier LIKE '11 %'",
                    // It covers the costs by line.
                    "DELETE FROM ledger_digest", "DROP TABLE release_changes", "DROP TABLE revisions",
                    "DELETE FROM grdb_migrations WHERE identifier LIKE '6 %'", "DROP TABLE retention",
                    "DROP TABLE removed_trips", "DROP TABLE removed_patients", "DROP TABLE staff_sets",
                    "DELETE FROM grdb_migrations WHERE identifier LIKE '20 %'",
                    "DELETE FROM grdb_migrations WHERE identifier LIKE '21 %'",
                    "DELETE FROM grdb_migrations WHERE identifier LIKE '22 %'",
                ]
                for sql in newest + statements { try db.execute(sql: sql) }
            }
            try queue.close()
            #expect(throws: StoreError.tooOld(path: path)) { try TripStore(reading: path) }
            let store = try TripStore(path: path, identity: Self.identity, isDurable: false)
            try store.checkIntegrity()
            #expect(try store.releases().isEmpty)
            #expect(try store.staleMonths().isEmpty == statements[0].contains("COLUMN"))
            try store.refreshTallies(try store.session(shape: StoreFixture.shape), workers: 1)
            #expect(try store.staleMonths().isEmpty)
            try store.checkIntegrity(rows: nil)
        }
    }

    /// Who reads rows of a store that is too large to be checked whole checks those of the months read.
    @Test(arguments: [
        ("UPDATE trips SET cost_cents = cost_cents + 1 WHERE month = LAST AND cost_cents IS NOT NULL", true),
        ("UPDATE trips SET provider_id = provider_id + 1 WHERE month = LAST", true),
        ("UPDATE trips SET month = LAST + 1 WHERE month < LAST", true),
        ("UPDATE trips SET cost_cents = 7 WHERE month < LAST", false),
    ])
    func rowsOfMonthsAreChecked(sql: String, isFound: Bool) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(site(folder).bytes, to: "store.sqlite")
            let queue = try DatabaseQueue(path: path)
            let last = try queue.read { try Int32.fetchOne($0, sql: "SELECT MAX(month) FROM trips") ?? 0 }
            try queue.write { try $0.execute(sql: sql.replacing("LAST", with: "\(last)")) }
            try queue.close()
            let store = try TripStore(reading: path)
            let months = Month(index: last)...Month(index: last + 1)
            guard isFound else { return try store.checkRows(of: [months]) }
            let error = #expect(throws: StoreError.self) { try store.checkRows(of: [months]) }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    // MARK: - Migration 7

    /// The digests of each table by slice number.
    private func rowDigests(_ path: String) throws -> [Int64: SIMD3<Int64>] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { db in
            var digests: [Int64: SIMD3<Int64>] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT part, row_count, high, low FROM row_digests") {
                digests[row[0]] = SIMD3(row[1], row[2], row[3])
            }
            return digests
        }
    }

    /// Turns a store into one of before migration 7: row digests in 16 slices a month instead of 2,048.
    private func useSixteenSlices(_ path: String) throws {
        var wide: [Int64: SIMD3<Int64>] = [:]
        for (number, digest) in try rowDigests(path) {
            let section = number >= 0 ? number / 2048 : number >= -2048 ? -1 : -2
            wide[section * 16 + (number - section * 2048) / 128, default: .zero] &+= digest
        }
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '7 %'; DELETE FROM row_digests")
            for (number, digest) in wide {
                try db.execute(
                    sql: "INSERT INTO row_digests VALUES (?, ?, ?, ?)",
                    arguments: [number, digest[0], digest[1], digest[2]])
            }
        }
        try queue.close()
    }

    /// A store with a row in each table of trip versions.
    private func wholeStore(_ folder: TemporaryFolder) throws -> String {
        let (bytes, export) = try site(folder)
        let path = try folder.write(bytes, to: "store.sqlite")
        let store = try TripStore(path: path, identity: Self.identity, isDurable: false)
        try store.add([release(Month(year: 2025, month: 1))], excluding: [export.trips[0]])
        try store.close()
        return path
    }

    @Test func theRowDigestsOfAnEarlierVersionAreDivided() throws {
        try TemporaryFolder.with { folder in
            let path = try wholeStore(folder)
            let digests = try rowDigests(path)
            #expect(digests.keys.contains { $0 < -2048 } && digests.keys.contains { -2048..<0 ~= $0 })
            try useSixteenSlices(path)
            #expect(throws: StoreError.tooOld(path: path)) { try TripStore(reading: path) }
            let store = try TripStore(path: path, identity: Self.identity, isDurable: false)
            try store.checkIntegrity(rows: nil)
            try store.close()
            #expect(try rowDigests(path) == digests)
        }
    }

    @Test(arguments: [
        "UPDATE trips SET cost_cents = cost_cents + 100 WHERE cost_cents IS NOT NULL",
        "DELETE FROM older_versions WHERE key_high = (SELECT MIN(key_high) FROM older_versions)",
        "UPDATE release_changes SET day = day + 1",
        "UPDATE row_digests SET high = high - 1 WHERE part = (SELECT MIN(part) FROM row_digests)",
    ])
    func damageIsFoundWhenTheRowDigestsAreDivided(sql: String) throws {
        try TemporaryFolder.with { folder in
            let path = try wholeStore(folder)
            try useSixteenSlices(path)
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
            let digests = try rowDigests(path)
            let error = #expect(throws: StoreError.self) {
                try TripStore(path: path, identity: Self.identity, isDurable: false)
            }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try rowDigests(path) == digests)
        }
    }
}
