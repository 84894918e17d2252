#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why nothing can be written to the audit log. What needs an entry is then not done.
package enum AuditError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file system refused.
    case system(action: String, path: String, code: Int32)
    /// Something else stands at the place of the log, or others may change it.
    case notOurs(path: String, problem: String)
    /// The log is not what it was.
    case broken(path: String, finding: AuditFinding)

    package var isPermission: Bool {
        switch self {
        case .system(_, _, let code): code == EACCES || code == EPERM
        case .notOurs: true
        case .broken: false
        }
    }

    /// Whether there is no place to write to at all.
    package var isCreation: Bool {
        if case .system(_, _, let code) = self {
            [ENOENT, ENOTDIR, EISDIR, EROFS, ENAMETOOLONG].contains(code)
        } else {
            false
        }
    }

    package var isBroken: Bool {
        if case .broken = self { true } else { false }
    }

    package var description: String {
        switch self {
        case .system(let action, let path, let code):
            "\(path): the audit log cannot \(action) (\(String(cString: strerror(code)))), so nothing was done that needs "
                + "an entry in it; check the folder, its mode and the space left, or name another file with audit_log"
        case .notOurs(let path, let problem):
            "\(path): \(problem), so it is not taken for the audit log; make it a file of the user who runs tripkpi, "
                + "mode 0600, or name another with audit_log"
        case .broken(let path, let finding):
            "\(path): the audit log is not whole (\(finding)); keep it with its .head file for whoever looks into it, "
                + "and move both away: the next entry then begins a new log"
        }
    }
}

/// What is wrong with an audit log, or worth knowing of it.
package enum AuditFinding: Sendable, Hashable, CustomStringConvertible {
    /// A line that is no entry, and that no later entry says was cut short by a kill.
    case malformed(line: Int)
    /// An entry that does not go on from the one before it: one of the two was changed, or lines in between were
    /// removed or put in another order.
    case unlinked(line: Int)
    /// The last entry that was written is gone, or is another one.
    case truncated(expected: Int, found: Int)
    case lastChanged(line: Int)
    /// There is a log, but not the file that knows its last entry.
    case headMissing

    package var description: String {
        switch self {
        case .malformed(let line): "line \(line) is no entry"
        case .unlinked(let line): "line \(line) does not go on from the line before it: changed, removed or moved"
        case .truncated(let expected, let found): "its end is missing: \(found) entries, and \(expected) were written"
        case .lastChanged(let line): "line \(line), the last that is known, was changed"
        case .headMissing: "its .head file, which knows the last entry, is missing or cannot be read"
        }
    }
}
