package import Files
import Foundation
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file of a pseudonym key: `PseudonymKey.byteCount` random bytes that only their owner may read. A rotated key has
/// as many more for each rotation, and at the end as many for the mark that distinguishes it from any longer file.
///
/// With the key anybody can try out identifiers, so a file that others may read is refused rather than corrected.
package enum PseudonymKeyFile {
    /// Reads a key. The checks are made on the opened file, so it cannot be replaced in between.
    ///
    /// - Parameters:
    ///   - credentials: the folder that a service manager keeps secrets in (`$CREDENTIALS_DIRECTORY` of
    ///     systemd, where an access list for the service shows as a mode of 0440). A file of root's directly in it may
    ///     be readable for its group; no other file may.
    ///   - storeFingerprint: asked only for a file that is longer than a key and has no mark of `rotate`. Earlier
    ///     versions wrote no mark, so such a file is taken for a rotated key only if a store has this very key.
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

    /// Reads the key of a crosswalk: a file of the same kind, of one layer. `create` makes it too.
    package static func loadCrosswalkKey(
        _ path: String, credentials: String? = nil
    ) throws(PseudonymKeyError) -> CrosswalkKey {
        var bytes = try read(path, credentials: credentials)
        defer { SecretBytes.wipe(&bytes) }
        guard let key = CrosswalkKey(bytes: bytes) else { throw .wrongSize(path: path, bytes: bytes.count) }
        return key
    }

    private static func read(_ path: String, credentials: String?) throws(PseudonymKeyError) -> [UInt8] {
        try readPrivate(path, credentials: credentials, isWhole: PseudonymKey.isWhole)
    }

    /// The bytes of a file that only its owner may read.
    ///
    /// - Parameter isWhole: whether it can have this many bytes.
    static func readPrivate(
        _ path: String, credentials: String? = nil, isWhole: (Int) -> Bool
    ) throws(PseudonymKeyError) -> [UInt8] {
        do {
            let file = try OpenFile(path, for: .read)
            let status = try file.status()
            try check(status, path, isCredential: credentials.map { isDirectly(path, in: $0) } ?? false)
            guard isWhole(status.size) else { throw PseudonymKeyError.wrongSize(path: path, bytes: status.size) }
            // One byte more, to notice a file that grows.
            return try file.read(count: status.size + 1)
        } catch let error as FileError {
            switch error.code {
            case ENOENT, ENOTDIR: throw .missing(path: path)
            case ELOOP: throw .symbolicLink(path: path)
            default: throw .unreadable(path: path, code: error.code)
            }
        } catch let error as PseudonymKeyError {
            throw error
        } catch {
            throw .unreadable(path: path, code: EIO)
        }
    }

    private static func check(_ status: FileStatus, _ path: String, isCredential: Bool) throws(PseudonymKeyError) {
        guard status.kind == .file else { throw .notAFile(path: path) }
        guard status.isOwnersOrRoots else { throw .foreign(path: path, owner: status.owner) }
        let mode = isCredential && status.owner == 0 ? status.mode & ~S_IRGRP : status.mode
        guard mode & (S_IRWXG | S_IRWXO) == 0 else { throw .open(path: path, mode: UInt32(status.mode)) }
    }

    private static func isDirectly(_ path: String, in folder: String) -> Bool {
        var folder = folder[...]
        while folder.last == "/" { folder.removeLast() }
        return !folder.isEmpty && FilePath.folder(of: path) == folder
    }

    package static func systemRandom() -> [UInt8] { SecretBytes.random(PseudonymKey.byteCount) }

    /// Makes a key at a path where there is nothing yet. A kill leaves a whole key or none, and perhaps a file that
    /// `removeParts` removes.
    ///
    /// - Parameter random: returns `PseudonymKey.byteCount` unpredictable bytes.
    package static func create(
        _ path: String, random: () -> [UInt8] = PseudonymKeyFile.systemRandom
    ) throws(PseudonymKeyError) -> PseudonymKey {
        var bytes = random()
        defer { SecretBytes.wipe(&bytes) }
        guard bytes.count == PseudonymKey.byteCount, let key = PseudonymKey(bytes: bytes) else {
            throw .wrongSize(path: path, bytes: bytes.count)
        }
        try write(bytes, to: path, .new)
        return key
    }

    /// Writes a key from a backup to a path where there is nothing yet.
    ///
    /// - Parameter owner: root gives the file to the owner of this one.
    package static func putBack(_ key: PseudonymKey, at path: String, owner: FileStatus) throws(PseudonymKeyError) {
        var bytes = key.fileBytes
        defer { SecretBytes.wipe(&bytes) }
        try write(bytes, to: path, .new, owner: owner)
    }

    /// Rotates a key: adds a layer to it. A kill leaves the old key or the rotated one.
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
        try write(rotated, to: path, .replacing)
        return key
    }

    private static func write(
        _ bytes: [UInt8], to path: String, _ publication: AtomicFile.Publication, owner: FileStatus? = nil
    ) throws(PseudonymKeyError) {
        do throws(FileError) {
            let folder = try OpenFile(FilePath.folder(of: path), for: .folder)
            removeParts(of: path)
            let part = path + partMark + Hexadecimal.text(UInt64.random(in: .min ... .max))
            let file = try AtomicFile(path, part: part)
            try file.append(bytes)
            if let owner { try file.file.setOwner(like: owner) }
            try file.publish(publication)
            try folder.sync()
        } catch {
            if publication == .new, error.code == EEXIST { throw .exists(path: path) }
            throw .notCreated(path: path, code: error.code)
        }
    }

    private static let partMark = ".part-"

    /// Removes what killed calls of `create` and `rotate` left, named `<path>.part-` and 16 hexadecimal digits. A call that
    /// is under way then fails to publish its part, and no key is harmed.
    package static func removeParts(of path: String) {
        let folder = FilePath.folder(of: path), start = FilePath.name(of: path) + partMark
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(start) {
            let digits = name.dropFirst(start.count)
            if digits.utf8.count == 16, digits.allSatisfy(\.isHexDigit) { unlink("\(folder)/\(name)") }
        }
    }
}

