package import Trips

/// An export as the ledger has it, and before that as it is handed in.
package struct ExportRecord: Sendable, Hashable {
    package var sha256: String
    /// Its file's name made fit to be shown.
    package var label: String
    package var source: String
    /// Nil until the whole export is read, where only its content tells.
    package var asOf: Int?
    /// Whether `asOf` is the date in its file's name.
    package var isDatedByName: Bool
    package var bytes: Int
    /// Content hash of the profile it was read by.
    package var profileVersion: String
    /// How its dates were read.
    package var dateBasis: String
    /// The pairs of events its intervals run between, where they are not the standard ones.
    package var intervalPairs: String
    package var maximumIntervalSeconds: Int
    /// Seconds since 1970.
    package var loadedAt: Int
    package var read = 0
    package var skipped = 0
    package var rejected = 0
    /// Records that repeat the newest version of their trip within the export.
    package var copiesInside = 0
    /// Older versions within the export.
    package var supersededInside = 0
    /// Distinct trips.
    package var trips = 0

    package init(
        sha256: String = "", label: String, source: String, asOf: Int?, bytes: Int, profileVersion: String,
        dateBasis: String, intervalPairs: String, maximumIntervalSeconds: Int, loadedAt: Int
    ) {
        self.sha256 = sha256
        self.label = label
        self.source = source
        self.asOf = asOf
        isDatedByName = asOf != nil
        self.bytes = bytes
        self.profileVersion = profileVersion
        self.dateBasis = dateBasis
        self.intervalPairs = intervalPairs
        self.maximumIntervalSeconds = maximumIntervalSeconds
        self.loadedAt = loadedAt
    }

    /// The equation of an export by itself.
    package var isReconciled: Bool { read == trips + copiesInside + supersededInside + skipped + rejected }
}

/// A record that is not a trip, as the store keeps it: where and why, never what.
package struct StoredReject: Sendable, Hashable {
    package var recordNumber: Int
    package var byteOffset: Int
    package var field: CanonicalField?
    package var reason: RejectReason
    package var shape: String?

    package init(
        recordNumber: Int, byteOffset: Int, field: CanonicalField?, reason: RejectReason, shape: String?
    ) {
        self.recordNumber = recordNumber
        self.byteOffset = byteOffset
        self.field = field
        self.reason = reason
        self.shape = shape
    }
}
