import Foundation
import GRDB
package import Trips

extension TripStore {
    /// What a store says of itself besides its trips.
    package struct Health: Sendable, Hashable {
        /// Of the key that its pseudonyms were made with.
        package var keyFingerprint: String
        package var schemaVersion: Int
        /// Months whose tallies were not finished, ascending.
        package var staleMonths: [Month]
    }

    /// Whether there is no store at this path: no file, or one that nothing was ever written to.
    package static func isAbsent(_ path: String) -> Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            return !FileManager.default.fileExists(atPath: path)
        }
        return attributes[.type] as? FileAttributeType == .typeRegular && attributes[.size] as? Int == 0
    }

    package func health() throws -> Health {
        try read { db in
            guard let fingerprint = try String.fetchOne(db, sql: "SELECT key_fingerprint FROM store") else {
                throw StoreError.damaged(path: path, detail: "it does not say whose key it was made with")
            }
            return Health(
                keyFingerprint: fingerprint, schemaVersion: try StoreSchema.migrator.appliedMigrations(db).count,
                staleMonths: try Int32.fetchAll(
                    db, sql: "SELECT month FROM month_tallies WHERE is_stale <> 0 ORDER BY month"
                ).map(Month.init(index:)))
        }
    }

    /// Looks at every page of the file; what SQLite finds wrong, at most five things, without a value of a row.
    package func damages() throws -> [String] {
        let lines = try read { try String.fetchAll($0, sql: "PRAGMA quick_check(5)") }
        return lines == ["ok"] ? [] : lines
    }
}
