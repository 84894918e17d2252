package import Trips
import GRDB
import Foundation

/// A month as it was released: what the release shows of it until a revision, whatever the store says since.
package struct StoredRelease: Sendable, Hashable {
    package var month: Month
    /// Seconds since 1970.
    package var releasedAt: Int
    /// The rules that sorted its trips by then.
    package var rulesVersion: String
    /// How it is divided into groups, as JSON.
    package var partition: [UInt8]
    /// The month's tally by then, as `KPITally` encodes it.
    package var tally: [UInt8]

    package init(month: Month, releasedAt: Int, rulesVersion: String, partition: [UInt8], tally: [UInt8]) {
        self.month = month
        self.releasedAt = releasedAt
        self.rulesVersion = rulesVersion
        self.partition = partition
        self.tally = tally
    }
}

extension TripStore {
    /// Every released month, ascending.
    package func releases() throws -> [StoredRelease] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT month, released_at, rules_version, partition, tally FROM releases ORDER BY month"
            ).map { row in
                let month: Int32 = try row.decode(atIndex: 0)
                let partition: Data = try row.decode(atIndex: 3), tally: Data = try row.decode(atIndex: 4)
                guard (1900 * 12..<2300 * 12).contains(month) else {
                    throw StoreDamage(detail: "there is a released month that no trip can have")
                }
                return StoredRelease(
                    month: Month(index: month), releasedAt: try row.decode(atIndex: 1),
                    rulesVersion: try row.decode(atIndex: 2), partition: Array(partition), tally: Array(tally))
            }
        }
    }

    /// Records months as released. A month that is released already stays as it is.
    package func add(_ releases: [StoredRelease]) throws {
        try write { db in
            for release in releases {
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO releases (month, released_at, rules_version, partition, tally)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        release.month.index, release.releasedAt, release.rulesVersion, Data(release.partition),
                        Data(release.tally),
                    ])
            }
        }
    }
}
