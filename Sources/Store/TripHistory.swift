import Trips

/// All versions of one trip in the store: for each export that has the trip, the newest version in that export. Which of
/// them counts depends on this set alone.
struct TripHistory {
    /// In no particular order; at most one an export.
    private(set) var versions: [StoredTrip]
    private let ranks: [Int32: ExportRank]

    init(_ versions: [StoredTrip], ranks: [Int32: ExportRank]) {
        self.versions = versions
        self.ranks = ranks
    }

    /// The version that counts. Of exact copies it is that of the earliest export, so that an export that repeats all
    /// trips changes nothing.
    var newest: StoredTrip? {
        guard let latest = versions.max(by: { isOlder($0, than: $1) }) else { return nil }
        return versions.filter { $0.isCopy(of: latest) }.min { isOlder($0, than: $1) }
    }

    func version(of exportID: Int32) -> StoredTrip? { versions.first { $0.exportID == exportID } }

    func without(_ exportID: Int32) -> TripHistory {
        TripHistory(versions.filter { $0.exportID != exportID }, ranks: ranks)
    }

    /// With this version in place of the one its export had.
    func with(_ version: StoredTrip) -> TripHistory {
        TripHistory(without(version.exportID).versions + [version], ranks: ranks)
    }

    /// The count of `ReadCounts` that a further version of the trip belongs to.
    func count(of version: StoredTrip) -> WritableKeyPath<ReadCounts, Int> {
        guard let newest else { return \.added }
        if let after = with(version).newest, !after.isCopy(of: newest) { return \.updated }
        return version.isCopy(of: newest) ? \.unchanged : \.superseded
    }

    /// Whether another export has other values of the trip, and neither the versions nor the ranks say which is newer.
    func isUndecided(_ version: StoredTrip) -> Bool {
        guard let rank = ranks[version.exportID] else { return false }
        return versions.contains { other in
            other.exportID != version.exportID && other.version == version.version && !other.isCopy(of: version)
                && ranks[other.exportID]?.isTied(with: rank) == true
        }
    }

    /// The older versions that are copies of the newest, and the others.
    var losers: (copies: Int, superseded: Int) {
        guard let newest else { return (0, 0) }
        let copies = versions.filter { $0.isCopy(of: newest) }.count - 1
        return (copies, versions.count - 1 - copies)
    }

    private func isOlder(_ left: StoredTrip, than right: StoredTrip) -> Bool {
        guard let leftRank = ranks[left.exportID], let rightRank = ranks[right.exportID] else {
            return RecordRank(left.version, export: left.exportID, offset: left.recordOffset)
                < RecordRank(right.version, export: right.exportID, offset: right.recordOffset)
        }
        return RecordRank(left.version, export: leftRank, offset: left.recordOffset)
            < RecordRank(right.version, export: rightRank, offset: right.recordOffset)
    }
}
