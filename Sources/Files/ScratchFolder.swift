import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A private folder (0700) for the drafts of one operation, beside the place of its result. It is removed with its content at
/// deinit.
///
/// A killed process leaves the folder. Its lock is free then, by which the next operation of this kind recognises it and
/// removes it.
package final class ScratchFolder: Sendable {
    /// What a folder is for, in its name: `.tripkpi-backup-` and 16 digits.
    package enum Kind: String, Sendable, CaseIterable {
        case backup, restore, releases

        fileprivate var prefix: String { ScratchFolder.namePrefix + rawValue + "-" }
    }

    /// Of all names that only a process under way has, and one that was killed.
    private static let namePrefix = ".tripkpi-"

    package let path: String
    private let lock: OpenFile

    /// How long a folder may be without its lock file: its maker is about to create it.
    private static let secondsToLock = 60

    /// - Parameter folder: must be there. An error names it, and not the draft.
    package init(in folder: String, for kind: Kind) throws(FileError) {
        try Self.removeLeftovers(in: folder, [kind])
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        path = "\(folder)/\(kind.prefix)\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits)"
        guard mkdir(path, 0o700) == 0 else { throw FileError(folder, "be written to") }
        do throws(FileError) {
            lock = try OpenFile(Self.lockPath(of: path), for: .create)
            // Whoever looks for leftovers holds it for an instant, and may have removed the folder before it was locked.
            try lock.lock(.exclusive)
            guard try FileStatus.lookUp(lock.path)?.identity == lock.status().identity else {
                throw FileError(path, "be created", code: EAGAIN)
            }
        } catch {
            Self.remove(path)
            throw FileError(folder, "be written to", code: error.code)
        }
    }

    /// Fails if the folder's file system has no hard links: a new file could not get its name without a chance of replacing
    /// another one. Asked before any work.
    ///
    /// - Parameters:
    ///   - target: the result, for the message.
    ///   - link: `link(2)`.
    package func requireHardLinks(
        for target: String, remedy: String, link: (String, String) -> Int32 = { systemLink($0, $1) }
    ) throws(FileError) {
        let probe = path + "/probe", name = path + "/probe-link"
        _ = try OpenFile(probe, for: .create)
        guard link(probe, name) == 0 else {
            let code = errno
            guard [EPERM, ENOSYS, EMLINK, EOPNOTSUPP, ENOTSUP].contains(code) else {
                throw FileError(target, "be written", code: code)
            }
            throw FileError(
                target, "be written", code: ENOTSUP, reason: "its file system has no hard links", remedy: remedy)
        }
        unlink(name)
        unlink(probe)
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

    /// Runs a body. Errors about files of this folder name the result, because users do not know the draft.
    package func reporting<Value>(as target: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as FileError where error.path.hasPrefix(path + "/") {
            throw FileError(target, error.action, code: error.code)
        }
    }

    /// Makes a folder in it, with the folders above.
    package func makeFolder(_ name: String) throws(FileError) {
        var made = path
        for part in name.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw FileError(made, "be created") }
        }
    }

    private static func lockPath(of path: String) -> String { path + "/lock" }

    /// Removes what killed processes of this user have left in a folder.
    package static func removeLeftovers(in folder: String, _ kinds: [Kind]) throws(FileError) {
        for path in try leftovers(in: folder, kinds) { remove(path) }
    }

    private static func leftovers(in folder: String, _ kinds: [Kind]) throws(FileError) -> [String] {
        // In a folder that may be written to, but not read, nothing can be found.
        guard access(folder, R_OK) == 0 else { return [] }
        var found: [String] = []
        for name in try FolderNames.texts(folder) {
            guard let start = kinds.map(\.prefix).first(where: name.hasPrefix) else { continue }
            let digits = name.dropFirst(start.count), path = "\(folder)/\(name)"
            guard digits.utf8.count == 16, digits.allSatisfy(\.isHexDigit),
                let status = try FileStatus.lookUp(path, followsLinks: false), status.kind == .folder,
                status.owner == geteuid(), try isLeft(path, status)
            else { continue }
            found.append(path)
        }
        return found
    }

    /// What is in a folder under a name that only a process under way has, and no process uses: that of another user or version
    /// too.
    package static func unused(in folder: String) throws(FileError) -> [String] {
        guard access(folder, R_OK) == 0 else { return [] }
        var found: [String] = []
        for name in try FolderNames.texts(folder) where name.hasPrefix(namePrefix) {
            let path = "\(folder)/\(name)"
            // A process may have removed it meanwhile.
            guard let status = try FileStatus.lookUp(path, followsLinks: false) else { continue }
            if status.kind == .folder, status.owner == geteuid() {
                if try isLeft(path, status) { found.append(path) }
            } else if time(nil) - status.modified > secondsToLock {
                found.append(path)
            }
        }
        return found
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

/// `link(2)`.
private func systemLink(_ path: String, _ new: String) -> Int32 { link(path, new) }
