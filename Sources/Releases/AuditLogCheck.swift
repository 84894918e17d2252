package import Operations

/// Whether the audit log is whole: a line of `verify`.
package enum AuditLogCheck {
    /// - Throws: `AuditError` if the log cannot be read.
    package static func findings(path: String) throws -> [CheckFinding] {
        let (entries, findings) = try AuditLog(path: path).check()
        return CheckFinding.of(
            "audit log", findings.map(\.description), ok: "\(entries) entries, each linked to the one before it")
    }

    /// Whether there is a log, or a sign that there was one.
    package static func isThere(_ path: String) throws(AuditError) -> Bool {
        if try AuditLog.isThere(path) { return true }
        return try AuditLog.isThere(path + ".head")
    }

    /// The same for `doctor`, which checks a log that cannot be looked up too: the check says why it cannot be.
    package static func isThereOrUnknown(_ path: String) -> Bool { (try? isThere(path)) != false }

    /// - Throws: `AuditError.missing`.
    package static func require(_ path: String) throws(AuditError) {
        if try !isThere(path) { throw .missing(path: path) }
    }
}
