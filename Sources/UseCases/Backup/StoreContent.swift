import Basics
import Files
import KPIContract
import Operations
import Store

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a copy of a store holds, found whole.
struct StoreContent: Sendable {
    let keyFingerprint: String
    let schemaVersion: Int
    /// An earlier version of tripkpi made it. Its rows are verified when a run brings it up to date.
    let isOlder: Bool
    let trips: Int
    /// The entry of the audit log that it remembers.
    let auditEntry: AuditHead?
    /// Whether it was loaded with a crosswalk. Not known of a store of an earlier version.
    let hasCrosswalk: Bool
    /// `TripStore.removals`. Not known of a store of an earlier version.
    let removals: String?
    /// Months that the next run tallies: the copy was taken during a run, or a run was stopped before.
    let staleMonths: [Month]

    /// Verifies a store: every page, row and tally.
    ///
    /// - Throws: `StoreError` for what is wrong with it, `FileError` for what the machine refuses; both with this path.
    init(verifying path: String) throws {
        self = try Self.ofDraft(path) { try StoreContent(reading: path) }
    }

    /// Runs a body that reads or changes a store in a scratch folder: the result is named there, and not the draft.
    static func ofDraft<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch StoreError.full {
            throw FileError(path, "be written", code: ENOSPC)
        } catch StoreError.inputOutput {
            throw FileError(path, "be read", code: EIO)
        }
    }

    private init(reading path: String) throws {
        let store = try TripStore(reading: path, acceptsOlder: true)
        keyFingerprint = try store.keyFingerprint()
        schemaVersion = try store.schemaVersion()
        isOlder = try store.isOlder()
        trips = try store.totals().trips
        auditEntry = try store.auditEntry().map { text in
            guard let entry = AuditHead(text: text) else {
                throw StoreError.damaged(path: path, detail: "the entry of the audit log that it remembers")
            }
            return entry
        }
        if isOlder {
            (staleMonths, hasCrosswalk, removals) = ([], false, nil)
            if let problem = try store.integrityErrors().first { throw StoreError.damaged(path: path, detail: problem) }
        } else {
            (staleMonths, hasCrosswalk) = (try store.staleMonths(), try store.crosswalkMark() != nil)
            removals = try store.removals()
            try store.checkIntegrity(rows: nil)
            try store.checkTallies()
        }
        try store.close()
    }

    /// `12,345 trips; the next run tallies 2026-03`.
    var text: String {
        let months = staleMonths.map(\.description).joined(separator: ", ")
        return NumberText.counted(trips, "trip")
            + (staleMonths.isEmpty ? "" : "; the next run tallies \(months)")
            + (isOlder ? "; an earlier tripkpi made it, and the next run brings it up to date" : "")
    }
}
