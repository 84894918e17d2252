import Keys
import Operations
import Scans
import Trips

/// Records exports in the audit log before the store has them, or has them no longer: a process that is stopped in between
/// leaves an entry of what it was about to do, never a change without an entry.
struct LoadAudit {
    private let session: WritingSession
    private let figures: FigureSettings

    init(_ session: WritingSession, _ figures: FigureSettings) {
        self.session = session
        self.figures = figures
    }

    func record(_ event: AuditEntry.Event, sha256: String, counts: ReadCounts? = nil) throws {
        try session.audit?.record(event) { entry in
            entry.configuration = figures.digest(tool: session.environment.tool)
            entry.inputs = [session.key.auditDigest(ofSHA256: sha256)]
            entry.counts = counts?.audited ?? []
        }
    }
}

extension ReadCounts {
    /// The equation, by name.
    fileprivate var audited: [(name: String, value: Int)] {
        [
            ("read", read), ("added", added), ("updated", updated), ("unchanged", unchanged),
            ("superseded", superseded), ("skipped", skipped), ("rejected", rejected),
        ] + (merged == 0 ? [] : [("merged", merged)])
    }
}
