import GRDB
import Trips

/// The tables of the store. A change of them is a new migration at the end; existing migrations never change.
enum StoreSchema {
    /// The table that lists the migrations of a store, as GRDB's `DatabaseMigrator` names it.
    static let migrationTable = "grdb_migrations"

    private static let migrations: [(name: String, run: @Sendable (Database) throws -> Void)] = [
        ("1 trips, ledger, tallies", { try $0.execute(sql: version1) }),
        ("2 public ids", { try $0.execute(sql: version2) }),
        ("3 crosswalk", { try $0.execute(sql: version3) }),
        (
            "4 digests",
            { db in
                try db.execute(sql: version4)
                try RowDigests.rebuild(db)
            }
        ),
        ("5 releases", { try $0.execute(sql: version5) }),
        ("6 revisions", { try $0.execute(sql: version6) }),
        ("7 smaller parts", RowDigests.divide),
        ("8 columns of exports", { try $0.execute(sql: version8) }),
        ("9 warnings of exports", { try $0.execute(sql: version9) }),
        ("10 events", { try $0.execute(sql: version10) }),
        ("11 costs by line", CostLines.make),
        ("12 costs of trips not run", { try $0.execute(sql: version12) }),
        ("13 merged records", { try $0.execute(sql: version13) }),
        ("14 times of files, shares of costs", { try $0.execute(sql: version14) }),
        ("15 parts of trips, details of failures", { try $0.execute(sql: version15) }),
        ("16 tallies by sourcing", { try $0.execute(sql: version12) }),
        ("17 changes of inbox files", { try $0.execute(sql: version17) }),
        ("18 audit log", { try $0.execute(sql: version18) }),
        ("19 shown rows", { try $0.execute(sql: version19) }),
        ("20 removals", { try $0.execute(sql: version20) }),
        ("21 times of removals", { try $0.execute(sql: version21) }),
        ("22 numbers of removals", { try $0.execute(sql: version22) }),
        ("23 rows of workbooks", { try $0.execute(sql: version23) }),
    ]

    /// Runs the missing migrations in the caller's transaction. (`DatabaseMigrator` commits each by itself: a kill would
    /// leave a store of some version in between.)
    static func migrate(_ db: Database) throws {
        let applied = try applied(db)
        guard try isOlder(db) else { return }
        // A migration changes what the digest covers, so the digest is verified before.
        let isFinished = try db.tableExists("ledger_digest") && LedgerDigest.verify(db)
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS \(migrationTable) (identifier TEXT NOT NULL PRIMARY KEY)")
        for migration in migrations where !applied.contains(migration.name) {
            try migration.run(db)
            try db.execute(sql: "INSERT INTO \(migrationTable) VALUES (?)", arguments: [migration.name])
        }
        if isFinished { try LedgerDigest.write(db) }
    }

    static func applied(_ db: Database) throws -> Set<String> {
        guard try db.tableExists(migrationTable) else { return [] }
        return Set(try String.fetchAll(db, sql: "SELECT identifier FROM \(migrationTable)"))
    }

    /// Whether an earlier version of tripkpi made the tables: the next run migrates them.
    static func isOlder(_ db: Database) throws -> Bool { try !applied(db).isSuperset(of: migrations.map(\.name)) }

    /// Whether a later version of tripkpi has changed the tables.
    ///
    /// - Throws: `StoreDamage` if a migration of this version is missing beside one that it does not know: a later version
    ///   has all of them.
    static func isNewer(_ db: Database) throws -> Bool {
        let applied = try applied(db), known = migrations.map(\.name)
        if applied.isSubset(of: known) { return false }
        guard applied.isSuperset(of: known) else {
            throw StoreDamage(detail: "its list of migrations is of no version")
        }
        return true
    }

