package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A call of the file system that failed: on which path, for which action, with which `errno`.
package struct FileError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    /// What could not be done, after "cannot": `be written`.
    package let action: String
    /// `errno`; EIO if the system gave none.
    package let code: Int32
    /// The system's own sentence, or the reason for a refusal.
    package let reason: String
    private let remedy: String

    /// - Parameters:
    ///   - code: the current `errno` by default.
    ///   - reason: the system's own sentence for the code by default.
    package init(
        _ path: String, _ action: String, code: Int32 = errno, reason: String? = nil,
        remedy: String = "check the folder, its mode and the space left"
    ) {
        self.path = path
        self.action = action
        self.code = code == 0 ? EIO : code
        self.reason = reason ?? String(cString: strerror(self.code))
        self.remedy = remedy
    }

    package var isMissing: Bool { code == ENOENT }
    package var isSymbolicLink: Bool { code == ELOOP }
    package var isPermission: Bool { code == EACCES || code == EPERM }
    package var isReadOnly: Bool { code == EROFS }

    /// Whether there is no room: disk, quota, or the limit of a file's size.
    package var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    /// Whether the machine failed, and neither the path nor this user's rights are wrong: the same call may succeed later. A full
    /// table of open files, a disk or a network file system that does not answer.
    package var isPassing: Bool {
        [
            EIO, ESTALE, EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN, ETIMEDOUT, ENOBUFS, ENOTCONN, EHOSTDOWN, EHOSTUNREACH,
            ENETDOWN, ENETUNREACH, ECONNRESET,
        ].contains(code)
    }

    /// Whether there is no file of that name: nothing at all, a folder, or a link that is not followed.
    package var isNoFile: Bool { [ENOENT, ENOTDIR, EISDIR, ELOOP].contains(code) }

    /// Whether nothing can be created at the path, whatever space is left.
    package var isCreation: Bool { [ENOENT, ENOTDIR, EISDIR, EEXIST, EROFS, ENAMETOOLONG, ELOOP].contains(code) }

    package var failureKind: FailureKind { isPermission ? .permission : isCreation ? .cannotCreate : .inputOutput }

    /// What could not be done and why, without a remedy.
    package var sentence: String { "\(path): cannot \(action) (\(reason))" }

    package var description: String { "\(sentence); \(remedy)" }
}
