import Basics
import Foundation
import Operations
import Reporting
import Store

/// `audit begin`: a new audit log in place of one that is not whole, or that is gone. What there is of the old one stays beside
/// it. The new log's first entry has the reason, and the store then remembers that one.
///
/// It may be killed at any moment, and repeated: a log that was moved away already is not looked for again.
package struct AuditLogRenewal: Sendable {
    private let site: StoreSite

    package init(_ site: StoreSite) { self.site = site }

    /// - Parameter reason: never empty; it stands in the log.
    /// - Returns: where the files of the old log are now.
    package func run(reason: String, _ environment: RunEnvironment) throws -> [String] {
        guard let audit = AuditRecorder(site, environment) else { return [] }
        // Without a store there is nothing that remembers the old log.
        guard try !TripStore.isAbsent(site.store) else {
            let lock = try RunLock(path: site.store + ".lock", owner: environment.owner)
            defer { lock.release() }
            return try begin(audit, reason: reason, environment)
        }
        return try WritingSession.run(site, environment, usesCrosswalk: false, isAudited: false) { session in
            let kept = try begin(audit, reason: reason, environment)
            if let entry = try audit.end() { try session.store.remember(auditEntry: entry) }
            return kept
        }
    }

    private func begin(_ audit: AuditRecorder, reason: String, _ environment: RunEnvironment) throws -> [String] {
        let mark = UTCTime(environment.now()).compact
        let kept = try AuditLog(path: audit.path).putAside(ending: ".until-\(mark)")
        try audit.prepare()
        try audit.record(.beginLog) { $0.reason = reason }
        return kept
    }
}