    private static let version1 = """
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            key_fingerprint TEXT NOT NULL,
            rules_name TEXT NOT NULL, rules_version TEXT NOT NULL,
            -- Of rows of older_versions: kept here because counting them takes long.
            trips INTEGER NOT NULL, copies INTEGER NOT NULL, superseded INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE texts (text_id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE regions (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE trip_types (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE calendar (
            month INTEGER PRIMARY KEY, month_text TEXT NOT NULL UNIQUE, year INTEGER NOT NULL,
            month_of_year INTEGER NOT NULL, fiscal_year INTEGER NOT NULL, first_day INTEGER NOT NULL,
            last_day INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE exports (
            export_id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, label TEXT NOT NULL, source TEXT NOT NULL,
            as_of INTEGER NOT NULL, is_dated_by_name INTEGER NOT NULL, bytes INTEGER NOT NULL,
            profile_version TEXT NOT NULL, date_basis TEXT NOT NULL, interval_pairs TEXT NOT NULL, maximum_interval_seconds INTEGER NOT NULL, loaded_at INTEGER NOT NULL,
            records_read INTEGER NOT NULL, records_skipped INTEGER NOT NULL, records_rejected INTEGER NOT NULL,
            copies_inside INTEGER NOT NULL, superseded_inside INTEGER NOT NULL, trips INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE trips (
            \(TripColumns.declarations), PRIMARY KEY (month, key_high, key_low)
        ) STRICT, WITHOUT ROWID;
        \(keyIndex);
        CREATE TABLE older_versions (
            \(TripColumns.declarations), is_copy INTEGER NOT NULL, PRIMARY KEY (key_high, key_low, export_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE rejects (
            export_id INTEGER NOT NULL, reason TEXT NOT NULL, records INTEGER NOT NULL,
            PRIMARY KEY (export_id, reason)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE reject_places (
            export_id INTEGER NOT NULL, record_number INTEGER NOT NULL, byte_offset INTEGER NOT NULL, field TEXT,
            reason TEXT NOT NULL, shape TEXT, PRIMARY KEY (export_id, byte_offset, record_number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE failed_exports (
            sha256 TEXT PRIMARY KEY, label TEXT NOT NULL, source TEXT NOT NULL, reason TEXT NOT NULL,
            records_read INTEGER NOT NULL, records_rejected INTEGER NOT NULL, bytes INTEGER NOT NULL,
            first_seen INTEGER NOT NULL, last_tried INTEGER NOT NULL, profile_version TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE waivers (
            sha256 TEXT PRIMARY KEY, reason TEXT NOT NULL, waived_by TEXT NOT NULL, waived_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- Passed over by runs. Of the past, not of what the store says: in no digest and nothing published.
        CREATE TABLE withdrawn_exports (
            sha256 TEXT PRIMARY KEY, withdrawn_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE month_tallies (month INTEGER PRIMARY KEY, is_stale INTEGER NOT NULL, body BLOB) STRICT;
        CREATE TABLE inbox_files (
            path_hash TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified_ns INTEGER NOT NULL, inode INTEGER NOT NULL,
            sha256 TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO regions VALUES (0, '\(NamedList.unassigned)');
        INSERT INTO trip_types VALUES (0, '\(NamedList.unassigned)');
        """

    /// Public ids of trips that were published row by row. They are random and in no digest. The id of a removed trip
    /// stays, so that it is the same when the trip is loaded again.
    private static let version2 = """
        CREATE TABLE public_ids (
            key_high INTEGER NOT NULL, key_low INTEGER NOT NULL, id_high INTEGER NOT NULL, id_low INTEGER NOT NULL,
            PRIMARY KEY (key_high, key_low), UNIQUE (id_high, id_low)
        ) STRICT, WITHOUT ROWID;
        """

    /// `CrosswalkMark`; empty while the crosswalk is off.
    private static let version3 = """
        CREATE TABLE crosswalk (
            id INTEGER PRIMARY KEY CHECK (id = 1), file_id TEXT NOT NULL, byte_count INTEGER NOT NULL,
            tag TEXT NOT NULL
        ) STRICT;
        """

    /// `RowDigests` and `LedgerDigest`, which reveal damage. They are in no digest themselves.
    private static let version4 = """
        CREATE TABLE row_digests (
            part INTEGER PRIMARY KEY, row_count INTEGER NOT NULL, high INTEGER NOT NULL, low INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE ledger_digest (
            id INTEGER PRIMARY KEY CHECK (id = 1), high INTEGER NOT NULL, low INTEGER NOT NULL
        ) STRICT;
        """

