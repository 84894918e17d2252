import Basics
import Files
import KPIContract
import Publishing
import Reporting
import Store
import Trips

/// Which staff sets may have what was removed from the store.
///
/// No clock is asked: the store knows what had been removed when it made a set. A set that it does not know is one from before, or of
/// another store, such as that of a time after the backup from which it was restored.
struct RemovalCutoff {
    private let present: RemovalCounts
    private let sets: [String: RemovalCounts]
    private let firstMonth: Month?

    init(_ store: TripStore) throws {
        present = try store.removalCounts()
        sets = try store.staffSets()
        firstMonth = try store.firstKeptMonth()
    }

    /// Whether anything was ever removed.
    var hasRemovals: Bool { present != .none }

    /// Whether a set may have removed trips.
    func precedes(_ id: String, in folder: PublicationFolder) throws -> Bool {
        guard hasRemovals else { return false }
        return try counts(of: id, in: folder) != present
    }

    /// Whether the current set may have removed trips; not where there is none.
    func precedesCurrent(of folder: PublicationFolder) throws -> Bool {
        try folder.currentID().map { try precedes($0, in: folder) } ?? false
    }

    /// The current summary as far as later figures may be compared with it: the difference would state what was removed. Trips that
    /// leave by their age are whole months, and only these are left out.
    func comparableSummary(of folder: PublicationFolder) throws -> KPISummaryV1? {
        guard let id = try folder.currentID(), var summary = try folder.summary(of: id) else { return nil }
        if present.named > 0, try counts(of: id, in: folder)?.named != present.named { return nil }
        guard let first = firstMonth?.description else { return summary }
        summary.cells.removeAll { $0.month != CellKey.all && $0.month < first }
        summary.restatements?.removeAll { $0.month < first }
        return summary
    }

    /// What had been removed when a set was made; nil: the store does not know it.
    private func counts(of id: String, in folder: PublicationFolder) throws -> RemovalCounts? {
        try folder.contentsIfAny(of: PublicationManifestV1.fileName, in: id).flatMap { sets[ContentHash.of($0)] }
    }
}
