#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// A file that appears whole or not at all: written beside its place under another name, synced, then given its name,
/// and the folder synced. An unfinished one is removed at deinit; what a killed process left, the next one replaces.
package struct AtomicFile: ~Copyable {
    /// How the finished file gets its name.
    package enum Publication: Sendable {
        /// In place of the file that has the name.
        case replacing
        /// Only if the name is free: EEXIST otherwise.
        case new
    }

    package let path: String
    /// Where the bytes are until the file is published.
    package let part: String
    /// Open for several threads that write to it in turn.
    package let file: OpenFile
    private var isPublished = false

    /// - Parameter part: the path of the unfinished file, in the same folder.
    package init(_ path: String, part: String) throws(FileError) {
        file = try Self.create(part, for: path)
        self.path = path
        self.part = part
    }

    /// A file at a path that a user has named: only a plain file is replaced.
    package init(output path: String) throws(FileError) {
        try Self.check(output: path)
        Self.removeLeftovers(of: path)
        try self.init(path, part: "\(path).part-\(getpid())")
        // Tells the next process that this one is alive. Where there are no locks, leftovers stay.
        _ = try? file.lockAtOnce(.exclusive)
    }

    /// Removes what killed processes left of an output, named `<path>.part-` and a process id. A process that is alive holds
    /// the lock of its part. What cannot be looked at or removed is not in the way: nothing reads it.
    private static func removeLeftovers(of path: String) {
        let folder = FilePath.folder(of: path)
        let mark = (path.split(separator: "/").last.map(String.init) ?? path) + ".part-"
        for name in (try? FolderNames.texts(folder)) ?? [] where name.hasPrefix(mark) {
            guard name.dropFirst(mark.count).allSatisfy(\.isNumber), name.count > mark.count else { continue }
            let part = folder + "/" + name
            guard let file = try? OpenFile(part, for: .append), (try? file.lockAtOnce(.exclusive)) == true else {
                continue
            }
            unlink(part)
        }
    }

    private static func create(_ part: String, for path: String) throws(FileError) -> OpenFile {
        unlink(part)
        do throws(FileError) { return try OpenFile(part, for: .create) } catch {
            throw FileError(path, "be written", code: error.code)
        }
    }

    /// Fails if no file can be created at the path: called before hours of reading. A link, a device or a pipe is not
    /// replaced by a file.
    package static func check(output path: String) throws(FileError) {
        if let status = FileStatus(path) {
            switch status.kind {
            case .file: break
            case .folder: throw FileError(path, "be written", code: EISDIR)
            case .symbolicLink:
                throw FileError(
                    path, "be written", code: EEXIST, reason: "it is a symbolic link", remedy: "name the file itself")
            case .other:
                throw FileError(
                    path, "be written", code: EEXIST, reason: "it is not a file",
                    remedy: "leave --output out to write to a pipe")
            }
        } else if errno != ENOENT {
            throw FileError(path, "be written")
        }
        guard access(FilePath.folder(of: path), W_OK | X_OK) == 0 else { throw FileError(path, "be written") }
    }

    deinit { if !isPublished { unlink(part) } }

    package func append(_ bytes: [UInt8]) throws(FileError) {
        do throws(FileError) {
            try file.write(bytes)
        } catch {
            throw FileError(path, error.action, code: error.code)
        }
    }

    /// - Parameter mode: who may read the file.
    package consuming func publish(_ publication: Publication = .replacing, mode: mode_t = 0o600) throws(FileError) {
        if mode != 0o600 { try file.setMode(mode) }
        try file.sync()
        switch publication {
        case .replacing:
            guard rename(part, path) == 0 else { throw FileError(path, "be written") }
            isPublished = true
        case .new:
            // Unlike a rename, a link takes the place of nothing. The other name goes at deinit.
            guard link(part, path) == 0 else { throw FileError(path, "be written") }
        }
        // A folder that may be written to, but not read, cannot be synced.
        try? OpenFile.sync(folder: FilePath.folder(of: path))
    }

    package static func write(
        _ bytes: [UInt8], to path: String, part: String, mode: mode_t = 0o600
    ) throws(FileError) {
        let file = try AtomicFile(path, part: part)
        try file.append(bytes)
        try file.publish(mode: mode)
    }

    package static func write(_ bytes: [UInt8], output path: String) throws(FileError) {
        let file = try AtomicFile(output: path)
        try file.append(bytes)
        try file.publish()
    }
}
