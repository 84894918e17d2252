import Trips

/// All that the store knows of one trip: for each export that has it, the newest version in that export. Which of them
/// counts is a function of this set alone (SPEC §2.2, §6).
struct TripHistory {
    /// In no particular order; at most one an export.
    private(set) var versions: [StoredTrip]
    private let ranks: [Int32: ExportRank]

    init(_ versions: [StoredTrip], ranks: [Int32: ExportRank]) {
        self.versions = versions
        self.ranks = ranks
    }

    /// The one that counts. Of exact copies the one of the earliest export, so that an export which says all again
    /// changes nothing.
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

    /// What a further version of the trip is to those that are here.
    func disposition(of version: StoredTrip) -> Disposition {
        guard let newest else { return .added }
        if let after = with(version).newest, !after.isCopy(of: newest) { return .updated }
        return version.isCopy(of: newest) ? .unchanged : .superseded
    }

    enum Disposition {
        case added, updated, unchanged, superseded
    }

    /// The older versions that say the same as the newest, and those that do not.
    var losers: (copies: Int, superseded: Int) {
        guard let newest else { return (0, 0) }
        let copies = versions.filter { $0.isCopy(of: newest) }.count - 1
        return (copies, versions.count - 1 - copies)
    }

    private func isOlder(_ left: StoredTrip, than right: StoredTrip) -> Bool {
        if left.version != right.version { return left.version < right.version }
        if left.exportID == right.exportID { return left.recordOffset < right.recordOffset }
        guard let leftRank = ranks[left.exportID], let rightRank = ranks[right.exportID] else {
            return left.exportID < right.exportID
        }
        return leftRank < rightRank
    }
}
