import Store
import Operations
import Publishing
import Basics
import Privacy

extension StorePublication {
    /// Removes earlier sets that have removed trips as rows. A set that was not published now stays, and is named.
    func removeOldSets(_ published: PublishedSets, but audiences: [Audience]) throws {
        var isDone = true
        for audience in Audience.allCases {
            let folder = published.folder(audience)
            let removed = try folder.removeEarlier(with: [PublishedFileNames.tripRows])
            if !removed.isEmpty { tell(.rowSetsRemoved(audience: audience.rawValue, sets: removed.count)) }
            guard !audiences.contains(audience), let current = try folder.currentID(),
                try folder.contains(PublishedFileNames.tripRows, in: current)
            else { continue }
            tell(.rowSetKept(audience: audience.rawValue))
            isDone = false
        }
        if isDone { try store.forgetOldSets() }
    }
}
