package import Basics
import Files
import Synchronization
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The exclusive lock of a store's one writer: `flock` on a file beside the store, until `release()`, deinit, or the end
/// of the process.
///
/// The kernel frees the lock of a process that ends, however it ends, so nothing ever has to be cleaned up. The text in
/// the file only names the holder to a second process, and means nothing while no process holds the lock.
///
/// The file is never removed. Otherwise a waiting process could lock an inode without a name while a third process makes
/// and locks a new file of the same name: two holders. Programs that the holder starts do not inherit the lock.
package final class RunLock: Sendable {
    package let path: String
    private let file: Mutex<OpenFile?>

    /// Takes the lock or fails at once; it never waits.
    ///
    /// - Parameters:
    ///   - path: `<store>.lock`; its folder must be there.
    ///   - owner: this process. The age of another process's lock is counted to its start.
    package init(path: String, owner: LockOwner) throws(RunLockError) {
        let file = try Self.open(path, for: .update)
        guard try Self.lock(file, .exclusive) else { throw Self.held(file, now: owner.startedAt) }
        self.path = path
        self.file = Mutex(file)
        tell(owner)
    }

    private static func open(_ path: String, for access: OpenFile.Access) throws(RunLockError) -> OpenFile {
        do throws(FileError) {
            return try OpenFile(path, for: access)
        } catch {
            throw .cannotOpen(path: path, code: error.code)
        }
    }

    private static func lock(_ file: OpenFile, _ kind: OpenFile.Lock) throws(RunLockError) -> Bool {
        do throws(FileError) {
            return try file.lockAtOnce(kind)
        } catch {
            throw .cannotLock(path: file.path, code: error.code)
        }
    }

    /// Writes the holder's name to the file; called again when the run has its id.
    package func tell(_ owner: LockOwner) {
        file.withLock { file in
            // A full disk does not make the lock weaker; other processes then do not know its owner.
            try? file?.truncate(to: 0)
            try? file?.write(Array(owner.text.utf8))
        }
    }

    /// Gives the lock back. Later calls do nothing.
    package func release() {
        file.withLock { file in
            try? file?.truncate(to: 0)
            file?.unlock()
            file = nil
        }
    }

    deinit { release() }

    /// The error that a run would fail with now; nil if it would get the lock. Nothing is made or changed.
    package static func obstacle(path: String, now: UTCTime) -> RunLockError? {
        do throws(RunLockError) {
            let file = try open(path, for: .read)
            // A holder empties the file before it releases the lock, so an empty file means a free lock. To try the lock
            // instead could make a run fail that begins at this moment.
            guard let text = try? file.read(count: 1), !text.isEmpty else { return nil }
            return try lock(file, .shared) ? nil : held(file, now: now)
        } catch {
            switch error {
            case .cannotOpen(_, ENOENT): return nil
            case .cannotLock: return .held(path: path, owner: nil, since: nil, ageSeconds: nil)
            default: return error
            }
        }
    }

    private static func held(_ file: OpenFile, now: UTCTime) -> RunLockError {
        let bytes = (try? file.read(count: 4096)) ?? []
        let owner = LockOwner(text: String(decoding: bytes, as: UTF8.self))
        let age = owner.map { now.secondsSince1970 - $0.startedAt.secondsSince1970 }
        return .held(
            path: file.path, owner: owner, since: owner?.startedAt, ageSeconds: age.flatMap { $0 < 0 ? nil : $0 })
    }
}

/// Why a process cannot get the lock of a store.
package enum RunLockError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// Another process holds it. Owner and age are nil if the holder has not written its name: it has
    /// just taken the lock, or it is another program.
    case held(path: String, owner: LockOwner?, since: UTCTime?, ageSeconds: Int?)
    /// The lock file cannot be opened or made.
    case cannotOpen(path: String, code: Int32)
    /// The file system does not lock.
    case cannotLock(path: String, code: Int32)

    package var failureKind: FailureKind {
        switch self {
        case .held: .locked
        case .cannotOpen(_, ENOSPC), .cannotOpen(_, EDQUOT): .cannotCreate
        case .cannotOpen(let path, let code): FileError(path, "be opened", code: code).failureKind
        case .cannotLock: .inputOutput
        }
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
            return "\(path): the lock cannot be opened (\(Self.reason(code))); run as the owner of the store"
        case .cannotOpen(let path, let code):
            return "\(path): the lock cannot be opened (\(Self.reason(code))); check that the store's folder is there "
                + "and can be written to, and that this path is free for a file"
        case .cannotLock(let path, let code):
            return "\(path): the lock cannot be taken (\(Self.reason(code))); keep the store on a local file system"
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
