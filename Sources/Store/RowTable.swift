/// The tables whose rows are versions of trips.
enum RowTable: String, CaseIterable, Sendable, Hashable {
    /// The version of each trip that counts.
    case trips
    case olderVersions = "older_versions"
    /// Trips of released months as they were released; see `ReleaseJournal`.
    case releaseChanges = "release_changes"
}
