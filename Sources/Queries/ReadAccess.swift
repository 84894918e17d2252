import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How a database may be read without leaving anything beside it.
///
/// SQLite's write-ahead log asks even readers for two files beside the database, `-wal` and `-shm`. Who may write clears
/// them away when the last connection closes; a read-only connection makes them and cannot. So the weakest way is taken
/// that leaves nothing, by what this user may do and what lies there.
package enum ReadAccess: Sendable, Hashable {
    /// As one who could write and never does: the last to leave clears away. It sees a run's commits, and does not hold
    /// the run up.
    case guest
    /// Read-only, by the files that a writer keeps open or has left: nothing has to be made.
    case observer
    /// Read-only and without any lock: nobody is writing. A run that begins meanwhile changes the file under the reader,
    /// so `isStill` must be asked at the end.
    case alone(FileStamp?)
    /// A killed writer's log holds trips that this user cannot join to the rest, or its rollback journal pages that
    /// this user cannot put back; or the first load of a store is under way.
    case unfinished

    package init(path: String) {
        let files = FileManager.default
        // The log lies beside the file itself, not beside a link to it.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        if files.isWritableFile(atPath: file.path),
            files.isWritableFile(atPath: file.deletingLastPathComponent().path)
        {
            self = .guest
        } else if (FileStamp(path: file.path + "-journal")?.bytes ?? 0) > 0 {
            self = .unfinished
        } else if (FileStamp(path: file.path + "-wal")?.bytes ?? 0) == 0 {
            self = .alone(FileStamp(path: path))
        } else {
            self = files.fileExists(atPath: file.path + "-shm") ? .observer : .unfinished
        }
    }

    package var isReadOnly: Bool { self != .guest }

    /// What SQLite opens: a path, or a URI where only one can say that nobody is writing.
    package func name(of path: String) -> String {
        guard case .alone = self else { return path }
        let hidden = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        return "file:" + (path.addingPercentEncoding(withAllowedCharacters: hidden) ?? path) + "?immutable=1"
    }

    /// Whether all that was read since is of one state of the database.
    package func isStill(path: String) -> Bool {
        guard case .alone(let stamp) = self else { return true }
        return FileStamp(path: path) == stamp
    }
}

/// What tells one state of a file from another.
package struct FileStamp: Sendable, Hashable {
    private let inode: UInt64
    let bytes: Int
    private let modifiedNanoseconds: Int

    /// Nil if there is no such file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Glibc)
        let modified = status.st_mtim
        #else
        let modified = status.st_mtimespec
        #endif
        inode = UInt64(status.st_ino)
        bytes = Int(status.st_size)
        modifiedNanoseconds = modified.tv_sec * 1_000_000_000 + modified.tv_nsec
    }
}
