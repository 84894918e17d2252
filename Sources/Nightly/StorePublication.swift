import Settings
import Releases
import Rules
import Scans
import Encoding
import Foundation
import KPIs
import Operations
import OutputScan
import Store
import Trips

/// The store's numbers on their way to readers: tallies → table → `Privacy` → reports.
struct StorePublication {
    let store: TripStore
    let plan: NightlyPlan
    /// What the run has read of identifiers; nil: nothing was read.
    var identifiers: IdentifierSet?
    var audit: AuditRecorder?
    /// Whether the release is revised now, whatever the schedule says.
    var isRevisionAsked = false

    /// Says when, and of what: the same store, settings and time give the same id.
    func runID(ledger: String) throws -> String {
        var hash = ContentHash()
        let lists = try store.lists()
        let failed = try store.failedExports().map(\.sha256).sorted(), waived = try store.waivers().keys.sorted()
        let parts =
            [ledger, plan.rules.version, "\(plan.disclosure.minimumCell)", plan.tool] + lists.regions.names
            + lists.tripTypes.names + failed + waived + (plan.rowPolicy?.digestParts ?? [])
            + plan.disclosure.digestParts
        hash.update(Array(parts.joined(separator: "\n").utf8))
        let time = UTCTime(secondsSince1970: plan.generatedAtEpochSeconds).description
        return time.filter { $0 != "-" && $0 != ":" } + "-" + hash.hexadecimal.prefix(12)
    }
}
