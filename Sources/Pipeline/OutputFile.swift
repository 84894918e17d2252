import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes a file whole or not at all: beside its place, for its owner only, synced, then renamed (SPEC §6).
package struct OutputFile: ~Copyable {
    private let path: String
    /// Where its bytes are until it is published.
    let part: String
    private let handle: FileHandle
    private var isPublished = false

    /// Begins a file that appears at `path` once it is published; a draft that is not is removed.
    package init(_ path: String) throws(OutputError) {
        let part = "\(path).part-\(getpid())"
        handle = try Self.draft(part, for: path)
        self.path = path
        self.part = part
    }

    private static func draft(_ part: String, for path: String) throws(OutputError) -> FileHandle {
        try check(path)
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputError(path: path, code: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { if !isPublished { unlink(part) } }

    package func append(_ bytes: [UInt8]) throws(OutputError) {
        try handle.append(bytes, path: path)
    }

    package consuming func publish() throws(OutputError) {
        guard fsync(handle.fileDescriptor) == 0, rename(part, path) == 0 else {
            throw OutputError(path: path, code: errno)
        }
        isPublished = true
    }

    package static func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
        let file = try OutputFile(path)
        try file.append(bytes)
        try file.publish()
    }

    /// Fails if nothing can be put at this path: asked before hours of reading. A link, a device or a pipe is not
    /// replaced by a file.
    package static func check(_ path: String) throws(OutputError) {
        var status = stat()
        if lstat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw OutputError(path: path, code: EISDIR)
            case S_IFLNK: throw OutputError(path: path, refusal: "it is a symbolic link", "name the file itself")
            default:
                throw OutputError(path: path, refusal: "it is not a file", "leave --output out to write to a pipe")
            }
        } else if errno != ENOENT {
            throw OutputError(path: path, code: errno)
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard access(folder, W_OK | X_OK) == 0 else { throw OutputError(path: path, code: errno) }
    }
}

/// Where data goes unless a file is named. Messages go to standard error.
package enum StandardOutput {
    /// A reader that has gone away ends the process quietly by SIGPIPE, as in other tools.
    package static func write(_ bytes: [UInt8]) throws(OutputError) {
        try FileHandle.standardOutput.append(bytes, path: "standard output")
    }
}

extension FileHandle {
    fileprivate func append(_ bytes: [UInt8], path: String) throws(OutputError) {
        errno = 0
        do {
            try write(contentsOf: Data(bytes))
        } catch {
            throw OutputError(path: path, code: errno == 0 ? EIO : errno)
        }
    }
}

/// Why an output cannot be written.
package struct OutputError: Error, Sendable, CustomStringConvertible {
    package let path: String
    package let code: Int32
    private let problem: String
    private let remedy: String

    package init(path: String, code: Int32) {
        self.path = path
        self.code = code
        problem = String(cString: strerror(code))
        remedy = "check the folder, its mode and the space left"
    }

    /// What stands at the path is nothing that a file may take the place of.
    init(path: String, refusal: String, _ remedy: String) {
        self.path = path
        code = EEXIST
        problem = refusal
        self.remedy = remedy
    }

    /// Whether the file could not even be made, rather than not be filled.
    package var isCreation: Bool { [ENOENT, ENOTDIR, EISDIR, EEXIST, EROFS, ENAMETOOLONG, ELOOP].contains(code) }
    package var isPermission: Bool { code == EACCES || code == EPERM }

    package var description: String { "\(path): cannot be written (\(problem)); \(remedy)" }
}
