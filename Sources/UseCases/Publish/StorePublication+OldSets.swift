import Basics
import KPIContract
import Operations
import Privacy
import Publishing
import Store

extension StorePublication {
    /// Removes earlier sets that have removed trips as rows. A set that was not published now stays, and is named.
    func removeOldSets(_ published: PublishedSets, _ cutoff: RemovalCutoff, but audiences: [Audience]) throws {
        guard cutoff.hasRemovals else { return }
        try PublishedTripRows.removeDrafts(in: published.folder(.staff))
        for audience in Audience.allCases {
            let folder = published.folder(audience)
            let removed = try folder.removeEarlier(with: [PublishedFileNames.tripRows]) {
                try cutoff.precedes($0.id, in: folder)
            }
            if !removed.isEmpty { tell(.rowSetsRemoved(audience: audience.rawValue, sets: removed.count)) }
            if !audiences.contains(audience), try folder.currentHasRows(from: cutoff) {
                tell(.rowSetKept(audience: audience.rawValue))
            }
        }
    }
}

extension WritingSession {
    /// Whether a removal is not published yet: readers see staff figures from before it, or rows from before it are still there. Where
    /// the staff set is held, nothing is published.
    func hasUnpublishedRemoval(_ audiences: [Audience]) throws -> Bool {
        let cutoff = try RemovalCutoff(store), folder = PublishedSets(root: site.reports).folder(.staff)
        guard cutoff.hasRemovals, audiences.contains(.staff), try folder.heldSince() == nil else { return false }
        return try folder.list().contains { set in
            try (set.isCurrent || folder.contains(PublishedFileNames.tripRows, in: set.id))
                && cutoff.precedes(set.id, in: folder)
        }
    }
}

extension PublicationFolder {
    /// Whether readers see rows that may be of removed trips.
    func currentHasRows(from cutoff: RemovalCutoff) throws -> Bool {
        guard let current = try currentID(), try contains(PublishedFileNames.tripRows, in: current) else {
            return false
        }
        return try cutoff.precedes(current, in: self)
    }
}
