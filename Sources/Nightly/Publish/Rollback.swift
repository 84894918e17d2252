import Foundation
package import Operations
package import Privacy
import Publishing
import Releases
package import Scans

/// `publish --rollback`: back to earlier sets, under the run lock. It needs the published folder alone: no rules,
/// profiles, tables or key.
package struct Rollback {
    private let site: StoreSite
    private let audit: AuditRecorder
    private let owner: LockOwner

    package init(_ site: StoreSite, audit: AuditRecorder, owner: LockOwner) {
        self.site = site
        self.audit = audit
        self.owner = owner
    }

    /// - Parameters:
    ///   - id: a run of `publish --list`; nil: the one before.
    ///   - audiences: whose sets; each that has one to go back to.
    /// - Returns: the runs that readers see now.
    package func run(to id: String?, audiences: [Audience]) throws -> [(audience: Audience, run: String)] {
        // Without the store's folder there is neither a run to keep out nor a place for the lock.
        let folder = (site.store as NSString).deletingLastPathComponent
        try PlaceSafety.check(store: site.store, reports: site.reports)
        let isThere = folder.isEmpty || FileManager.default.fileExists(atPath: folder)
        let lock = isThere ? try RunLock(path: site.store + ".lock", owner: owner) : nil
        defer { lock?.release() }
        try audit.prepare()
        let sets = PublishedSets(root: site.reports)
        let able = try audiences.filter { audience in
            guard let id else { return try sets.folder(audience).previousID() != nil }
            return try sets.folder(audience).list().contains { $0.id == id }
        }
        guard !able.isEmpty else {
            if let id { throw PublishingError.unknownRun(id) }
            throw PublishingError.nothingToGoBackTo(root: site.reports)
        }
        return try able.map { audience in
            let run = try sets.folder(audience).rollback(to: id)
            try audit.record(.rollback) { $0.runID = run }
            return (audience, run)
        }
    }
}
