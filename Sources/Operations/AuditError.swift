package import Files
package import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why nothing can be written to the audit log. What needs an entry is then not done.
package enum AuditError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// The file system refused.
    case system(FileError)
    /// Something else is at the path of the log, or others may change it.
    case notOurs(path: String, problem: String)
    /// There is neither a log nor its head.
    case missing(path: String)
    /// The log was changed.
    case broken(path: String, finding: AuditFinding)

    package var failureKind: FailureKind {
        switch self {
        case .system(let error): error.failureKind
        case .notOurs: .permission
        case .missing: .inputMissing
        case .broken: .data
        }
    }

    package var description: String {
        switch self {
        case .system(let error):
            "\(error.path): the audit log cannot \(error.action) (\(error.reason)), so nothing was done that needs an "
                + "entry in it; check the folder, its mode and the space left, or name another file with audit_log"
        case .notOurs(let path, let problem):
            "\(path): \(problem), so it is not taken for the audit log; make it a file of the user who runs tripkpi, "
                + "mode 0600, or name another with audit_log"
        case .missing(let path): "\(path): there is no audit log; check the path"
        case .broken(let path, let finding):
            "\(path): the audit log is not whole (\(finding)); put it back as it was, or keep it with its .head file for whoever "
                + "looks into it and begin a new one: tripkpi audit begin --reason …"
        }
    }
}
