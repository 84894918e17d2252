import Foundation
import GRDB
import Store
import TestSupport
import Testing
import Trips

/// A file in which no store was ever committed is no store yet: what a kill or a full disk leaves of making one.
@Suite struct UnfinishedStoreTests {
    private static let identity = TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0")
    private static let migrationTable = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

    private func file(_ folder: TemporaryFolder, _ statements: [String]) throws -> String {
        let path = folder.path(of: "store.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            for sql in statements { try db.execute(sql: sql) }
        }
        try queue.close()
        return path
    }

    private func expectNewStore(at path: String, _ step: String) throws {
        #expect(try TripStore.isAbsent(path), "\(step)")
        #expect(throws: StoreError.missing(path: path), "\(step)") { try TripStore(reading: path) }
        let store = try TripStore(path: path, identity: Self.identity, isDurable: false)
        #expect(try store.totals().trips == 0 && store.keyFingerprint() == "00", "\(step)")
        #expect(try !TripStore.isAbsent(path), "\(step)")
        try store.checkIntegrity(rows: nil)
    }

    /// What earlier versions committed one after the other, and a run of today in one transaction.
    @Test func everyStepOfMakingOneIsTakenUp() throws {
        let tables = try TemporaryFolder.with { folder in
            let path = folder.path(of: "whole.sqlite")
            try TripStore(path: path, identity: Self.identity, isDurable: false).close()
            return try DatabaseQueue(path: path).read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'grdb%'
                            AND name NOT IN ('public_ids', 'crosswalk', 'row_digests', 'ledger_digest', 'releases',
                                'release_changes', 'trip_parts', 'audit_entry', 'accepted_clock', 'retention', 'removed_trips', 'removed_patients', 'staff_sets', 'revisions', 'cost_lines', 'export_columns', 'export_columns_by_series', 'warnings', 'warning_places')
                            AND name NOT LIKE 'event%'
                        """)
            }
        }
        let first = "INSERT INTO grdb_migrations VALUES ('1 trips, ledger, tallies')"
        let lists = [
            "INSERT INTO regions VALUES (0, 'Unassigned')", "INSERT INTO trip_types VALUES (0, 'Unassigned')",
        ]
        let steps: [(String, [String])] = [
            ("header only", []), ("list of migrations", [Self.migrationTable]),
            ("first migration", [Self.migrationTable] + tables + lists + [first]),
        ]
        for (step, all) in steps {
            // Without the columns that later versions added.
            let later =
                /, (records_merged INTEGER NOT NULL DEFAULT 0|modified_ns INTEGER NOT NULL DEFAULT 0|completed_trips INTEGER|costed_trips INTEGER|supplements TEXT|detail TEXT|sheet INTEGER|sheet_row INTEGER)/
            let statements = all.map { $0.replacing(later, with: "") }
            try TemporaryFolder.with { try expectNewStore(at: file($0, statements), step) }
        }
        try TemporaryFolder.with { try expectNewStore(at: $0.write([], to: "store.sqlite"), "empty file") }
    }

    /// The whole of it is one transaction, so a copy at any instant is no store or a store.
    @Test func aFileOfAnotherProgramIsLeftAlone() throws {
        try TemporaryFolder.with { folder in
            let path = try file(folder, [Self.migrationTable, "CREATE TABLE notes (text TEXT)"])
            #expect(try !TripStore.isAbsent(path))
            #expect(throws: StoreError.notAStore(path: path)) { try TripStore(path: path, identity: Self.identity) }
            #expect(throws: StoreError.notAStore(path: path)) { try TripStore(reading: path) }
        }
    }
}