    /// Months as they were released. All tallies become stale, because their form now counts the patients of each
    /// population: the next run makes them again from the rows.
    private static let version5 = """
        CREATE TABLE releases (
            month INTEGER PRIMARY KEY, released_at INTEGER NOT NULL, rules_version TEXT NOT NULL,
            partition BLOB NOT NULL, tally BLOB NOT NULL
        ) STRICT;
        UPDATE month_tallies SET is_stale = 1, body = NULL;
        """

    /// Trips of released months as they were released (`ReleaseChange`), and the revisions of the release.
    private static let version6 = """
        CREATE TABLE release_changes (
            \(TripColumns.declarations), PRIMARY KEY (key_high, key_low, month, status, region, trip_type)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE revisions (
            revised_at INTEGER PRIMARY KEY, months INTEGER NOT NULL, groups INTEGER NOT NULL, pending INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE releases ADD COLUMN revised_at INTEGER;
        ALTER TABLE releases ADD COLUMN maximum_interval_seconds INTEGER NOT NULL DEFAULT 0;
        """

    /// `LoadedColumns`; none of an export that an earlier version loaded.
    private static let version8 = """
        CREATE TABLE export_columns (
            export_id INTEGER PRIMARY KEY, series TEXT NOT NULL, columns TEXT NOT NULL
        ) STRICT;
        CREATE INDEX export_columns_by_series ON export_columns (series);
        """

    /// `WarnedExport`; none of an export that an earlier version loaded.
    private static let version9 = """
        CREATE TABLE warnings (
            export_id INTEGER NOT NULL, code TEXT NOT NULL, records INTEGER NOT NULL, PRIMARY KEY (export_id, code)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE warning_places (
            export_id INTEGER NOT NULL, code TEXT NOT NULL, record_number INTEGER NOT NULL,
            byte_offset INTEGER NOT NULL, field TEXT, shape TEXT, PRIMARY KEY (export_id, code, byte_offset, record_number)
        ) STRICT, WITHOUT ROWID;
        """

    /// Counts of events. `event_releases` are the counts of released months as they were released.
    private static let version10 = """
        CREATE TABLE event_exports (
            export_id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, label TEXT NOT NULL, source TEXT NOT NULL,
            exported_at INTEGER NOT NULL, bytes INTEGER NOT NULL, profile_version TEXT NOT NULL, is_complete INTEGER NOT NULL,
            loaded_at INTEGER NOT NULL, records_read INTEGER NOT NULL, records_rejected INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE event_counts (
            export_id INTEGER NOT NULL, month TEXT NOT NULL, region TEXT NOT NULL, kind TEXT NOT NULL,
            is_evacuation INTEGER NOT NULL, events INTEGER NOT NULL,
            PRIMARY KEY (export_id, month, region, kind, is_evacuation)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE event_rejects (
            export_id INTEGER NOT NULL, reason TEXT NOT NULL, records INTEGER NOT NULL,
            PRIMARY KEY (export_id, reason)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE event_releases (
            month TEXT NOT NULL, region TEXT NOT NULL, kind TEXT NOT NULL, is_evacuation INTEGER NOT NULL,
            events INTEGER NOT NULL, PRIMARY KEY (month, region, kind, is_evacuation)
        ) STRICT, WITHOUT ROWID;
        """

    /// The form of tallies has changed: the next run makes them again from the rows.
    private static let version12 = "UPDATE month_tallies SET is_stale = 1, body = NULL;"

    /// Records of an export that are part of a trip beside the first of them.
    private static let version13 = "ALTER TABLE exports ADD COLUMN records_merged INTEGER NOT NULL DEFAULT 0"

    /// `ExportRecord.modifiedNs`, `completedTrips` and `costedTrips`: 0 and none of an export that an earlier version loaded.
    private static let version14 = """
        ALTER TABLE exports ADD COLUMN modified_ns INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE exports ADD COLUMN completed_trips INTEGER;
        ALTER TABLE exports ADD COLUMN costed_trips INTEGER;
        """

