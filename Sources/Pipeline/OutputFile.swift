import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes a file whole or not at all: beside its place, for its owner only, synced, then renamed (SPEC §6).
package enum OutputFile {
    package static func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
        let part = "\(path).part-\(getpid())"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OutputError(path: path, code: errno) }
        var code: Int32 = 0
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(bytes))
        } catch {
            code = errno == 0 ? EIO : errno
        }
        if code == 0, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, rename(part, path) != 0 { code = errno }
        if code != 0 {
            unlink(part)
            throw OutputError(path: path, code: code)
        }
    }
}

/// Why an output cannot be written.
package struct OutputError: Error, Sendable, CustomStringConvertible {
    package let path: String
    package let code: Int32

    package init(path: String, code: Int32) {
        self.path = path
        self.code = code
    }

    /// Whether the file could not even be made, rather than not be filled.
    package var isCreation: Bool {
        code == ENOENT || code == ENOTDIR || code == EISDIR || code == EEXIST || code == EROFS
    }
    package var isPermission: Bool { code == EACCES || code == EPERM }

    package var description: String {
        "\(path): cannot be written (\(String(cString: strerror(code)))); check the folder, its mode and the space left"
    }
}
