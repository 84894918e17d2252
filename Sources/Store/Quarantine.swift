import GRDB
package import Trips

/// An export of which nothing could be loaded.
package struct FailedExport: StoreRecord, Sendable, Hashable {
    static let databaseTableName = "failed_exports"

    package var sha256: String
    package var label: String
    package var source: String
    /// A code: `damaged`, `too_many_rejects`, `missing_columns`, …
    package var reason: String
    package var recordsRead: Int
    package var recordsRejected: Int
    package var bytes: Int
    /// Seconds since 1970.
    package var firstSeen: Int
    package var lastTried: Int
    package var profileVersion: String
    /// What is wrong, what to do about it, and the first places: a line each, without any value. Nil: an earlier version of tripkpi
    /// tried it.
    package var detail: String?

    package init(
        sha256: String, label: String, source: String, reason: String, recordsRead: Int, recordsRejected: Int,
        bytes: Int, triedAt: Int, profileVersion: String
    ) {
        self.sha256 = sha256
        self.label = label
        self.source = source
        self.reason = reason
        self.recordsRead = recordsRead
        self.recordsRejected = recordsRejected
        self.bytes = bytes
        firstSeen = triedAt
        lastTried = triedAt
        self.profileVersion = profileVersion
    }
}

/// A user's statement that an export may stay out, or that its rejects are acceptable.
package struct Waiver: StoreRecord, Sendable, Hashable {
    static let databaseTableName = "waivers"

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

/// A loaded export with its rejects.
package struct QuarantinedExport: Sendable, Hashable {
    package var export: ExportRecord
    /// Records by reason code.
    package var reasons: [String: Int]
    /// The first ones, in the order of the file.
    package var places: [RejectedRecord]
    package var waiver: Waiver?
}

extension TripStore {
    /// Records a failed export. One that failed before keeps its label and the time it was first seen.
    package func note(failed export: FailedExport) throws {
        try write { db in
            var record = export
            if let known = try FailedExport.filter(Column("sha256") == export.sha256).fetchOne(db) {
                record = known
                // A waiver of another kind does not cover the new reason.
                let reasons: Set = [known.reason, export.reason]
                if reasons.count > 1, reasons.contains(where: { AcceptableFault(rawValue: $0) != nil }) {
                    _ = try Waiver.filter(Column("sha256") == export.sha256).deleteAll(db)
                }
                record.reason = export.reason
                record.lastTried = export.lastTried
                record.recordsRead = export.recordsRead
                record.recordsRejected = export.recordsRejected
                record.profileVersion = export.profileVersion
                record.detail = export.detail
            }
            try record.insert(db, onConflict: .replace)
        }
    }

    /// Exports that failed and were not loaded since, first seen first.
    package func failedExports() throws -> [FailedExport] {
        try read { try FailedExport.order(sql: "first_seen, sha256").fetchAll($0) }
    }

    /// Exports that failed for a fault that may be none, and were waived since: the next run loads them.
    package func acceptedExports() throws -> AcceptedExports {
        let waivers = try waivers()
        let accepted = try failedExports().filter { waivers[$0.sha256] != nil }
            .compactMap { export in AcceptableFault(rawValue: export.reason).map { (export.sha256, $0) } }
        return AcceptedExports(faults: Dictionary(accepted) { first, _ in first })
    }

    /// Removes a failed export and its waiver: its file is gone for good.
    package func forget(failed sha256: String) throws {
        try write { db in
            for table in ["failed_exports", "waivers"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE sha256 = ?", arguments: [sha256])
            }
        }
    }

    package func waive(_ waiver: Waiver) throws {
        try write { try waiver.insert($0, onConflict: .replace) }
    }

    package func withdrawWaiver(_ sha256: String) throws {
        _ = try write { try Waiver.filter(Column("sha256") == sha256).deleteAll($0) }
    }

    /// By SHA-256 of the export.
    package func waivers() throws -> [String: Waiver] {
        let waivers = try read { try Waiver.fetchAll($0) }
        return Dictionary(waivers.map { ($0.sha256, $0) }) { first, _ in first }
    }

    /// Loaded exports with rejected records, by rank.
    package func quarantine() throws -> [QuarantinedExport] {
        let waivers = try waivers()
        return try exports().filter { $0.recordsRejected > 0 }.map { export in
            try read { db in
                func rows(_ table: String, _ order: String) throws -> [Row] {
                    let condition = "export_id = (SELECT export_id FROM exports WHERE sha256 = ?)"
                    return try Row.fetchAll(
                        db, sql: "SELECT * FROM \(table) WHERE \(condition) ORDER BY \(order)",
                        arguments: [export.sha256])
                }
                var reasons: [String: Int] = [:]
                for row in try rows("rejects", "reason") {
                    reasons[try row.decode(forColumn: "reason")] = try row.decode(forColumn: "records") as Int
                }
                return QuarantinedExport(
                    export: export, reasons: reasons,
                    places: try rows("reject_places", "byte_offset, record_number").compactMap {
                        try RejectedRecord(row: $0, code: "reason")
                    }, waiver: waivers[export.sha256])
            }
        }
    }
}