/// Why there is no key. It names the file and never a byte of it.
package enum PseudonymKeyError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case missing(path: String)
    case symbolicLink(path: String)
    case notAFile(path: String)
    /// Group or others have a right to it.
    case open(path: String, mode: UInt32)
    /// The owner is neither this user nor root.
    case foreign(path: String, owner: UInt32)
    case wrongSize(path: String, bytes: Int)
    /// It is longer than a key, and not by a rotation.
    case notRotated(path: String, bytes: Int)
    /// It was rotated as often as possible.
    case rotatedOut(path: String)
    /// A system call failed; `code` is its `errno`.
    case unreadable(path: String, code: Int32)
    /// There is something at the path already, which is never replaced.
    case exists(path: String)
    case notCreated(path: String, code: Int32)

    package var isMissing: Bool {
        if case .missing = self { true } else { false }
    }

    package var failureKind: FailureKind {
        switch self {
        case .open, .foreign: .permission
        case .unreadable(_, EACCES), .unreadable(_, EPERM), .notCreated(_, EACCES), .notCreated(_, EPERM): .permission
        case .missing, .symbolicLink, .notAFile, .wrongSize, .notRotated, .rotatedOut: .configuration
        case .exists, .notCreated: .cannotCreate
        case .unreadable: .inputOutput
        }
    }

    package var description: String {
        switch self {
        case .missing(let path):
            "\(path): there is no key; name its file, or restore it from a backup: with another one nothing can be added "
                + "to the store and no trip of it found again, though what was published stands. Lost for good: move the "
                + "store away, put all exports into the inbox, and run once with --releases-of and the store's new place; "
                + "trips get new public ids then"
        case .symbolicLink(let path):
            "\(path): the key is a symbolic link; name the file it leads to"
        case .notAFile(let path):
            "\(path): the key is not a regular file; name one with \(PseudonymKey.byteCount) random bytes"
        case .open(let path, let mode):
            "\(path): others may use the key (mode 0\(String(mode, radix: 8))); run: chmod 600 on it, "
                + "and think about who has read it"
        case .foreign(let path, let owner):
            "\(path): the key belongs to user \(owner); make it a file of the user who runs tripkpi, or of root"
        case .wrongSize(let path, let bytes):
            "\(path): the key has \(bytes) bytes instead of \(PseudonymKey.byteCount) for itself and "
                + "for each rotation; restore it from a backup"
        case .notRotated(let path, let bytes):
            "\(path): the key has \(bytes) bytes instead of \(PseudonymKey.byteCount), and `tripkpi key rotate` did not "
                + "write them; restore it from a backup"
        case .rotatedOut(let path):
            "\(path): the key was rotated \(PseudonymKey.maximumLayers - 1) times and cannot be rotated again; name a new "
                + "file with --key-file, and load all exports into a new store"
        case .unreadable(let path, let code):
            "\(path): the key cannot be read (\(String(cString: strerror(code)))); check the file, its folder and their "
                + "modes"
        case .exists(let path):
            "\(path): there is a key already and it is kept; use it, or name another file"
        case .notCreated(let path, let code):
            "\(path): the key cannot be made (\(String(cString: strerror(code)))); check the folder, its mode and the "
                + "space left, and run again"
        }
    }
}
