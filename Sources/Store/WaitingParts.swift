package import Basics
import GRDB

/// Trips of which the store has a part only: a supplement came before the export that has the trips, or has trips that it does not
/// have. They count as no trip.
package struct WaitingParts: Sendable, Hashable {
    /// Of the supplement.
    package let source: String
    /// Whose trips they are parts of.
    package let supplements: String
    package let month: Month
    package let trips: Int
    /// When the first export that has one of them was loaded, in seconds since 1970.
    package let waitingSince: Int
}

extension TripStore {
    /// What waits, by source and month.
    package func waitingParts() throws -> [WaitingParts] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT source, supplements, month, COUNT(DISTINCT p.key_high || ' ' || p.key_low), MIN(loaded_at)
                    FROM trip_parts p JOIN exports USING (export_id) WHERE is_own = 0 AND \(Self.isWaiting)
                    GROUP BY source, supplements, month ORDER BY source, supplements, month
                    """
            ).map { row in
                WaitingParts(
                    source: try row.decode(atIndex: 0), supplements: try row.decode(atIndex: 1),
                    month: Month(index: try row.decode(atIndex: 2)), trips: try row.decode(atIndex: 3),
                    waitingSince: try row.decode(atIndex: 4))
            }
        }
    }

    /// How many trips of a supplement wait.
    static func waitingParts(ofExport exportID: Int32, _ db: Database) throws -> Int {
        let sql = "SELECT COUNT(*) FROM trip_parts p WHERE export_id = ? AND is_own = 0 AND \(isWaiting)"
        return try Int.fetchOne(db, sql: sql, arguments: [exportID]) ?? 0
    }

    private static let isWaiting =
        "NOT EXISTS (SELECT 1 FROM trips t WHERE t.key_high = p.key_high AND t.key_low = p.key_low)"

    /// Whether exports of a source are in the store as trips of their own, and whether as parts of others'.
    ///
    /// - Parameter sha256: of an export that is not asked for.
    package func usesOfSource(_ source: String, without sha256: String?) throws -> (own: Bool, parts: Bool) {
        try read { db in
            func has(_ condition: String) throws -> Bool {
                let others = "source = ? AND sha256 IS NOT ? AND supplements \(condition)"
                let sql = "SELECT EXISTS (SELECT 1 FROM exports WHERE \(others))"
                return try Bool.fetchOne(db, sql: sql, arguments: [source, sha256]) ?? false
            }
            return (try has("IS NULL"), try has("IS NOT NULL"))
        }
    }
}
