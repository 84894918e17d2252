import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file system's calls that publishing is made of, each with its error, and each synced where a power cut could
/// undo it.
struct DurableFiles: Sendable {
    let modes: AccessModes

    /// A new file, written and synced. Nothing may stand at its path.
    func write(_ bytes: [UInt8], to path: String) throws(PublishingError) {
        try write(to: path) { try $0.write(contentsOf: Data(bytes)) }
    }

    /// A new file with the content of another, written in pieces and synced. Nothing may stand at its path.
    func copy(_ source: String, to path: String) throws(PublishingError) {
        let descriptor = open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("be read", source) }
        let input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try write(to: path) { output in
            while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty { try output.write(contentsOf: piece) }
        }
    }

    private func write(to path: String, _ body: (FileHandle) throws -> Void) throws(PublishingError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("be created", path) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        errno = 0
        do {
            try body(handle)
        } catch {
            throw failure("be written", path)
        }
        guard fchmod(descriptor, modes.file) == 0, fsync(descriptor) == 0 else { throw failure("be written", path) }
    }

    /// Makes a folder and those above it that are not there.
    func makeFolder(_ path: String) throws(PublishingError) {
        if mkdir(path, modes.folder) == 0 {
            guard chmod(path, modes.folder) == 0 else { throw failure("be given its mode", path) }
            return
        }
        switch errno {
        case ENOENT:
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard parent != path else { throw failure("be created", path) }
            try makeFolder(parent)
            try makeFolder(path)
            try sync(folder: parent)
        case EEXIST:
            guard isFolder(path) else { throw .notOurs(path: path, expected: "a folder") }
        default: throw failure("be created", path)
        }
    }

    /// Makes names that were added or removed in it survive a power cut.
    func sync(folder path: String) throws(PublishingError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("be opened", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("be synced", path) }
    }

    func rename(_ path: String, to new: String) throws(PublishingError) {
        #if canImport(Glibc)
        let result = Glibc.rename(path, new)
        #else
        let result = Darwin.rename(path, new)
        #endif
        guard result == 0 else { throw failure("take its place", new) }
    }

    /// A symbolic link that points at `target` from one instant to the next, whatever it pointed at before.
    func link(_ path: String, draft: String, to target: String) throws(PublishingError) {
        unlink(draft)
        guard symlink(target, draft) == 0 else { throw failure("be created", draft) }
        try rename(draft, to: path)
    }

    /// Removes a file, a link, or a folder with all that is in it.
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
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return [] }
            throw failure("be read", path)
        }
        guard access(path, R_OK | X_OK) == 0 else { throw failure("be read", path) }
        errno = 0
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw failure("be read", path)
        }
    }

    /// Anything at all, a link that leads nowhere included.
    func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Folder, or a link to one.
    func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Says by its time that a folder is no longer what `current` points at. A file system that refuses is no failure:
    /// the time only guards late readers against `keep`.
    func touch(_ path: String) {
        utimes(path, nil)
    }

    func failure(_ action: String, _ path: String) -> PublishingError {
        .system(action: action, path: path, code: errno == 0 ? EIO : errno)
    }
}
