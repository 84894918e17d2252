import Basics
import Files
import Store

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Puts a store in its place, in one rename: a kill leaves the store that was there or the new one.
struct StoreReplacement {
    /// What to do where a file cannot have a second name.
    static let withoutHardLinks =
        "move the store with its -wal and -shm files away, and run again without --replace"

    let store: String
    let time: UTCTime

    /// - Parameters:
    ///   - copy: the new store, on the same file system. It is gone from there afterwards.
    ///   - owner: root gives the store to the owner of this one.
    /// - Returns: where the store that was there is now; nil if there was none.
    func put(_ copy: String, owner: FileStatus) throws -> String? {
        let file = try OpenFile(copy, for: .update)
        try file.setOwner(like: owner)
        try file.sync()
        let aside = try ReplacedStore.freeName(for: store, at: time)
        let isThere = try FileStatus.lookUp(store, followsLinks: false) != nil
        if isThere {
            do {
                try TripStore.withWholeFile(store) { try exchange(copy, aside) }
            } catch StoreError.damaged {
                // SQLite cannot read it, so what is in its log stays there.
                try moveCompanions(to: aside)
                try exchange(copy, aside)
            }
        } else {
            // Pages in the log of a store that is gone would be read as pages of the new one.
            try moveCompanions(to: aside)
            try FileMove.rename(copy, to: store)
        }
        try OpenFile.sync(folder: FilePath.folder(of: store))
        return isThere ? aside : nil
    }

    private func exchange(_ copy: String, _ aside: String) throws {
        guard link(store, aside) == 0 else {
            throw FileError(aside, "be a second name of the store", remedy: Self.withoutHardLinks)
        }
        try OpenFile.sync(folder: FilePath.folder(of: store))
        try FileMove.rename(copy, to: store)
    }

    private func moveCompanions(to aside: String) throws {
        for ending in TripStore.companionEndings where try FileStatus.lookUp(store + ending) != nil {
            try FileMove.rename(store + ending, to: aside + ending)
        }
    }
}
