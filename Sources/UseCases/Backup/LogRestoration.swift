import Basics
import Files
import Operations

/// What becomes of the audit log. A log that is there and whole is kept: it knows more than the backup, unless the backup's log goes on from it.
/// If it is another log, as on another machine, the backup's log is put beside it.
enum LogRestoration {
    /// There is none, neither here nor in the backup.
    case none
    case kept
    /// Kept, and the backup's log is written to this path.
    ///
    /// - lacksEntry: whether it lacks the entry that the backup's store remembers. The store must then remember another one.
    case keptBeside(path: String, AuditLogCopy, lacksEntry: Bool)
    /// There was none, or only the beginning of it, or a restore was killed before it had written the head.
    case putBack(AuditLogCopy)
    /// It is not whole: it is moved to this path first.
    case replaced(aside: String, AuditLogCopy?)

    /// - Throws: `BackupError.brokenLog` if it would have to be moved aside, and may not be.
    init(of path: String, from backup: VerifiedBackup, replaces: Bool, time: UTCTime) throws {
        let own = backup.log
        guard let current = try AuditLogCopy(of: path) else {
            self = own.map { .putBack($0) } ?? .none
            return
        }
        if let own, current.log == own.log, !current.findings.isEmpty {
            self = .putBack(own)
        } else if let finding = current.findings.first {
            guard replaces else { throw BackupError.brokenLog(path: path, finding: "\(finding)") }
            self = .replaced(aside: try ReplacedStore.freeName(for: path, at: time), own)
        } else if let own, !current.goesOn(from: own) {
            let beside = "\(path).from-backup-\(backup.archive.createdAt.compact)"
            let lacksEntry = backup.content.auditEntry.map { !current.has($0) } ?? false
            self = own.goesOn(from: current) ? .putBack(own) : .keptBeside(path: beside, own, lacksEntry: lacksEntry)
        } else {
            self = .kept
        }
    }

    /// Whether the log, as it will be, lacks the entry that the backup's store remembers.
    var lacksEntry: Bool {
        if case .keptBeside(_, _, let lacksEntry) = self { lacksEntry } else { false }
    }

    func carryOut(at path: String, owner: FileStatus) throws {
        switch self {
        case .none, .kept: break
        case .keptBeside(let beside, let copy, _): try copy.write(to: beside, owner: owner)
        case .putBack(let copy): try copy.putBack(at: path, owner: owner)
        case .replaced(let aside, let copy):
            _ = try AuditLog(path: path).putAside(ending: String(aside.dropFirst(path.count)))
            try copy?.putBack(at: path, owner: owner)
        }
    }

    var line: String? {
        switch self {
        case .none: nil
        case .kept: "audit log: the present one is kept"
        case .keptBeside(let path, _, let lacksEntry):
            "audit log: the present one is kept"
                + (lacksEntry ? ", and the store now remembers its last entry" : "") + "; the backup's is at \(path)"
        case .putBack: "audit log: put back"
        case .replaced(let aside, let copy):
            "audit log: the present one was not whole, and is now \(aside); "
                + (copy == nil ? "the backup has none, and a new one begins" : "put back")
        }
    }
}
