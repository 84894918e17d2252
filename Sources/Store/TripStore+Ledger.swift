import GRDB

extension TripStore {
    /// The exports in the store, oldest first by rank.
    package func exports() throws -> [ExportRecord] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM exports ORDER BY as_of, bytes, sha256").map { row in
                var record = ExportRecord(
                    sha256: row["sha256"], label: row["label"], source: row["source"], asOf: row["as_of"],
                    bytes: row["bytes"], profileVersion: row["profile_version"], dateBasis: row["date_basis"],
                    intervalPairs: row["interval_pairs"], maximumIntervalSeconds: row["maximum_interval_seconds"],
                    loadedAt: row["loaded_at"])
                record.isDatedByName = row["is_dated_by_name"]
                record.read = row["records_read"]
                record.skipped = row["records_skipped"]
                record.rejected = row["records_rejected"]
                record.copiesInside = row["copies_inside"]
                record.supersededInside = row["superseded_inside"]
                record.trips = row["trips"]
                return record
            }
        }
    }
}
