import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the file system says about an export: as long as it is the same, the content is taken to be the same.
package struct ExportFileStat: Sendable, Hashable {
    package var bytes: Int
    /// Since 1970.
    package var modifiedNanoseconds: Int
    package var inode: UInt64
    package var device: UInt64

    package init(bytes: Int, modifiedNanoseconds: Int, inode: UInt64, device: UInt64) {
        self.bytes = bytes
        self.modifiedNanoseconds = modifiedNanoseconds
        self.inode = inode
        self.device = device
    }

    /// Looks at a regular file, or at what a symbolic link leads to. Reads nothing of it, and waits for no pipe.
    package static func of(path: String) throws(ExportError) -> ExportFileStat {
        var status = stat()
        let name = FileLabel(fileName: path).description
        guard stat(path, &status) == 0 else { throw ExportFile.failure(name, errno, path: path) }
        return try ExportFileStat(status, file: name)
    }

    /// Looks at an open file.
    static func of(_ file: ExportFile) throws(ExportError) -> ExportFileStat {
        try ExportFileStat(file.status(), file: file.name)
    }

    private init(_ status: stat, file: String) throws(ExportError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ExportError.notRegular(file)
        }
        #if canImport(Glibc)
        let modified = status.st_mtim
        #else
        let modified = status.st_mtimespec
        #endif
        self.init(
            bytes: Int(status.st_size), modifiedNanoseconds: modified.tv_sec * 1_000_000_000 + modified.tv_nsec,
            inode: UInt64(status.st_ino), device: UInt64(truncatingIfNeeded: status.st_dev))
    }
}
