import KPIContract
import Releases
import Store
import Trips

/// What a copy of a store holds, found whole.
struct StoreContent: Sendable {
    let keyFingerprint: String
    let schemaVersion: Int
    /// An earlier version of tripkpi made it. Its rows are verified when a run brings it up to date.
    let isOlder: Bool
    let trips: Int
    /// Whether it was loaded with a crosswalk.
    let hasCrosswalk: Bool
    /// Months that the next run tallies: the copy was taken during a run, or a run was stopped before.
    let staleMonths: [Month]

    /// Verifies a store: every page, row and tally.
    ///
    /// - Throws: `StoreError`, with this path.
    init(verifying path: String) throws {
        let store = try TripStore(reading: path, acceptsOlder: true)
        keyFingerprint = try store.keyFingerprint()
        schemaVersion = try store.schemaVersion()
        isOlder = try store.isOlder()
        trips = try store.totals().trips
        if isOlder {
            (staleMonths, hasCrosswalk) = ([], false)
            if let problem = try store.integrityErrors().first { throw StoreError.damaged(path: path, detail: problem) }
        } else {
            (staleMonths, hasCrosswalk) = (try store.staleMonths(), try store.crosswalkMark() != nil)
            try store.checkIntegrity(rows: nil)
            try store.checkTallies()
        }
        try store.close()
    }

    /// `12,345 trips; the next run tallies 2026-03`.
    var text: String {
        let months = staleMonths.map(\.description).joined(separator: ", ")
        return NumberText.counted(trips, "trip")
            + (staleMonths.isEmpty ? "" : "; a run was under way, and the next run tallies \(months)")
            + (isOlder ? "; an earlier tripkpi made it, and the next run brings it up to date" : "")
    }
}
