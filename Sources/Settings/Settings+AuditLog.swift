package import Files
import Foundation

extension Settings {
    /// The audit log of a command that may read exports without a store: the configured one; beside the store, if a store
    /// is configured or there is one; else one of this user, so that no folder is made where the command was run.
    ///
    /// - Throws: `SettingError` if it is to be the user's and the user has no home folder.
    package func auditLogOfExports(environment: [String: String]) throws -> String {
        if try hasAuditLogPlace() || origins.contains(where: { $0.hasPrefix("store: ") }) { return auditLog }
        func folder(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let state = folder("XDG_STATE_HOME") ?? folder("HOME").map({ $0 + "/.local/state" }) else {
            throw SettingError(
                origin: "audit_log", problem: "there is neither a store nor a home folder to keep the audit log in",
                remedy: "set TRIPKPI_AUDIT_LOG to a file")
        }
        return state + "/tripkpi/audit.jsonl"
    }

    /// Whether the audit log is configured, or it or the store, beside which it is, exists.
    package func hasAuditLogPlace() throws(FileError) -> Bool {
        if isAuditLogNamed { return true }
        for path in [store, auditLog] where try FileStatus.lookUp(path) != nil { return true }
        return false
    }
}
