import Rules
import Profiles
import Operations
import Encoding
import Keys
import Releases
import Scans
import Settings
import Trips

extension AuditRecorder {
    /// Nil where the plan names no log.
    init?(_ plan: NightlyPlan, _ environment: RunEnvironment) {
        guard let path = plan.auditLogPath else { return nil }
        self.init(path: path, owner: environment.owner, tool: plan.tool, now: environment.now)
    }

    /// What was loaded and taken out, if anything was.
    func record(_ loading: StoreLoading, counts: ReadCounts, key: PseudonymKey, plan: NightlyPlan) throws {
        for (event, hashes) in [(AuditEntry.Event.withdraw, loading.takenOut), (.load, loading.loaded)]
        where !hashes.isEmpty {
            try record(event) { entry in
                entry.configuration = plan.auditedConfiguration
                entry.inputs = hashes.map { key.auditDigest(ofSHA256: $0) }
                if event == .load { entry.counts = counts.audited }
            }
        }
    }
}

extension NightlyPlan {
    /// SHA-256 of what decides about the figures besides the exports.
    var auditedConfiguration: String {
        let lists = lists.map { $0.regions.names + $0.tripTypes.names } ?? []
        let parts =
            [rules.version, "\(disclosure.minimumCell)", profile ?? "", zone ?? "", tool] + lists
            + disclosure.digestParts
        return ContentHash.of(Array(parts.joined(separator: "\n").utf8))
    }
}

extension ReadCounts {
    /// The equation, by name.
    var audited: [(name: String, value: Int)] {
        [
            ("read", read), ("added", added), ("updated", updated), ("unchanged", unchanged),
            ("superseded", superseded), ("skipped", skipped), ("rejected", rejected),
        ]
    }
}
