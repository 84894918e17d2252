package import Trips
import GRDB
import Foundation

/// A month as it was released: what the release shows of it until a revision, whatever the store holds since.
package struct StoredRelease: Sendable, Hashable {
    package var month: Month
    /// Seconds since 1970.
    package var releasedAt: Int
    /// Seconds since 1970; nil: never.
    package var revisedAt: Int?
    /// The rules that classified its trips when it was released or last revised.
    package var rulesVersion: String
    /// How it is divided into groups, as JSON.
    package var partition: [UInt8]
    /// The month's tally as it is released, as `KPITally` encodes it.
    package var tally: [UInt8]
    /// Of the tally's shape.
    package var maximumIntervalSeconds: Int

    package init(
        month: Month, releasedAt: Int, rulesVersion: String, partition: [UInt8], tally: [UInt8],
        maximumIntervalSeconds: Int
    ) {
        self.month = month
        self.releasedAt = releasedAt
        self.rulesVersion = rulesVersion
        self.partition = partition
        self.tally = tally
        self.maximumIntervalSeconds = maximumIntervalSeconds
    }
}

extension TripStore {
    /// Every released month, ascending.
    package func releases() throws -> [StoredRelease] { try read(Self.releases) }

    static func releases(_ db: Database) throws -> [StoredRelease] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT month, released_at, rules_version, partition, tally, maximum_interval_seconds, revised_at
                FROM releases ORDER BY month
                """
        ).map { row in
            let month: Int32 = try row.decode(atIndex: 0)
            let partition: Data = try row.decode(atIndex: 3), tally: Data = try row.decode(atIndex: 4)
            guard (1900 * 12..<2300 * 12).contains(month) else {
                throw StoreDamage(detail: "there is a released month that no trip can have")
            }
            var release = StoredRelease(
                month: Month(index: month), releasedAt: try row.decode(atIndex: 1),
                rulesVersion: try row.decode(atIndex: 2), partition: Array(partition), tally: Array(tally),
                maximumIntervalSeconds: try row.decode(atIndex: 5))
            release.revisedAt = try row.decode(atIndex: 6)
            return release
        }
    }

    /// Records months as released. A month that is released already stays as it is.
    ///
    /// - Parameter uncounted: trips of these months that their release does not count.
    package func add(_ releases: [StoredRelease], without uncounted: [StoredTrip] = []) throws {
        try write { db in
            let digests = RowDigests()
            let insert = try IntegerStatement(db, ReleaseJournal.insertSQL)
            for row in uncounted.map(\.asReleased.absentFromRelease) {
                TripColumns.bind(row, to: insert)
                try insert.run(db)
                digests.add(row, to: .releaseChanges)
            }
            try digests.write(db)
            for release in releases {
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO releases (
                            month, released_at, rules_version, partition, tally, maximum_interval_seconds)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        release.month.index, release.releasedAt, release.rulesVersion, Data(release.partition),
                        Data(release.tally), release.maximumIntervalSeconds,
                    ])
            }
        }
    }
}
