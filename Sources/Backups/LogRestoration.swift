import Files
import Nightly
import Operations

/// What becomes of the audit log. A log that is there and whole is kept: it knows more than the backup. If it is another log, as on
/// another machine, the backup's log is put beside it.
enum LogRestoration {
    /// There is none, neither here nor in the backup.
    case none
    case kept
    /// Kept, and the backup's log is written to this path.
    case keptBeside(path: String, AuditLogCopy)
    /// There was none, or a restore was killed before it had written the head.
    case putBack(AuditLogCopy)
    /// It is not whole: it is moved to this path first.
    case replaced(aside: String, AuditLogCopy?)

    /// - Throws: `BackupError.brokenLog` if it would have to be moved aside, and may not be.
    init(of path: String, from backup: VerifiedBackup, replaces: Bool, time: String) throws {
        let own = backup.log
        guard let current = try AuditLogCopy(of: path) else {
            self = own.map { .putBack($0) } ?? .none
            return
        }
        guard let finding = current.findings.first else {
            if let own, !current.goesOn(from: own) {
                let made = backup.archive.manifest.createdAt.filter { $0 != "-" && $0 != ":" }
                self = .keptBeside(path: "\(path).from-backup-\(made)", own)
            } else {
                self = .kept
            }
            return
        }
        if let own, current.log == own.log {
            self = .putBack(own)
        } else if replaces {
            self = .replaced(aside: try ReplacedStore.freeName(for: path, at: time), own)
        } else {
            throw BackupError.brokenLog(path: path, finding: "\(finding)")
        }
    }

    func carryOut(at path: String, owner: FileStatus) throws {
        switch self {
        case .none, .kept: break
        case .keptBeside(let beside, let copy): try copy.write(to: beside, owner: owner)
        case .putBack(let copy): try copy.write(to: path, owner: owner)
        case .replaced(let aside, let copy):
            _ = try AuditLog(path: path).putAside(ending: String(aside.dropFirst(path.count)))
            try copy?.write(to: path, owner: owner)
        }
    }

    var line: String? {
        switch self {
        case .none: nil
        case .kept: "audit log: the present one is kept"
        case .keptBeside(let path, _): "audit log: the present one is kept; the backup's is at \(path)"
        case .putBack: "audit log: put back"
        case .replaced(let aside, let copy):
            "audit log: the present one was not whole, and is now \(aside)" + (copy == nil ? "" : "; put back")
        }
    }
}
