import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// The one writer's hold on a store: `flock` on a file beside it, until `release()`, deinit, or the process's end.
///
/// The kernel frees the lock of a process that is gone, however it went, so nothing ever has to be tidied up: what stands
/// in the file only tells a second process who the first is, and means nothing while nobody holds the lock.
///
/// The file is never removed. One who has it open and waits would then lock an inode without a name while a third makes
/// and locks a new file of the same name: two holders. Programs that a holder starts do not inherit it (`O_CLOEXEC`).
package final class RunLock: Sendable {
    package let path: String
    private let file: Mutex<FileHandle?>

    /// Takes the lock or fails at once; it never waits.
    ///
    /// - Parameters:
    ///   - path: `<store>.lock`; its folder must be there.
    ///   - owner: this process. Its start is also the "now" to which the age of another's lock is counted.
    package init(path: String, owner: LockOwner) throws(RunLockError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .cannotLock(path: path, code: errno) }
            throw Self.held(path: path, handle, now: owner.startedAt)
        }
        self.path = path
        file = Mutex(handle)
        tell(owner)
    }

    /// Says who holds the lock, again when the run has got its id.
    package func tell(_ owner: LockOwner) {
        file.withLock { handle in
            guard let handle else { return }
            // A full disk does not make the lock weaker; its owner is then not known to others.
            try? handle.truncate(atOffset: 0)
            try? handle.write(contentsOf: Data(owner.text.utf8))
        }
    }

    /// Gives the lock back. Later calls do nothing.
    package func release() {
        file.withLock { handle in
            guard let held = handle else { return }
            try? held.truncate(atOffset: 0)
            // Closing would leave the lock to a child that is between its fork and its exec and has the file still.
            flock(held.fileDescriptor, LOCK_UN)
            try? held.close()
            handle = nil
        }
    }

    deinit { release() }

    /// What a run would meet that wanted this lock now; nil if it could have it. Nothing is made or changed.
    package static func obstacle(path: String, now: UTCTime) -> RunLockError? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? nil : .cannotOpen(path: path, code: errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Who gives the lock back empties the file, so a free lock is seen without being tried: a run that begins at
        // this instant would meet the trial.
        guard let text = try? handle.readToEnd(), !text.isEmpty else { return nil }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
        try? handle.seek(toOffset: 0)
        return held(path: path, handle, now: now)
    }

    private static func held(path: String, _ handle: FileHandle, now: UTCTime) -> RunLockError {
        let bytes = (try? handle.read(upToCount: 4096)) ?? Data()
        let owner = LockOwner(text: String(decoding: bytes, as: UTF8.self))
        let age = owner.map { now.secondsSince1970 - $0.startedAt.secondsSince1970 }
        return .held(
            path: path, owner: owner, since: owner?.startedAt, ageSeconds: age.flatMap { $0 < 0 ? nil : $0 })
    }
}
