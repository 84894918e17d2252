package import Basics
package import Files

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The name of a file that a restore has replaced: `<file>.before-restore-<time>`.
///
/// A restore first gives the present store this second name (a hard link), then the new store takes the first name. After a
/// kill between the two the store has both names; the second one is removed again, by whoever has the run lock.
package enum ReplacedStore {
    private static let mark = ".before-restore-"

    /// A free name.
    package static func freeName(for path: String, at time: UTCTime) throws(FileError) -> String {
        var number = 1
        while true {
            let name = path + mark + time.compact + (number == 1 ? "" : ".\(number)")
            if try FileStatus.lookUp(name, followsLinks: false) == nil { return name }
            number += 1
        }
    }

    /// Paths beside a file of what restores have moved aside before a time, sorted.
    static func names(of path: String, before time: UTCTime) throws(FileError) -> [String] {
        let folder = FilePath.folder(of: path), start = FilePath.name(of: path) + mark
        // In a folder that may be written to, but not read, nothing can be found.
        guard access(folder, R_OK) == 0 else { return [] }
        return try FolderNames.texts(folder).filter { $0.hasPrefix(start) && $0.dropFirst(start.count) < time.compact }
            .map { "\(folder)/\($0)" }
    }

    /// Paths beside the store that are names of the very same file.
    static func secondNames(of store: String) throws(FileError) -> [String] {
        guard let own = try FileStatus.lookUp(store, followsLinks: false), own.names > 1 else { return [] }
        let folder = FilePath.folder(of: store), start = FilePath.name(of: store) + mark
        var found: [String] = []
        for name in try FolderNames.texts(folder) where name.hasPrefix(start) {
            let path = "\(folder)/\(name)"
            if try FileStatus.lookUp(path, followsLinks: false)?.identity == own.identity { found.append(path) }
        }
        return found
    }

    /// Call it under the run lock only: a restore that is under way has just given the second name.
    package static func removeSecondNames(of store: String) throws(FileError) {
        for path in try secondNames(of: store) {
            guard unlink(path) == 0 else { throw FileError(path, "be removed") }
        }
    }
}
