package import Basics
import Foundation
import GRDB
import KPIs

/// A month as it was released: what the release shows of it until a revision, whatever changes in the store.
package struct StoredRelease: FetchableRecord, PersistableRecord, Sendable, Hashable {
    static let databaseTableName = "releases"

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
    /// Whether trips that it counts were removed from the store: its figures stay as they are.
    package var isFrozen = false

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

    init(row: Row) throws {
        month = Month(index: try row.decode(forColumn: "month"))
        releasedAt = try row.decode(forColumn: "released_at")
        revisedAt = try row.decode(forColumn: "revised_at")
        rulesVersion = try row.decode(forColumn: "rules_version")
        partition = Array(try row.decode(forColumn: "partition") as Data)
        tally = Array(try row.decode(forColumn: "tally") as Data)
        maximumIntervalSeconds = try row.decode(forColumn: "maximum_interval_seconds")
        isFrozen = try row.decode(forColumn: "is_frozen")
    }

    func encode(to container: inout PersistenceContainer) {
        container["month"] = month.index
        container["released_at"] = releasedAt
        container["revised_at"] = revisedAt
        container["rules_version"] = rulesVersion
        container["partition"] = Data(partition)
        container["tally"] = Data(tally)
        container["maximum_interval_seconds"] = maximumIntervalSeconds
        container["is_frozen"] = isFrozen
    }
}
