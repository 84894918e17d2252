import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file of a pseudonym key: `PseudonymKey.byteCount` random bytes that only their owner may read. A rotated key has
/// as many more for each rotation, and at the end as many for the mark that tells them from any longer file.
///
/// Whoever has the key can try out identifiers, so a file that others may read is refused rather than mended.
package enum PseudonymKeyFile {
    /// Reads a key. What is checked is the file that was opened, so nobody can put another one in its place between.
    ///
    /// - Parameters:
    ///   - credentials: the folder that a service manager keeps secrets in (`$CREDENTIALS_DIRECTORY` of
    ///     systemd, where an access list for the service shows as a mode of 0440). A file of root's directly in it may
    ///     be readable for its group; no other one may.
    ///   - storeFingerprint: asked only for a file that is longer than a key and has no mark of `rotate`. Earlier
    ///     versions wrote none, so such a file is taken for a rotated key only if a store has this very key.
    package static func load(
        _ path: String, credentials: String? = nil, storeFingerprint: () -> String? = { nil }
    ) throws(PseudonymKeyError) -> PseudonymKey {
        var bytes = try read(path, credentials: credentials)
        defer { SecretBytes.wipe(&bytes) }
        guard let key = PseudonymKey(bytes: bytes) else { throw .wrongSize(path: path, bytes: bytes.count) }
        guard key.hasRotationMark || storeFingerprint() == key.fingerprint else {
            throw .notRotated(path: path, bytes: bytes.count)
        }
        return key
    }

    private static func read(_ path: String, credentials: String?) throws(PseudonymKeyError) -> [UInt8] {
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
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        #if canImport(Glibc)
        let count = Glibc.read(file, &bytes, bytes.count)
        #else
        let count = Darwin.read(file, &bytes, bytes.count)
        #endif
        guard count >= 0 else { throw .unreadable(path: path, code: errno) }
        bytes.removeLast(bytes.count - count)
        return bytes
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
        guard PseudonymKey.isWhole(Int(status.st_size)) else {
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
        var bytes = random()
        defer { SecretBytes.wipe(&bytes) }
        guard bytes.count == PseudonymKey.byteCount, let key = PseudonymKey(bytes: bytes) else {
            throw .wrongSize(path: path, bytes: bytes.count)
        }
        try put(bytes, at: path) { part throws(PseudonymKeyError) in
            // Unlike a rename, a link takes the place of nothing.
            guard link(part, path) == 0 else {
                throw errno == EEXIST ? .exists(path: path) : .notCreated(path: path, code: errno)
            }
        }
        return key
    }

    /// Rotates a key: adds a layer to it. Killed at any instant it leaves the key as it was or as it is to be.
    package static func rotate(
        _ path: String, random: () -> [UInt8] = PseudonymKeyFile.systemRandom
    ) throws(PseudonymKeyError) -> PseudonymKey {
        var bytes = try read(path, credentials: nil)
        defer { SecretBytes.wipe(&bytes) }
        guard let before = PseudonymKey(bytes: bytes) else { throw .wrongSize(path: path, bytes: bytes.count) }
        guard before.layerCount < PseudonymKey.maximumLayers else { throw .rotatedOut(path: path) }
        var layer = random()
        defer { SecretBytes.wipe(&layer) }
        guard layer.count == PseudonymKey.byteCount else { throw .wrongSize(path: path, bytes: layer.count) }
        var rotated = PseudonymKey.marked(bytes.prefix(before.layerCount * PseudonymKey.byteCount) + layer)
        defer { SecretBytes.wipe(&rotated) }
        guard let key = PseudonymKey(bytes: rotated) else { throw .rotatedOut(path: path) }
        try put(rotated, at: path) { part throws(PseudonymKeyError) in
            guard rename(part, path) == 0 else { throw .notCreated(path: path, code: errno) }
        }
        return key
    }

    /// Writes a file of its own beside `path` and hands it to `place`, which gives it the name.
    private static func put(
        _ bytes: [UInt8], at path: String, _ place: (_ part: String) throws(PseudonymKeyError) -> Void
    ) throws(PseudonymKeyError) {
        let folder = open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .notCreated(path: path, code: errno) }
        defer { close(folder) }
        removeParts(of: path)
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        let part = "\(path)\(partMark)\(String(repeating: "0", count: 16 - digits.count))\(digits)"
        defer { unlink(part) }
        try fill(part, bytes, for: path)
        try place(part)
        guard fsync(folder) == 0 else { throw .notCreated(path: path, code: errno) }
    }

    package static func systemRandom() -> [UInt8] { SecretBytes.random(PseudonymKey.byteCount) }

    /// Reads the key of a crosswalk: such a file too, of one layer. It is made by `create`.
    package static func loadCrosswalkKey(
        _ path: String, credentials: String? = nil
    ) throws(PseudonymKeyError) -> CrosswalkKey {
        var bytes = try read(path, credentials: credentials)
        defer { SecretBytes.wipe(&bytes) }
        guard let key = CrosswalkKey(bytes: bytes) else { throw .wrongSize(path: path, bytes: bytes.count) }
        return key
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
}
