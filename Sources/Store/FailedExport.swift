import GRDB
import Trips

/// An export of which nothing could be loaded.
package struct FailedExport: Sendable, Hashable {
    package var sha256: String
    package var label: String
    package var source: String
    /// A code: `damaged`, `too_many_rejects`, `missing_columns`, …
    package var reason: String
    package var read: Int
    package var rejected: Int
    package var bytes: Int
    /// Seconds since 1970.
    package var firstSeen: Int
    package var lastTried: Int
    package var profileVersion: String

    package init(
        sha256: String, label: String, source: String, reason: String, read: Int, rejected: Int, bytes: Int,
        triedAt: Int, profileVersion: String
    ) {
        self.sha256 = sha256
        self.label = label
        self.source = source
        self.reason = reason
        self.read = read
        self.rejected = rejected
        self.bytes = bytes
        firstSeen = triedAt
        lastTried = triedAt
        self.profileVersion = profileVersion
    }
}

/// Somebody's word that an export may stay out, or that its rejects are all right.
package struct Waiver: Sendable, Hashable {
    package var sha256: String
    package var reason: String
    package var waivedBy: String
    /// Seconds since 1970.
    package var waivedAt: Int

    package init(sha256: String, reason: String, waivedBy: String, waivedAt: Int) {
        self.sha256 = sha256
        self.reason = reason
        self.waivedBy = waivedBy
        self.waivedAt = waivedAt
    }
}

/// What is known of an export's rejects.
package struct QuarantinedExport: Sendable, Hashable {
    package var export: ExportRecord
    /// Records by reason code.
    package var reasons: [String: Int]
    /// The first ones, by place.
    package var places: [StoredReject]
    package var waiver: Waiver?
}

extension TripStore {
    package func note(failed export: FailedExport) throws {
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO failed_exports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (sha256) DO UPDATE SET reason = excluded.reason, last_tried = excluded.last_tried,
                        records_read = excluded.records_read, records_rejected = excluded.records_rejected,
                        profile_version = excluded.profile_version
                    """,
                arguments: [
                    export.sha256, export.label, export.source, export.reason, export.read, export.rejected,
                    export.bytes, export.firstSeen, export.lastTried, export.profileVersion,
                ])
        }
    }

    /// Exports that failed and were not loaded since, first seen first.
    package func failedExports() throws -> [FailedExport] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM failed_exports ORDER BY first_seen, sha256").map { row in
                func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
                    try row.decode(forColumn: column)
                }
                var export = FailedExport(
                    sha256: try value("sha256"), label: try value("label"), source: try value("source"),
                    reason: try value("reason"), read: try value("records_read"),
                    rejected: try value("records_rejected"), bytes: try value("bytes"),
                    triedAt: try value("first_seen"), profileVersion: try value("profile_version"))
                export.lastTried = try value("last_tried")
                return export
            }
        }
    }

    /// Takes a failed export off the list, and its waiver: its file is gone for good.
    package func forget(failed sha256: String) throws {
        try write { db in
            for table in ["failed_exports", "waivers"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE sha256 = ?", arguments: [sha256])
            }
        }
    }

    package func waive(_ waiver: Waiver) throws {
        try write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO waivers VALUES (?, ?, ?, ?)",
                arguments: [waiver.sha256, waiver.reason, waiver.waivedBy, waiver.waivedAt])
        }
    }

    /// - Returns: false if there was none.
    package func withdrawWaiver(_ sha256: String) throws -> Bool {
        try write { db in
            try db.execute(sql: "DELETE FROM waivers WHERE sha256 = ?", arguments: [sha256])
            return db.changesCount > 0
        }
    }

    /// By SHA-256 of the export.
    package func waivers() throws -> [String: Waiver] {
        try read { db in
            let waivers = try Row.fetchAll(db, sql: "SELECT * FROM waivers").map { row in
                Waiver(
                    sha256: try row.decode(forColumn: "sha256"), reason: try row.decode(forColumn: "reason"),
                    waivedBy: try row.decode(forColumn: "waived_by"), waivedAt: try row.decode(forColumn: "waived_at"))
            }
            return Dictionary(waivers.map { ($0.sha256, $0) }) { first, _ in first }
        }
    }

    /// Loaded exports some of whose records were rejected, by rank.
    package func quarantine() throws -> [QuarantinedExport] {
        let waivers = try waivers()
        return try exports().filter { $0.rejected > 0 }.map { export in
            try read { db in
                let id = try Int32.fetchOne(
                    db, sql: "SELECT export_id FROM exports WHERE sha256 = ?", arguments: [export.sha256])
                let reasons = try Row.fetchAll(
                    db, sql: "SELECT reason, records FROM rejects WHERE export_id = ?", arguments: [id])
                let places = try Row.fetchAll(
                    db, sql: "SELECT * FROM reject_places WHERE export_id = ? ORDER BY byte_offset, record_number",
                    arguments: [id])
                return QuarantinedExport(
                    export: export,
                    reasons: Dictionary(
                        try reasons.map { row -> (String, Int) in
                            (try row.decode(forColumn: "reason"), try row.decode(forColumn: "records"))
                        }
                    ) { first, _ in first },
                    places: try places.compactMap { try StoredReject(row: $0) }, waiver: waivers[export.sha256])
            }
        }
    }
}

extension StoredReject {
    fileprivate init?(row: Row) throws {
        guard let reason = RejectReason(rawValue: try row.decode(forColumn: "reason")) else { return nil }
        let field: String? = try row.decode(forColumn: "field")
        self.init(
            recordNumber: try row.decode(forColumn: "record_number"),
            byteOffset: try row.decode(forColumn: "byte_offset"),
            field: field.flatMap(CanonicalField.init(rawValue:)), reason: reason,
            shape: try row.decode(forColumn: "shape"))
    }
}
