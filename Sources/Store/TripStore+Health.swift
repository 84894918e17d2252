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

    /// Whether there is no store at this path: no file, or one in which no store was ever committed.
    ///
    /// - Throws: `StoreError.forbidden` if this user may not even look.
    package static func isAbsent(_ path: String) throws -> Bool {
        guard try StorePlace(path: path).hasFile() else { return true }
        do {
            _ = try TripStore(reading: path)
            return false
        } catch StoreError.missing {
            return true
        } catch StoreError.busy {
            throw StoreError.busy(path: path)
        } catch {
            // What is there is something, and whoever opens it is told what.
            return false
        }
    }

    /// Whether there is a file at this path, or anything else.
    ///
    /// - Throws: `StoreError.forbidden` if this user may not even look.
    package static func hasFile(_ path: String) throws -> Bool { try StorePlace(path: path).hasFile() }

    package func health() throws -> Health {
        try read { db in
            guard let fingerprint = try String.fetchOne(db, sql: "SELECT key_fingerprint FROM store") else {
                throw StoreError.damaged(path: path, detail: "it does not say whose key it was made with")
            }
            return Health(
                keyFingerprint: fingerprint, schemaVersion: try StoreSchema.applied(db).count,
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
