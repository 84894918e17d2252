import GRDB

/// The tables whose rows are versions of trips.
enum VersionTable: String, CaseIterable, Sendable, Hashable {
    /// The version of each trip that counts.
    case trips
    case olderVersions = "older_versions"
    /// Trips of released months as they were released; see `ReleaseJournal`.
    case releaseChanges = "release_changes"
    /// Of trips with parts; see `WholeTrip`.
    case tripParts = "trip_parts"

    /// The tables that the store has: a store of an earlier version lacks the last ones.
    static func existing(_ db: Database) throws -> [VersionTable] {
        try allCases.filter { try db.tableExists($0.rawValue) }
    }
}
