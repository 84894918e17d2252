package import Files
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How a database can be read without leaving a file beside it.
///
/// SQLite's [write-ahead log](https://sqlite.org/wal.html#read_only_databases) needs two files beside the database even for readers, `-wal` and `-shm`. A connection that may
/// write deletes them when it is the last to close; a read-only connection makes them and cannot delete them. The access
/// depends on the rights of this user and on the files that are there.
package enum ReadAccess: Sendable, Hashable {
    /// A connection that may write and never does. It sees a run's commits, and does not block the run.
    case writable
    /// Read-only, with the files that a writer keeps open or has left.
    case readOnly
    /// Read-only and without any lock, while there is no writer. A run that begins meanwhile changes the file, so
    /// `isUnchanged` must be called at the end.
    case immutable(FileStamp?)
    /// The log or the rollback journal of a killed writer has pages that this user cannot write into the database; or the
    /// first load of a store is under way.
    case unfinished

    /// - Throws: where the files beside the database cannot be looked up: without its log an older state would be read.
    package init(path: String) throws(FileError) {
        let files = FileManager.default
        // The log lies beside the file itself, not beside a link to it.
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        if files.isWritableFile(atPath: file.path),
            files.isWritableFile(atPath: file.deletingLastPathComponent().path)
        {
            self = .writable
        } else if try (FileStamp.of(path: file.path + "-journal")?.bytes ?? 0) > 0 {
            self = .unfinished
        } else if try (FileStamp.of(path: file.path + "-wal")?.bytes ?? 0) == 0 {
            self = .immutable(try FileStamp.of(path: path))
        } else {
            self = files.fileExists(atPath: file.path + "-shm") ? .readOnly : .unfinished
        }
    }

    package var isReadOnly: Bool { self != .writable }

    /// The name that SQLite opens: a path, or a URI, which can state that there is no writer.
    package func name(of path: String) -> String {
        guard case .immutable = self else { return path }
        let hidden = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        return "file:" + (path.addingPercentEncoding(withAllowedCharacters: hidden) ?? path) + "?immutable=1"
    }

    /// Whether no writer has changed the database since.
    package func isUnchanged(path: String) -> Bool {
        guard case .immutable(let stamp) = self else { return true }
        // What cannot be looked up may have changed.
        do throws(FileError) { return try FileStamp.of(path: path) == stamp } catch { return false }
    }
}

/// Identifies a state of a file.
package struct FileStamp: Sendable, Hashable {
    private let inode: UInt64
    let bytes: Int
    private let modifiedNanoseconds: Int

    /// Nil if there is no such file.
    package static func of(path: String) throws(FileError) -> FileStamp? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw FileError(path, "be looked up") }
            return nil
        }
        return FileStamp(status)
    }

    private init(_ status: stat) {
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
