#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Foundation

/// A private folder (0700) for the drafts of one operation, beside the place of its result. It is removed with its content at
/// deinit.
///
/// A killed process leaves the folder. Its lock is free then, by which the next operation of this kind recognises it and
/// removes it.
package final class ScratchFolder: Sendable {
    package let path: String
    private let lock: OpenFile

    /// How long a folder may be without its lock file: its maker is about to create it.
    private static let secondsToLock = 60

    /// - Parameters:
    ///   - folder: must be there.
    ///   - kind: what it is for, in its name: `.tripkpi-backup-` and 16 digits.
    package init(in folder: String, for kind: String) throws(FileError) {
        try Self.removeLeftovers(in: folder, kind)
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        path = "\(folder)/\(Self.prefix(kind))\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits)"
        guard mkdir(path, 0o700) == 0 else { throw FileError(path, "be created") }
        do throws(FileError) {
            lock = try OpenFile(Self.lockPath(of: path), for: .create)
            _ = try lock.lockAtOnce(.exclusive)
        } catch {
            Self.remove(path)
            throw error
        }
    }

    deinit { Self.remove(path) }

    /// The lock goes last: what a kill leaves of the content still has it. What cannot be removed now, the next operation removes.
    private static func remove(_ path: String) {
        let own = FilePath.name(of: lockPath(of: path))
        for name in (try? FolderNames.texts(path)) ?? [] where name != own {
            guard (try? FileManager.default.removeItem(atPath: "\(path)/\(name)")) != nil else { return }
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Makes a folder in it, with the folders above.
    package func makeFolder(_ name: String) throws(FileError) {
        var made = path
        for part in name.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw FileError(made, "be created") }
        }
    }

    private static func prefix(_ kind: String) -> String { ".tripkpi-\(kind)-" }

    private static func lockPath(of path: String) -> String { path + "/lock" }

    private static func removeLeftovers(in folder: String, _ kind: String) throws(FileError) {
        // In a folder that may be written to, but not read, nothing can be found.
        guard access(folder, R_OK) == 0 else { return }
        let start = prefix(kind)
        for name in try FolderNames.texts(folder) where name.hasPrefix(start) {
            let digits = name.dropFirst(start.count), path = "\(folder)/\(name)"
            guard digits.utf8.count == 16, digits.allSatisfy(\.isHexDigit),
                let status = try FileStatus.lookUp(path, followsLinks: false), status.kind == .folder,
                status.owner == geteuid(), try isLeft(path, status)
            else { continue }
            remove(path)
        }
    }

    private static func isLeft(_ path: String, _ status: FileStatus) throws(FileError) -> Bool {
        do throws(FileError) {
            return try OpenFile(lockPath(of: path), for: .read).lockAtOnce(.exclusive)
        } catch {
            guard error.isMissing else { throw error }
            return time(nil) - status.modified > secondsToLock
        }
    }
}
