import Foundation
import Trips

/// What the file system says about an export. As long as it is the same, the content is taken to be the same: a program can
/// set the time of the last modification back, and a new file can have the number of a removed one, but the time of the last
/// change is the system's own.
package struct ExportFileStat: Sendable, Hashable {
    package var bytes: Int
    /// Since 1970.
    package var modifiedNanoseconds: Int
    /// Of content, name, owner or mode; since 1970.
    package var changedNanoseconds: Int
    package var inode: UInt64
    package var device: UInt64

    package init(bytes: Int, modifiedNanoseconds: Int, changedNanoseconds: Int, inode: UInt64, device: UInt64) {
        self.bytes = bytes
        self.modifiedNanoseconds = modifiedNanoseconds
        self.changedNanoseconds = changedNanoseconds
        self.inode = inode
        self.device = device
    }

    /// Asks for a regular file, or for what a symbolic link leads to. Reads nothing of it, and waits for no pipe.
    package static func of(path: String) throws(ExportError) -> ExportFileStat {
        var status = stat()
        let name = FileLabel(fileName: path).description
        let place = ExportPath(path)
        // Of a member of a zip file the length is its own.
        if place.member != nil { return try of(ExportFile(path: path, mustBeRegular: true)) }
        guard stat(place.file, &status) == 0 else { throw ExportFile.failure(name, errno, path: place.file) }
        return try ExportFileStat(status, file: name)
    }

    package static func of(_ file: ExportFile) throws(ExportError) -> ExportFileStat {
        var state = try ExportFileStat(file.status(), file: file.name)
        if let member = file.member {
            state.bytes = try ZipDirectory(file).members.first { $0.name == member }?.bytes ?? state.bytes
        }
        return state
    }

    private init(_ status: stat, file: String) throws(ExportError) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(file) }
        self.init(status)
    }

    init(_ status: stat) {
        self.init(
            bytes: Int(status.st_size), modifiedNanoseconds: status.modified.nanoseconds,
            changedNanoseconds: status.statusChanged.nanoseconds, inode: UInt64(status.st_ino),
            device: UInt64(truncatingIfNeeded: status.st_dev))
    }
}
