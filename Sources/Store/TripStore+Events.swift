import Basics
import GRDB
package import KPIs
package import Trips

/// An export of events in the ledger, or on its way into it.
package struct EventExportRecord: StoreRecord, Sendable, Hashable {
    static let databaseTableName = "event_exports"

    package var sha256: String
    /// Its file's name, masked (`FileLabel`).
    package var label: String
    package var source: String
    /// Microseconds since 1970: the date in its file's name, else the latest day of an event.
    package var exportedAt: Int
    package var bytes: Int
    /// Content hash of the profile it was read by.
    package var profileVersion: String
    /// Whether it has all events of its source: of these exports the newest counts alone.
    package var isComplete: Bool
    /// Seconds since 1970.
    package var loadedAt: Int
    package var recordsRead = 0
    package var recordsRejected = 0

    package init(
        sha256: String, label: String, source: String, exportedAt: Int, bytes: Int, profileVersion: String,
        isComplete: Bool,
        loadedAt: Int
    ) {
        self.sha256 = sha256
        self.label = label
        self.source = source
        self.exportedAt = exportedAt
        self.bytes = bytes
        self.profileVersion = profileVersion
        self.isComplete = isComplete
        self.loadedAt = loadedAt
    }
}

extension TripStore {
    /// The ledger of events, by content.
    package func eventExports() throws -> [EventExportRecord] {
        try read { try EventExportRecord.order(sql: "sha256").fetchAll($0) }
    }

    /// Takes an export of events into the store, in place of one of the same content.
    ///
    /// - Parameter beforeCommit: throws to refuse it.
    package func load(
        _ record: EventExportRecord, events: EventTally, rejects: [RejectReason: Int], beforeCommit: () throws -> Void
    ) throws {
        try write { db in
            _ = try Self.removeEvents(record.sha256, db)
            try record.insert(db)
            let id = db.lastInsertedRowID
            for (leaf, events) in events.rows {
                try db.execute(
                    sql: "INSERT INTO event_counts VALUES (?, ?, ?, ?, ?, ?)",
                    arguments: [
                        id, leaf.month.description, leaf.region, leaf.kind.rawValue, leaf.isEvacuation ? 1 : 0, events,
                    ])
            }
            for (reason, records) in rejects {
                try db.execute(
                    sql: "INSERT INTO event_rejects VALUES (?, ?, ?)", arguments: [id, reason.rawValue, records])
            }
            for table in ["failed_exports", "withdrawn_exports"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE sha256 = ?", arguments: [record.sha256])
            }
            try beforeCommit()
        }
    }

    /// Removes an export of events as if it had never been loaded.
    package func withdrawEvents(_ sha256: String, at epochSeconds: Int) throws {
        try write { db in
            guard try Self.removeEvents(sha256, db) else { return }
            try db.execute(
                sql: "INSERT OR REPLACE INTO withdrawn_exports VALUES (?, ?)", arguments: [sha256, epochSeconds])
        }
    }

    /// - Returns: whether it was there.
    private static func removeEvents(_ sha256: String, _ db: Database) throws -> Bool {
        let sql = "SELECT export_id FROM event_exports WHERE sha256 = ?"
        guard let id = try Int64.fetchOne(db, sql: sql, arguments: [sha256]) else { return false }
        for table in ["event_exports", "event_counts", "event_rejects"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE export_id = ?", arguments: [id])
        }
        return true
    }

    /// The events that count now; nil if no export of events was ever loaded.
    package func events() throws -> EventTally? {
        try read { db in
            guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM event_exports)") ?? false else { return nil }
            return try Self.tally(db, Self.currentEvents)
        }
    }

    /// Of the exports that have all events of a source the newest counts alone, as in `stg_events`.
    private static let currentEvents = """
        SELECT c.month, c.region, c.kind, c.is_evacuation, c.events FROM event_counts c
        JOIN event_exports e ON e.export_id = c.export_id
        LEFT JOIN event_exports n ON n.source = e.source AND e.is_complete = 1 AND n.is_complete = 1
            AND (n.exported_at > e.exported_at OR (n.exported_at = e.exported_at AND n.sha256 > e.sha256))
        WHERE n.export_id IS NULL
        """

    /// The events of released months as they were released; nil if no export of events was ever loaded and none is released.
    package func releasedEvents() throws -> EventTally? {
        let released = try read {
            try Self.tally($0, "SELECT month, region, kind, is_evacuation, events FROM event_releases")
        }
        return try released.total == 0 && events() == nil ? nil : released
    }

    /// Records the events of months that are released now. A month that was released before keeps its own.
    package func release(events: EventTally) throws {
        guard events.total > 0 else { return }
        let known = Set(try releasedEvents()?.months ?? [])
        try write { db in
            for (leaf, events) in events.rows where !known.contains(leaf.month) {
                try db.execute(
                    sql: "INSERT INTO event_releases VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        leaf.month.description, leaf.region, leaf.kind.rawValue, leaf.isEvacuation ? 1 : 0, events,
                    ])
            }
        }
    }

    private static func tally(_ db: Database, _ sql: String) throws -> EventTally {
        var tally = EventTally()
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            guard let month = Month(try row.decode(atIndex: 0) as String),
                let kind = EventKind(rawValue: try row.decode(atIndex: 2))
            else { throw StoreDamage(detail: "there is an event of an unknown month or kind") }
            tally.add(
                EventLeaf(
                    month: month, region: try row.decode(atIndex: 1), kind: kind,
                    isEvacuation: try row.decode(atIndex: 3)), events: try row.decode(atIndex: 4))
        }
        return tally
    }
}
