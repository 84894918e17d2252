import Files
import Foundation

#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// The file operations of publishing: each syncs what a power cut could undo, and nothing follows the process's umask. What root makes
/// belongs to the owner of the folder that it is in: the next run is that user's.
struct DurableFiles: Sendable {
    let modes: AccessModes

    /// A new file, written and synced. Nothing may be at its path.
    func write(_ bytes: [UInt8], to path: String) throws(PublishingError) {
        try wrapped { () throws(FileError) in try create(path) { file throws(FileError) in try file.write(bytes) } }
    }

    /// A new file with the content of another, written in pieces and synced. Nothing may be at its path.
    func copy(_ source: String, to path: String) throws(PublishingError) {
        try wrapped { () throws(FileError) in
            let input = try OpenFile(source, for: .read)
            try create(path) { file throws(FileError) in try input.forEachPiece(file.write) }
        }
    }

    private func create(_ path: String, _ fill: (OpenFile) throws(FileError) -> Void) throws(FileError) {
        let file = try OpenFile(path, for: .create)
        try fill(file)
        try file.setMode(modes.file)
        try Self.giveToOwner(file)
        try file.sync()
    }

    private func wrapped<Value>(_ body: () throws(FileError) -> Value) throws(PublishingError) -> Value {
        do throws(FileError) { return try body() } catch { throw .system(error) }
    }

    /// Makes a folder and the missing folders above it.
    func makeFolder(_ path: String) throws(PublishingError) {
        if mkdir(path, modes.folder) == 0 {
            guard chmod(path, modes.folder) == 0 else { throw failure("be given its mode", path) }
            return try wrapped { () throws(FileError) in try Self.giveToOwner(OpenFile(path, for: .folder)) }
        }
        switch errno {
        case ENOENT:
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard parent != path else { throw failure("be created", path) }
            try makeFolder(parent)
            try makeFolder(path)
            try sync(folder: parent)
        case EEXIST:
            guard try isFolder(path) else { throw .notOurs(path: path, expected: "a folder") }
        default: throw failure("be created", path)
        }
    }

    private static func giveToOwner(_ made: OpenFile) throws(FileError) {
        guard geteuid() == 0 else { return }
        try made.setOwner(like: OpenFile(FilePath.folder(of: made.path), for: .folder).status())
    }

    /// Names that were added to the folder or removed from it survive a power cut.
    func sync(folder path: String) throws(PublishingError) {
        try wrapped { () throws(FileError) in try OpenFile.sync(folder: path) }
    }

    func rename(_ path: String, to new: String) throws(PublishingError) {
        try wrapped { () throws(FileError) in try FileMove.rename(path, to: new) }
    }

    /// A symbolic link that points at `target` from one instant to the next, whatever it pointed at before.
    func link(_ path: String, draft: String, to target: String) throws(PublishingError) {
        unlink(draft)
        guard symlink(target, draft) == 0 else { throw failure("be created", draft) }
        try rename(draft, to: path)
    }

    /// Removes a file, a link, or a folder with its content.
    func remove(_ path: String) throws(PublishingError) {
        errno = 0
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw failure("be removed", path)
        }
    }

    /// The names in a folder, sorted; none if there is no such folder.
    func names(in path: String) throws(PublishingError) -> [String] {
        guard try status(path, followsLinks: true) != nil else { return [] }
        guard access(path, R_OK | X_OK) == 0 else { throw failure("be read", path) }
        return try wrapped { () throws(FileError) in try FolderNames.texts(path) }
    }

    /// What a symbolic link says.
    func target(ofLink path: String) throws(PublishingError) -> String {
        errno = 0
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: path)
        } catch {
            throw failure("be read", path)
        }
    }

    /// The bytes of a file; a symbolic link is not followed.
    func contents(of path: String) throws(PublishingError) -> [UInt8] {
        try wrapped { () throws(FileError) in try OpenFile(path, for: .read).read() }
    }

    /// A folder, or a link to one.
    func isFolder(_ path: String) throws(PublishingError) -> Bool {
        try status(path, followsLinks: true)?.kind == .folder
    }

    /// What is at a path; nil only if nothing has the name.
    func status(_ path: String, followsLinks: Bool = false) throws(PublishingError) -> FileStatus? {
        try wrapped { () throws(FileError) in try FileStatus.lookUp(path, followsLinks: followsLinks) }
    }

    /// Records by the folder's time when readers stopped to see it. A file system that refuses is no failure: the time
    /// only protects late readers from `keep`.
    func touch(_ path: String) { utimes(path, nil) }

    private func failure(_ action: String, _ path: String) -> PublishingError { .system(FileError(path, action)) }
}

/// Who may read what is published. The process's umask (077) does not count: each mode is set exactly.
///
/// A published set is disclosure-controlled and meant for release, but its readers are not for this program to choose. So
/// the default is the owner and the folder's group, which the API's server belongs to; `0o644` and `0o755` would let
/// everyone on the machine in.
package struct AccessModes: Sendable, Hashable {
    package var file: mode_t
    package var folder: mode_t

    package init(file: mode_t = 0o640, folder: mode_t = 0o750) {
        self.file = file
        self.folder = folder
    }
}
