import Foundation
import GRDB
import TestSupport
import Testing

/// Queries and checks by the program, on a store that it made and published.
@Suite struct StoreQueryTests {
    private let fixture: CommandFixture

    init() throws {
        fixture = try CommandFixture()
    }

    /// A folder after a run over the sample: inbox, store, reports.
    private func withSite(_ body: (TemporaryFolder) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let sample = Array(try Data(contentsOf: URL(fileURLWithPath: CommandFixture.sample)))
            try folder.write(sample, to: "inbox/sample.csv")
            let run = try fixture.run(["run", "--zone", "America/New_York", "--quiet"], in: folder.url)
            #expect(run.status == 0, "\(run.stderrText)")
            try body(folder)
        }
    }

    private func names(_ folder: borrowing TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "store")).sorted()
    }

    /// Statements, and a word of the message that refuses them.
    private static let refused = [
        ("INSERT INTO stg_trips (month) VALUES ('2026-01')", "INSERT"), ("UPDATE stg_trips SET month = 'x'", "UPDATE"),
        ("DELETE FROM stg_trips", "DELETE"), ("DELETE FROM trips", "no such table"), ("DROP TABLE trips", ""),
        ("DROP VIEW stg_trips", ""), ("CREATE TABLE a (b)", "schema"), ("ATTACH 'other.sqlite' AS other", "ATTACH"),
        ("PRAGMA writable_schema = ON", "PRAGMA"), ("PRAGMA journal_mode = DELETE", "PRAGMA"), ("VACUUM", ""),
        ("VACUUM INTO 'copy.sqlite'", ""), ("SELECT load_extension('x.so')", "load_extension"),
        ("SELECT writefile('x', 'y')", "writefile"), ("SELECT * FROM trips", "no such table"),
        ("SELECT patient FROM main.trips", "no such table"), ("SELECT value FROM texts", "no such table"),
        ("SELECT sql FROM sqlite_schema", "sqlite_"), ("SELECT patient FROM stg_trips", "patient"),
        ("SELECT month FROM stg_trips; DROP TABLE trips", "more than one"), ("SELECT 1; SELECT 2", "more than one"),
    ]

    @Test func whatIsNoSelectOverTheViewsIs64AndChangesNothing() throws {
        try withSite { folder in
            let before = try folder.read("store/tripkpi.sqlite")
            let files = try names(folder)
            for (sql, reason) in Self.refused {
                let result = try fixture.run(["query", "--sql", sql, "--internal"], in: folder.url)
                #expect(result.status == 64, "\(sql): \(result.stderrText)")
                #expect(result.stdout.isEmpty, "\(sql)")
                #expect(reason.isEmpty || result.stderrText.contains(reason), "\(sql): \(result.stderrText)")
            }
            #expect(try folder.read("store/tripkpi.sqlite") == before)
            #expect(try names(folder) == files)
        }
    }

    @Test func aNamedQueryIsNoTable() throws {
        try withSite { folder in
            let named = try fixture.run(["query", "--sql", "SELECT * FROM kpi_cells", "--internal"], in: folder.url)
            #expect(named.status == 64)
            #expect(
                named.stderrText.contains(
                    "“kpi_cells” is a named query and no table: run it with `tripkpi query kpi_cells"))
            #expect(named.stderrText.contains("stg_trips"))
            let other = try fixture.run(["query", "--sql", "SELECT * FROM cells", "--internal"], in: folder.url)
            #expect(other.stderrText.contains("the views are stg_") && !other.stderrText.contains("named query"))
        }
    }

    @Test func questionsAreAnsweredAndLeaveNothingBehind() throws {
        try withSite { folder in
            let files = try names(folder)
            let check = try fixture.run(["query", "--check"], in: folder.url)
            #expect(check.status == 0, "\(check.stdoutText)\(check.stderrText)")
            for arguments in [
                ["query", "kpi_cells", "--param", "month=All"], ["query", "export_ledger", "--format", "json"],
                ["query", "--sql", "SELECT COUNT(*) AS trips FROM stg_trips"],
            ] {
                let result = try fixture.run(arguments + ["--internal"], in: folder.url)
                #expect(result.status == 0, "\(result.stderrText)")
                #expect(result.stdoutText.contains("INTERNAL"))
            }
            #expect(try fixture.run(["run", "--dry-run"], in: folder.url).status == 0)
            #expect(try names(folder) == files)
            #expect(files == ["tripkpi.sqlite", "tripkpi.sqlite.key", "tripkpi.sqlite.lock"])
        }
    }

    @Test func aSetIsCheckedAgainstItsStoreUnlessThatHasChanged() throws {
        try withSite { folder in
            let files = try names(folder)
            let sound = try fixture.run(["verify"], in: folder.url)
            #expect(sound.status == 0, "\(sound.stdoutText)\(sound.stderrText)")
            for subject in ["store", "checks", "tallies", "SQL"] {
                #expect(sound.stdoutText.contains("ok    \(subject): "), "\(sound.stdoutText)")
            }
            #expect(try names(folder) == files)
            let sample = try String(contentsOfFile: CommandFixture.sample, encoding: .utf8)
            try folder.write(sample.replacing(",completed,", with: ",cancelled,", maxReplacements: 1), to: "later.csv")
            let load = try fixture.run(["load", "later.csv", "--zone", "America/New_York"], in: folder.url)
            #expect(load.status == 0, "\(load.stderrText)")
            let moved = try fixture.run(["verify"], in: folder.url)
            #expect(moved.status == 0, "\(moved.stdoutText)")
            #expect(moved.stdoutText.contains("ok    store: it has moved on"))
            #expect(!moved.stdoutText.contains("SQL:"))
        }
    }

    @Test(arguments: [
        (
            "UPDATE trips SET cost_cents = cost_cents + 100 WHERE status = 0 AND cost_cents > 0",
            ["store", "SQL", "tallies"]
        ),
        ("UPDATE trips SET response = 60 WHERE status = 0", ["store", "SQL", "tallies"]),
        ("UPDATE month_tallies SET body = x'00'", ["store", "tallies"]),
        ("UPDATE month_tallies SET is_stale = 1", ["checks", "tallies"]),
        ("UPDATE exports SET records_rejected = records_rejected + 1", ["store", "checks"]),
        ("DELETE FROM trips WHERE month = (SELECT MIN(month) FROM trips)", ["store", "checks", "SQL", "tallies"]),
    ])
    func whatWasChangedInTheStoreSinceIsFound(sql: String, subjects: [String]) throws {
        try withSite { folder in
            let store = try DatabaseQueue(path: folder.path(of: "store/tripkpi.sqlite"))
            try store.write { try $0.execute(sql: sql) }
            try store.close()
            let result = try fixture.run(["verify"], in: folder.url)
            #expect(result.status == 65, "\(result.stdoutText)\(result.stderrText)")
            for subject in ["store", "checks", "SQL", "tallies"] {
                #expect(
                    result.stdoutText.contains("fail  \(subject): ") == subjects.contains(subject),
                    "\(subject): \(result.stdoutText)")
            }
        }
    }

    @Test func theStoreAndTheSetsAreWhereTheSettingsSay() throws {
        try withSite { folder in
            try folder.write("store: a/b.sqlite\nreports: c\n", to: "tripkpi.yaml")
            for arguments in [["query", "kpi_cells", "--internal"], ["verify", "--digest"]] {
                let missing = try fixture.run(arguments, in: folder.url)
                #expect(missing.status == 66)
                #expect(missing.stderrText.contains("a/b.sqlite"))
            }
            let unpublished = try fixture.run(["verify"], in: folder.url)
            #expect(unpublished.status == 66)
            #expect(unpublished.stderrText.contains("/c"))
            let alone = try fixture.run(["verify", "--reports", "reports/published"], in: folder.url)
            #expect(alone.status == 0)
            #expect(alone.stderrText.contains("only the set itself was checked"))
        }
    }

    @Test func theDigestIsOfTheContentAndNothingElseIsPrinted() throws {
        try withSite { folder in
            let first = try fixture.run(["verify", "--digest"], in: folder.url)
            #expect(first.status == 0)
            #expect(first.stdoutText.wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
            let other = try fixture.run(
                [
                    "load", "inbox/sample.csv", "--store", "other.sqlite", "--key-file", "store/tripkpi.sqlite.key",
                    "--zone", "America/New_York", "--new-store",
                ], in: folder.url)
            #expect(other.status == 0, "\(other.stderrText)")
            let second = try fixture.run(["verify", "--digest", "--store", "other.sqlite"], in: folder.url)
            #expect(second.stdout == first.stdout)
        }
    }

    /// The digests of rows and tallies find changes that no view shows.
    @Test(arguments: [
        "UPDATE trips SET cost_cents = cost_cents + 1 WHERE cost_cents IS NOT NULL",
        "UPDATE trips SET patient = patient + 1 WHERE patient IS NOT NULL",
        "DELETE FROM row_digests", "UPDATE month_tallies SET body = substr(body, 1, 40)",
        "UPDATE regions SET name = 'Nroth' WHERE code = 1",
    ])
    func checksOfADamagedStoreEndWith74(sql: String) throws {
        try withSite { folder in
            #expect(try fixture.run(["query", "--check"], in: folder.url).status == 0)
            let store = try DatabaseQueue(path: folder.path(of: "store/tripkpi.sqlite"))
            try store.write { try $0.execute(sql: sql) }
            try store.close()
            let check = try fixture.run(["query", "--check"], in: folder.url)
            #expect(check.status == 74, "\(check.stdoutText)\(check.stderrText)")
            #expect(check.stderrText.contains("the store is damaged") && check.stderrText.contains("Put a backup"))
        }
    }
}