    /// `WholeTrip`: versions of parts, and the newest own version of a trip with parts as it was loaded (`is_own`). And
    /// `FailedExport.detail`.
    private static let version15 = """
        ALTER TABLE exports ADD COLUMN supplements TEXT;
        ALTER TABLE failed_exports ADD COLUMN detail TEXT;
        CREATE TABLE trip_parts (
            \(TripColumns.declarations), is_own INTEGER NOT NULL, PRIMARY KEY (key_high, key_low, export_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Of inbox files: the time of the last change, and when they were hashed. They are hashed again once.
    private static let version17 = """
        DROP TABLE inbox_files;
        CREATE TABLE inbox_files (
            path_hash TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified_ns INTEGER NOT NULL,
            changed_ns INTEGER NOT NULL, inode INTEGER NOT NULL, sha256 TEXT NOT NULL, hashed_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The last entry of the audit log at the end of a writer's session.
    private static let version18 = """
        CREATE TABLE audit_entry (id INTEGER PRIMARY KEY CHECK (id = 1), entry TEXT NOT NULL) STRICT;
        """

    /// Public ids of rows that were written of groups, not of all trips.
    ///
    /// And when a person last said that the clock is right.
    private static let version19 = """
        ALTER TABLE public_ids ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE accepted_clock (id INTEGER PRIMARY KEY CHECK (id = 1), accepted_at INTEGER NOT NULL) STRICT;
        """

    /// `KeptOut`, and whether an earlier version may have left deleted rows in free pages.
    private static let version20 = """
        CREATE TABLE retention (
            id INTEGER PRIMARY KEY CHECK (id = 1), first_month INTEGER, has_remains INTEGER NOT NULL,
            -- Whether published sets may have removed trips as rows.
            has_old_sets INTEGER NOT NULL
        ) STRICT;
        INSERT INTO retention SELECT 1, NULL, EXISTS (SELECT 1 FROM exports), 0;
        CREATE TABLE removed_trips (
            key_high INTEGER NOT NULL, key_low INTEGER NOT NULL, PRIMARY KEY (key_high, key_low)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE removed_patients (patient INTEGER PRIMARY KEY) STRICT;
        ALTER TABLE releases ADD COLUMN is_frozen INTEGER NOT NULL DEFAULT 0;
        """

    /// Times of removals, not known of what was removed until now. And `TripStore.clockDay`.
    private static let version21 = """
        ALTER TABLE retention ADD COLUMN removed_at INTEGER;
        ALTER TABLE retention ADD COLUMN named_removed_at INTEGER;
        ALTER TABLE retention ADD COLUMN clock_day INTEGER;
        UPDATE retention SET removed_at = \(Int.max), named_removed_at = \(Int.max)
            WHERE first_month IS NOT NULL OR EXISTS (SELECT 1 FROM removed_trips) OR EXISTS (SELECT 1 FROM removed_patients);
        UPDATE retention SET clock_day = (
            SELECT MAX(time) / 86400 FROM (SELECT MAX(loaded_at) AS time FROM exports
            UNION ALL SELECT MAX(hashed_at) FROM inbox_files)
        );
        ALTER TABLE retention DROP COLUMN has_old_sets;
        """

    /// `RemovalCounts`, of the store and of each staff set. Of a set that was made before nothing is known.
    private static let version22 = """
        ALTER TABLE retention ADD COLUMN month_removals INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE retention ADD COLUMN named_removals INTEGER NOT NULL DEFAULT 0;
        UPDATE retention SET month_removals = 1 WHERE removed_at IS NOT NULL AND first_month IS NOT NULL;
        UPDATE retention SET named_removals = 1 WHERE named_removed_at IS NOT NULL;
        ALTER TABLE retention DROP COLUMN removed_at;
        ALTER TABLE retention DROP COLUMN named_removed_at;
        CREATE TABLE staff_sets (
            manifest_sha256 TEXT PRIMARY KEY, month_removals INTEGER NOT NULL, named_removals INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// `SheetRow`; null where the export is no workbook, or an earlier version loaded it.
    private static let version23 = """
        ALTER TABLE reject_places ADD COLUMN sheet INTEGER;
        ALTER TABLE reject_places ADD COLUMN sheet_row INTEGER;
        ALTER TABLE warning_places ADD COLUMN sheet INTEGER;
        ALTER TABLE warning_places ADD COLUMN sheet_row INTEGER;
        """

    static let keyIndex = "CREATE UNIQUE INDEX trips_by_key ON trips (key_high, key_low)"
}
