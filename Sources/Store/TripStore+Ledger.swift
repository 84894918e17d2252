import GRDB

extension TripStore {
    /// The exports in the store, oldest first by rank.
    package func exports() throws -> [ExportRecord] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM exports ORDER BY as_of, bytes, sha256").map { row in
                func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
                    try row.decode(forColumn: column)
                }
                var record = ExportRecord(
                    sha256: try value("sha256"), label: try value("label"), source: try value("source"),
                    asOf: try value("as_of"), bytes: try value("bytes"), profileVersion: try value("profile_version"),
                    dateBasis: try value("date_basis"), intervalPairs: try value("interval_pairs"),
                    maximumIntervalSeconds: try value("maximum_interval_seconds"), loadedAt: try value("loaded_at"))
                record.isDatedByName = try value("is_dated_by_name")
                record.read = try value("records_read")
                record.skipped = try value("records_skipped")
                record.rejected = try value("records_rejected")
                record.copiesInside = try value("copies_inside")
                record.supersededInside = try value("superseded_inside")
                record.trips = try value("trips")
                return record
            }
        }
    }
}
