import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file of a pseudonym key: `PseudonymKey.byteCount` random bytes that only their owner may read.
///
/// Whoever has the key can try out identifiers, so a file that others may read is refused rather than mended.
package enum PseudonymKeyFile {
    /// Reads a key. What is checked is the file that was opened, so nobody can put another one in its place between.
    ///
    /// - Parameter credentials: the folder that a service manager keeps secrets in (`$CREDENTIALS_DIRECTORY` of
    ///   systemd, where an access list for the service shows as a mode of 0440). A file of root's directly in it may
    ///   be readable for its group; no other one may.
    package static func load(_ path: String, credentials: String? = nil) throws(PseudonymKeyError) -> PseudonymKey {
        // Without O_NONBLOCK a pipe would be waited for.
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw .missing(path: path)
            case ELOOP: throw .symbolicLink(path: path)
            default: throw .unreadable(path: path, code: errno)
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path: path, code: errno) }
        try check(status, path, isCredential: credentials.map { isDirectly(path, in: $0) } ?? false)
        // One more, to notice a file that grows.
        var bytes = [UInt8](repeating: 0, count: PseudonymKey.byteCount + 1)
        defer { wipe(&bytes) }
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw .unreadable(path: path, code: errno) }
        bytes.removeLast(bytes.count - count)
        guard let key = PseudonymKey(bytes: bytes) else { throw .wrongSize(path: path, bytes: count) }
        return key
    }

    private static func check(_ status: stat, _ path: String, isCredential: Bool) throws(PseudonymKeyError) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .foreign(path: path, owner: status.st_uid)
        }
        let isRead: mode_t = isCredential && status.st_uid == 0 ? S_IRGRP : 0
        guard status.st_mode & (S_IRWXG | S_IRWXO) & ~isRead == 0 else {
            throw .open(path: path, mode: UInt32(status.st_mode & 0o7777))
        }
        guard status.st_size == PseudonymKey.byteCount else {
            throw .wrongSize(path: path, bytes: Int(status.st_size))
        }
    }

    private static func isDirectly(_ path: String, in folder: String) -> Bool {
        var folder = folder[...]
        while folder.last == "/" { folder.removeLast() }
        return !folder.isEmpty && parent(of: path) == folder
    }

    /// Makes a key at a path where there is nothing yet. Killed at any instant it leaves a whole key or none; what it
    /// leaves beside it, named `<path>.part-` and 16 hexadecimal digits, the next call removes.
    ///
    /// - Parameter random: gives `PseudonymKey.byteCount` bytes that nobody can foretell.
    package static func create(
        _ path: String, random: () -> [UInt8] = PseudonymKeyFile.systemRandom
    ) throws(PseudonymKeyError) -> PseudonymKey {
        let folder = open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .notCreated(path: path, code: errno) }
        defer { close(folder) }
        removeParts(of: path)
        var bytes = random()
        defer { wipe(&bytes) }
        guard let key = PseudonymKey(bytes: bytes) else { throw .wrongSize(path: path, bytes: bytes.count) }
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let part = "\(path)\(partMark)\(String(repeating: "0", count: 16 - digits.count))\(digits)"
        defer { unlink(part) }
        try fill(part, bytes, for: path)
        // Unlike a rename, a link takes the place of nothing.
        guard link(part, path) == 0 else {
            throw errno == EEXIST ? .exists(path: path) : .notCreated(path: path, code: errno)
        }
        guard fsync(folder) == 0 else { throw .notCreated(path: path, code: errno) }
        return key
    }

    package static func systemRandom() -> [UInt8] {
        var system = SystemRandomNumberGenerator()
        return (0..<PseudonymKey.byteCount).map { _ in UInt8.random(in: 0...255, using: &system) }
    }

    private static func fill(_ part: String, _ bytes: [UInt8], for path: String) throws(PseudonymKeyError) {
        let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .notCreated(path: path, code: errno) }
        defer { close(file) }
        let count = write(file, bytes, bytes.count)
        guard count == bytes.count else { throw .notCreated(path: path, code: count < 0 ? errno : ENOSPC) }
        guard fsync(file) == 0 else { throw .notCreated(path: path, code: errno) }
    }

    private static let partMark = ".part-"

    /// Removes what calls that were killed have left. One that is under way then fails to link its part, and no key is
    /// harmed.
    private static func removeParts(of path: String) {
        let folder = parent(of: path)
        let start = "\(URL(fileURLWithPath: path).lastPathComponent)\(partMark)"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(start) {
            let digits = name.dropFirst(start.count)
            if digits.utf8.count == 16, digits.allSatisfy(\.isHexDigit) { unlink("\(folder)/\(name)") }
        }
    }

    /// The folder of a path as it was written: links in it are not followed.
    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Overwrites with zeros what the optimiser must not leave out.
    private static func wipe(_ bytes: inout [UInt8]) {
        let count = bytes.count
        #if canImport(Glibc)
        explicit_bzero(&bytes, count)
        #else
        memset_s(&bytes, count, 0, count)
        #endif
    }
}
