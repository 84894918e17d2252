import Keys
import Operations
import Reporting
import Trips

/// Records exports in the audit log before the store has them, or has them no longer: a process that is stopped in between
/// leaves an entry of what it was about to do, never a change without an entry. A change that failed has an entry with the
/// outcome `refused` besides.
struct LoadAudit {
    private let session: WritingSession
    private let figures: FigureSettings
    private var recorded: (sha256: String, counts: ReadCounts)?

    init(_ session: WritingSession, _ figures: FigureSettings) {
        self.session = session
        self.figures = figures
    }

    /// When all that is left is to commit.
    mutating func record(_ sha256: String, _ counts: ReadCounts) throws {
        try session.audit?.record(.load) { fill(&$0, sha256, counts) }
        recorded = (sha256, counts)
    }

    /// After a load that failed: notes that what was recorded did not happen.
    ///
    /// - Parameter isUndone: whether the store is as it was.
    func refuse(isUndone: (_ sha256: String) throws -> Bool) {
        guard let (sha256, counts) = recorded, (try? isUndone(sha256)) ?? false else { return }
        // The error of the load is the one to tell.
        try? session.audit?.recordRefused(.load) { fill(&$0, sha256, counts) }
    }

    func recordingWithdrawal(
        of sha256: String, isUndone: () throws -> Bool, _ withdraw: () throws -> Void
    ) throws {
        try session.audit.recording(.withdraw, { fill(&$0, sha256) }, isUndone: isUndone, withdraw)
    }

    private func fill(_ entry: inout AuditEntry, _ sha256: String, _ counts: ReadCounts? = nil) {
        entry.configuration = figures.digest(tool: session.environment.tool)
        entry.inputs = [session.key.auditDigest(ofSHA256: sha256)]
        entry.counts = counts?.audited ?? []
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
