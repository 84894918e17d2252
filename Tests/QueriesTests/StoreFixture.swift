import Basics
import Foundation
import GRDB
import Queries
import TestSupport
import Trips

/// A database with the store's tables, made by plain SQL, with made-up trips.
enum StoreFixture {
    static let queries = Repository.root.appendingPathComponent("queries").path

    /// What the staging views read of the store's schema, version 1.
    static let schema = """
        CREATE TABLE texts (text_id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE regions (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE trip_types (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE calendar (month INTEGER PRIMARY KEY, month_text TEXT NOT NULL UNIQUE, year INTEGER NOT NULL,
            month_of_year INTEGER NOT NULL, fiscal_year INTEGER NOT NULL, first_day INTEGER NOT NULL, last_day INTEGER NOT NULL) STRICT;
        CREATE TABLE exports (export_id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, label TEXT NOT NULL, source TEXT NOT NULL,
            as_of INTEGER NOT NULL, bytes INTEGER NOT NULL, profile_version TEXT NOT NULL, date_basis TEXT NOT NULL,
            loaded_at INTEGER NOT NULL, records_read INTEGER, records_skipped INTEGER, records_rejected INTEGER,
            copies_inside INTEGER, superseded_inside INTEGER, trips INTEGER, records_merged INTEGER NOT NULL DEFAULT 0,
            supplements TEXT) STRICT;
        CREATE TABLE trips (month INTEGER NOT NULL, key_high INTEGER NOT NULL, key_low INTEGER NOT NULL,
            export_id INTEGER NOT NULL, record_offset INTEGER NOT NULL, updated_at INTEGER, sequence INTEGER, day INTEGER NOT NULL,
            status INTEGER NOT NULL, region INTEGER NOT NULL, trip_type INTEGER NOT NULL, sourcing INTEGER NOT NULL,
            rule INTEGER NOT NULL, duration INTEGER NOT NULL, response INTEGER NOT NULL, turnout INTEGER NOT NULL,
            scene INTEGER NOT NULL, transport INTEGER NOT NULL, turnaround INTEGER NOT NULL, cost_cents INTEGER,
            loaded_hundredths INTEGER, unloaded_hundredths INTEGER, patient INTEGER, warnings INTEGER NOT NULL,
            provider_id INTEGER NOT NULL, provider_name INTEGER NOT NULL, contract_number INTEGER NOT NULL,
            hcpcs_code INTEGER NOT NULL, hcpcs_modifiers INTEGER NOT NULL, evidence INTEGER NOT NULL,
            PRIMARY KEY (month, key_high, key_low)) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX trips_by_key ON trips (key_high, key_low);
        CREATE TABLE older_versions (month INTEGER NOT NULL, key_high INTEGER NOT NULL, key_low INTEGER NOT NULL,
            export_id INTEGER NOT NULL, is_copy INTEGER NOT NULL, PRIMARY KEY (key_high, key_low, export_id)) STRICT, WITHOUT ROWID;
        CREATE TABLE trip_parts (month INTEGER NOT NULL, key_high INTEGER NOT NULL, key_low INTEGER NOT NULL,
            export_id INTEGER NOT NULL, is_own INTEGER NOT NULL, PRIMARY KEY (key_high, key_low, export_id)) STRICT, WITHOUT ROWID;
        CREATE TABLE rejects (export_id INTEGER NOT NULL, reason TEXT NOT NULL, records INTEGER NOT NULL,
            PRIMARY KEY (export_id, reason)) STRICT;
        CREATE TABLE event_exports (export_id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, source TEXT NOT NULL,
            exported_at INTEGER NOT NULL, is_complete INTEGER NOT NULL) STRICT;
        CREATE TABLE event_counts (export_id INTEGER NOT NULL, month TEXT NOT NULL, region TEXT NOT NULL, kind TEXT NOT NULL,
            is_evacuation INTEGER NOT NULL, events INTEGER NOT NULL) STRICT;
        CREATE TABLE month_tallies (month INTEGER PRIMARY KEY, is_stale INTEGER NOT NULL, body BLOB) STRICT;
        """

    /// Names, and two exports of which the first was loaded whole.
    static let names = """
        INSERT INTO event_exports VALUES (1, 'a', 'reports', 1, 1), (2, 'b', 'reports', 2, 1), (3, 'c', 'list', 1, 0);
        INSERT INTO event_counts VALUES (1, '2026-01', 'North', 'Flood', 1, 40), (2, '2026-01', 'North', 'Flood', 1, 3),
            (2, '2026-01', 'North', 'Flood', 0, 2), (3, '2026-02', 'South', 'Fire', 0, 1);
        INSERT INTO texts VALUES (1, 'hcpcs-qn'), (2, 'P-0001'), (3, 'Synthetic Ambulance'), (4, 'C-77'), (5, '=1+1');
        INSERT INTO regions VALUES (0, 'Unassigned'), (1, 'North'), (2, 'South');
        INSERT INTO trip_types VALUES (0, 'Unassigned'), (1, 'Routine');
        INSERT INTO exports VALUES (1, 'aa', 'trips-2026.csv', 'cad', 0, 1000, 'cad 1', 'local', 1767225600, 0, 0, 0, 0, 0, 0, 0, NULL);
        """

