import Foundation

/// Why the store cannot be had for oneself.
package enum RunLockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process holds it. Owner and age are nil if it has not said who it is: it took the lock this instant, or
    /// it is no tripkpi.
    case held(path: String, owner: LockOwner?, since: UTCTime?, ageSeconds: Int?)
    /// The lock file cannot be opened or made.
    case cannotOpen(path: String, code: Int32)
    /// The file system does not lock.
    case cannotLock(path: String, code: Int32)

    package var isHeld: Bool {
        if case .held = self { return true }
        return false
    }

    package var isPermission: Bool {
        if case .cannotOpen(_, let code) = self { return code == EACCES || code == EPERM }
        return false
    }

    /// Whether there is no file, and none can be made.
    package var isCreation: Bool {
        guard case .cannotOpen(_, let code) = self else { return false }
        return [ENOENT, ENOTDIR, EISDIR, EROFS, ENOSPC, EDQUOT, ENAMETOOLONG, ELOOP].contains(code)
    }

    package var description: String {
        switch self {
        case .held(let path, let owner, let since, let age):
            guard let owner else {
                return "\(path): held by a process that has not said who it is; wait for it, or ask `fuser -v \(path)`"
            }
            let run = owner.runID.map { ", run \($0)" } ?? ""
            let started = since.map { ", since \($0)" } ?? ""
            let old = age.map { " (\(DurationText.short(seconds: $0)))" } ?? ""
            return "\(path): held by \(owner.command), process \(owner.process) of \(owner.user) on host \(owner.host)"
                + "\(run)\(started)\(old); wait for it to end, or end that process: the lock ends with it"
        case .cannotOpen(let path, let code) where code == EACCES || code == EPERM:
            return "\(path): the lock cannot be opened (\(Self.text(code))); run as the owner of the store"
        case .cannotOpen(let path, let code):
            return "\(path): the lock cannot be opened (\(Self.text(code))); check that the store's folder is there "
                + "and can be written to, and that this path is free for a file"
        case .cannotLock(let path, let code):
            return "\(path): the lock cannot be taken (\(Self.text(code))); keep the store on a local file system"
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
