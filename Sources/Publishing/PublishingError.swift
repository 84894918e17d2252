#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why a set cannot be published, switched or read. Whatever it is, the set that `current` points at still stands.
package enum PublishingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file system refused.
    case system(action: String, path: String, code: Int32)
    /// A name that could lead out of its folder.
    case unsafeName(String)
    case repeatedName(String)
    /// Something else stands where a folder or a link of ours belongs.
    case notOurs(path: String, expected: String)
    /// The set to publish says it is older than the one that is published.
    case clockBehind(generatedAt: String, published: String)
    case damaged(run: String, findings: [String])
    case unknownRun(String)
    case nothingPublished(root: String)
    case nothingToGoBackTo(root: String)

    /// Whether the file system refused for want of a right.
    package var isPermission: Bool {
        if case .system(_, _, let code) = self { code == EACCES || code == EPERM } else { false }
    }

    /// Whether the file system has no room: disk, quota, or the limit of a file's size.
    package var isFull: Bool {
        if case .system(_, _, let code) = self { [ENOSPC, EDQUOT, EFBIG].contains(code) } else { false }
    }

    /// Whether there is no place to write to at all, rather than none left.
    package var isCreation: Bool {
        switch self {
        case .system(_, _, let code): [ENOENT, ENOTDIR, EISDIR, EEXIST, EROFS, ENAMETOOLONG, ELOOP].contains(code)
        case .notOurs: true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .system(let action, let path, let code):
            "\(path): cannot \(action) (\(String(cString: strerror(code)))); \(remedy)"
        case .unsafeName(let name):
            "“\(name.prefix(40))” cannot be a name in a published set; use letters, digits, “.”, “_” and “-”"
        case .repeatedName(let name):
            "the set has two files named \(name); please report this bug"
        case .notOurs(let path, let expected):
            "\(path): it is not \(expected), and tripkpi does not replace what it did not make; move it away, or name "
                + "another folder with --reports"
        case .clockBehind(let generatedAt, let published):
            "the clock says \(generatedAt), but the published set was made at \(published); set the clock right (or "
                + "SOURCE_DATE_EPOCH later), or go back first with tripkpi publish --rollback"
        case .damaged(let run, let findings):
            "\(run) is damaged (\(findings.prefix(3).joined(separator: "; "))); choose another with tripkpi publish "
                + "--list, or publish again"
        case .unknownRun(let run):
            "there is no published run \(run); tripkpi publish --list names them"
        case .nothingPublished(let root):
            "\(root): nothing is published there; run tripkpi run, or name the folder with --reports"
        case .nothingToGoBackTo(let root):
            "\(root): there is no earlier set to go back to; tripkpi publish --list names what there is"
        }
    }

    private var remedy: String {
        if isFull { return "free some space; what was published before still stands" }
        if isPermission { return "check who owns the folder and its mode" }
        if case .system(_, _, EROFS) = self { return "mount it for writing, or name another folder with --reports" }
        return "check the folder and its file system"
    }
}
