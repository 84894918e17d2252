package import Operations
import Store

/// Whether the audit log is whole: a line of `verify`.
package enum AuditLogCheck {
    /// - Parameter store: the path of the store that remembers an entry of the log; nil: there is none.
    /// - Throws: `AuditError` if the log cannot be read.
    package static func findings(path: String, store: String?) throws -> [CheckFinding] {
        let (entries, findings) = try check(path: path, store: store)
        return CheckFinding.of(
            "audit log", findings.map(\.description), ok: "\(entries) entries, each linked to the one before it")
    }

    package static func check(path: String, store: String?) throws -> (entries: Int, findings: [AuditFinding]) {
        let log = AuditLog(path: path)
        var (entries, findings) = try log.check()
        if let known = try remembered(by: store), try !log.has(known) {
            findings.append(.forgotten(sequence: known.sequence))
        }
        return (entries, findings)
    }

    /// Whether there is a log, or should be one.
    package static func isExpected(_ path: String, store: String?) throws -> Bool {
        try isThere(path) || remembered(by: store) != nil
    }

    /// The entry that a store remembers.
    private static func remembered(by store: String?) throws -> AuditHead? {
        guard let store, try !TripStore.isAbsent(store) else { return nil }
        return try TripStore(reading: store).auditEntry().flatMap(AuditHead.init(text:))
    }

    /// Whether there is a log, or a sign that there was one.
    package static func isThere(_ path: String) throws(AuditError) -> Bool {
        if try AuditLog.isThere(path) { return true }
        return try AuditLog.isThere(path + ".head")
    }

    /// The same for `doctor`, which checks a log that cannot be looked up too: the check says why it cannot be.
    package static func isThereOrUnknown(_ path: String) -> Bool { (try? isThere(path)) != false }

    /// The same of a store's log.
    package static func isExpectedOrUnknown(_ path: String, store: String) -> Bool {
        (try? isExpected(path, store: store)) != false
    }

    /// - Throws: `AuditError.missing`.
    package static func require(_ path: String) throws(AuditError) {
        if try !isThere(path) { throw .missing(path: path) }
    }
}
