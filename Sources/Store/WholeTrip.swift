import Trips

/// A trip of the store with all that is known of it: the versions of its own exports, the versions of each of its parts, and the
/// row that counts.
///
/// A part comes from a supplement: an export of another system that has values of the same trips, such as the bills of dispatched
/// trips. What counts is the newest own version, filled in from the newest version of each part. A trip that only has parts does
/// not count: they wait for it. So the row depends on the set of versions, not on the order in which they came.
struct WholeTrip {
    let key: TripKey
    private(set) var own: TripHistory
    /// By the source of the supplement.
    private(set) var parts: [String: TripHistory]
    /// The row of `trips`; nil: only parts are there.
    var counted: StoredTrip?
    private let exports: LoadedExports

    /// - Parameter versions: of the trip's own exports and of supplements.
    init(_ key: TripKey, versions: [StoredTrip], counted: StoredTrip?, _ exports: LoadedExports) {
        self.key = key
        self.counted = counted
        self.exports = exports
        parts = [:]
        guard !exports.partSources.isEmpty else {
            own = TripHistory(versions, ranks: exports.ranks)
            return
        }
        own = TripHistory(versions.filter { exports.partSources[$0.exportID] == nil }, ranks: exports.ranks)
        for (source, versions) in Dictionary(grouping: versions, by: { exports.partSources[$0.exportID] }) {
            if let source { parts[source] = TripHistory(versions, ranks: exports.ranks) }
        }
    }

    /// Of its own and of its parts.
    var versions: [StoredTrip] { own.versions + partVersions }
    /// In the order of their exports.
    var partVersions: [StoredTrip] {
        parts.isEmpty ? [] : parts.values.flatMap(\.versions).sorted { $0.exportID < $1.exportID }
    }

    /// The versions that one of this export is compared with.
    func history(ofExport exportID: Int32) -> TripHistory {
        guard let source = exports.partSources[exportID] else { return own }
        return parts[source] ?? TripHistory([], ranks: exports.ranks)
    }

    /// With this version in place of the one its export had.
    func with(_ version: StoredTrip) -> WholeTrip {
        WholeTrip(key, versions: without(version.exportID).versions + [version], counted: nil, exports)
    }

    func without(_ exportID: Int32) -> WholeTrip {
        WholeTrip(key, versions: versions.filter { $0.exportID != exportID }, counted: nil, exports)
    }

    /// With other ranks of the exports.
    func ranked(by exports: LoadedExports) -> WholeTrip {
        WholeTrip(key, versions: versions, counted: nil, exports)
    }

    /// The newest version of each part, in the order in which they are filled in: of two that have a value for one field, the source
    /// that comes first in the alphabet has the last word. A void version takes the part back.
    private var newestParts: [StoredTrip] {
        guard !parts.isEmpty else { return [] }
        return parts.sorted { $1.key < $0.key }.compactMap { $0.value.newest }
            .filter { $0.facts.status != TripStatus.void.rawValue }
    }

    /// Determines `counted` from the versions.
    ///
    /// - Parameter before: the trip as it is in the store. If nothing that counts has changed, its row stays.
    func completed(after before: WholeTrip, by complete: TripCompletion.Complete) throws -> WholeTrip {
        var whole = self
        let parts = newestParts
        if own.newest == before.own.newest, parts == before.newestParts {
            whole.counted = before.counted
        } else if var row = own.newest {
            if !parts.isEmpty { row.facts = try complete(row.facts, parts.map(\.facts)) }
            whole.counted = row
        } else {
            whole.counted = nil
        }
        return whole
    }
}
