#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why there is no key. It names the file and never a byte of it.
package enum PseudonymKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    case missing(path: String)
    case symbolicLink(path: String)
    case notAFile(path: String)
    /// The mode lets others than the owner in.
    case open(path: String, mode: UInt32)
    /// The owner is neither this user nor root.
    case foreign(path: String, owner: UInt32)
    case wrongSize(path: String, bytes: Int)
    /// It is longer than a key, and not by a rotation.
    case notRotated(path: String, bytes: Int)
    /// It was rotated as often as it can be.
    case rotatedOut(path: String)
    /// A system call failed; `code` is its `errno`.
    case unreadable(path: String, code: Int32)
    /// There is something at the path already, which is never replaced.
    case exists(path: String)
    case notCreated(path: String, code: Int32)

    package var isMissing: Bool {
        if case .missing = self { true } else { false }
    }

    /// Whether it is about who may read or write what.
    package var isPermission: Bool {
        switch self {
        case .open, .foreign: true
        case .unreadable(_, let code), .notCreated(_, let code): code == EACCES || code == EPERM
        default: false
        }
    }

    /// Whether a key could not be made, rather than not be read.
    package var isCreation: Bool {
        switch self {
        case .exists, .notCreated: true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .missing(let path):
            "\(path): there is no key; name its file, or restore it from a backup: with another one nothing can be added "
                + "to the store and no trip of it found again, though what was published stands. Lost for good: move the "
                + "store away and run once with --new-store and all exports in the inbox; trips get new public ids then"
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
            "\(path): the key was rotated \(PseudonymKey.maximumLayers - 1) times, and once more it cannot be; name a new "
                + "file with --key-file, and load all exports into a new store"
        case .unreadable(let path, let code):
            "\(path): the key cannot be read (\(Self.reason(code))); check the file, its folder and their modes"
        case .exists(let path):
            "\(path): there is a key already and it is kept; use it, or name another file"
        case .notCreated(let path, let code):
            "\(path): the key cannot be made (\(Self.reason(code))); check the folder, its mode and the space left, "
                + "and run again"
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