    /// Makes a store and gives its path.
    static func make(in folder: TemporaryFolder, _ fill: (Database) throws -> Void = { _ in }) throws -> String {
        let path = folder.path(of: "store.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(sql: schema)
            try database.execute(sql: names)
            for index in Month(year: 2026, month: 1).index...Month(year: 2026, month: 3).index {
                let month = Month(index: index)
                let next = month.advanced(by: 1)
                try database.execute(
                    sql: "INSERT INTO calendar VALUES (?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        index, month.description, month.year, month.month, month.fiscalYear,
                        CivilDay.days(year: month.year, month: month.month, day: 1),
                        CivilDay.days(year: next.year, month: next.month, day: 1) - 1,
                    ])
                try database.execute(sql: "INSERT INTO month_tallies VALUES (?, 0, NULL)", arguments: [index])
            }
            try fill(database)
        }
        try queue.close()
        return path
    }

    /// Puts the rows of a batch into `trips`, all of them of export 1, and says so in the ledger.
    static func insert(_ batch: TripBatch, into database: Database) throws {
        let marks = Array(repeating: "?", count: 30).joined(separator: ", ")
        for row in 0..<batch.count {
            let sourcing = batch.sourcing[row]
            var values: [(any DatabaseValueConvertible)?] = [
                batch.month[row], row, -row, 1, row * 100, nil, nil, batch.day[row], batch.status[row],
                batch.region[row], batch.tripType[row], sourcing, sourcing == 2 ? 0 : 1,
            ]
            for interval in batch.intervals { values.append(interval[row]) }
            for amounts in [batch.costCents, batch.loadedHundredths, batch.unloadedHundredths] {
                values.append(amounts[row] == AmountState.absent ? nil : amounts[row])
            }
            let patient = Int64(bitPattern: batch.patientHashes[row])
            values.append(patient == 0 ? nil : patient)
            values += [batch.warnings[row], 2, 3, row % 2 == 0 ? 4 : 0, 5, 0, 0]
            try database.execute(sql: "INSERT INTO trips VALUES (\(marks))", arguments: StatementArguments(values))
        }
        try database.execute(
            sql: "UPDATE exports SET records_read = ?, trips = ?", arguments: [batch.count, batch.count])
    }

    /// Trips of January to March 2026 with every kind of gap.
    static func batch(_ rows: Int, seed: UInt64) -> TripBatch {
        var random = SplitMix64(seed: seed)
        var batch = TripBatch(capacity: rows, textFields: [])
        batch.count = rows
        for row in 0..<rows {
            let day = CivilDay.days(year: 2026, month: 1, day: 1) + Int32.random(in: 0...80, using: &random)
            batch.day[row] = day
            batch.month[row] = CivilDay(daysSince1970: day).month.index
            batch.status[row] = [0, 0, 0, 1, 2, 3].randomElement(using: &random) ?? 0
            batch.region[row] = UInt8.random(in: 0...2, using: &random)
            batch.tripType[row] = UInt8.random(in: 0...1, using: &random)
            batch.sourcing[row] = UInt8.random(in: 0...2, using: &random)
            batch.warnings[row] = UInt32.random(in: 0..<(1 << 14), using: &random)
            batch.patientHashes[row] = Bool.random(using: &random) ? 0 : UInt64.random(in: 1...30, using: &random) << 59
            if Bool.random(using: &random) { batch.costCents[row] = Int.random(in: -500...90_000, using: &random) }
            if Bool.random(using: &random) { batch.loadedHundredths[row] = Int.random(in: 0...9000, using: &random) }
            if Bool.random(using: &random) { batch.unloadedHundredths[row] = Int.random(in: 0...90, using: &random) }
            for interval in batch.intervals.indices {
                let longest: Int32 = Bool.random(using: &random) ? 900 : 86_400
                batch.intervals[interval][row] = Int32.random(in: -3...longest, using: &random)
            }
        }
        return batch
    }
}

extension QueryAnswer {
    /// All rows, by column.
    func records() throws -> [[String: QueryValue]] {
        var records: [[String: QueryValue]] = []
        _ = try forEach { records.append(Dictionary(uniqueKeysWithValues: zip(columns, $0))) }
        return records
    }
}
