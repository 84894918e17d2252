import Store
import Trips

/// What is wrong with exports: those of which nothing could be loaded first, then the rejected records of the others,
/// by export and reason.
package struct QuarantineList: Sendable {
    /// The records of one export that are out for one reason.
    struct Entry: Sendable, ListedEntry {
        var sha256: String
        var label: String
        var source: String
        /// Nothing of the export is in the store.
        var isFailed: Bool
        /// A code.
        var reason: String
        var rejected: Int
        /// Records of the export; 0 where it could not be read so far.
        var read: Int
        var profileVersion: String
        /// Seconds since 1970: when it failed first, or was loaded.
        var since: Int
        /// The first of the records.
        var places: [RejectedRecord]
        /// Of an export that failed: what is wrong, what to do, and the first places, in words.
        var detail: [String] = []
        var waiver: Waiver?
    }

    let entries: [Entry]

    package init(storePath: String) throws {
        let store = try TripStore(reading: storePath)
        let waivers = try store.waivers()
        let failed = try store.failedExports().map { export in
            Entry(
                sha256: export.sha256, label: export.label, source: export.source, isFailed: true,
                reason: export.reason, rejected: export.recordsRejected, read: export.recordsRead,
                profileVersion: export.profileVersion, since: export.firstSeen, places: [],
                detail: export.detail?.split(separator: "\n").map(String.init) ?? [], waiver: waivers[export.sha256])
        }
        let loaded = try store.quarantine().flatMap { quarantined in
            quarantined.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { reason, records in
                Entry(
                    sha256: quarantined.export.sha256, label: quarantined.export.label,
                    source: quarantined.export.source, isFailed: false, reason: reason, rejected: records,
                    read: quarantined.export.recordsRead, profileVersion: quarantined.export.profileVersion,
                    since: quarantined.export.loadedAt,
                    places: quarantined.places.filter { $0.code.rawValue == reason }, waiver: quarantined.waiver)
            }
        }
        entries = failed + loaded
    }

    package var isEmpty: Bool { entries.isEmpty }
}
