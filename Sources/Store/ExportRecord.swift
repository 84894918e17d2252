import GRDB
import Trips

/// A record whose columns are its properties in snake case.
protocol StoreRecord: Codable, FetchableRecord, PersistableRecord {}

extension StoreRecord {
    static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { .convertFromSnakeCase }
    static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { .convertToSnakeCase }
}

/// An export in the ledger, or on its way into it.
package struct ExportRecord: StoreRecord, Sendable, Hashable {
    static let databaseTableName = "exports"

    package var sha256: String
    /// Its file's name, masked (`FileLabel`).
    package var label: String
    package var source: String
    /// The source whose trips a supplement completes; nil: its trips are its own.
    package var supplements: String?
    /// Microseconds since 1970; nil until the whole export is read, if only its content has a date.
    package var asOf: Int?
    /// Whether `asOf` is the date in its file's name.
    package var isDatedByName: Bool
    package var bytes: Int
    /// When its file was last changed, in nanoseconds since 1970: of several files with the content, of the oldest. 0: it was
    /// loaded by an earlier version of tripkpi.
    package var modifiedNs: Int
    /// Content hash of the profile it was read by.
    package var profileVersion: String
    /// How its dates were read.
    package var dateBasis: String
    /// The pairs of events its intervals run between, where they are not the standard ones.
    package var intervalPairs: String
    package var maximumIntervalSeconds: Int
    /// Seconds since 1970.
    package var loadedAt: Int
    package var recordsRead = 0
    package var recordsSkipped = 0
    package var recordsRejected = 0
    /// Charge lines and status changes beyond the first of their trip.
    package var recordsMerged = 0
    /// Records that repeat the newest version of their trip within the export.
    package var copiesInside = 0
    /// Older versions within the export.
    package var supersededInside = 0
    /// Distinct trips.
    package var trips = 0
    /// Records of completed trips, and those of them with a cost; nil of an export that an earlier version loaded.
    var completedTrips: Int?
    var costedTrips: Int?

    package init(
        sha256: String = "", label: String, source: String, supplements: String? = nil, asOf: Int?, bytes: Int,
        modifiedNs: Int = 0,
        profileVersion: String,
        dateBasis: String, intervalPairs: String, maximumIntervalSeconds: Int, loadedAt: Int
    ) {
        self.sha256 = sha256
        self.label = label
        self.source = source
        self.supplements = supplements
        self.asOf = asOf
        isDatedByName = asOf != nil
        self.bytes = bytes
        self.modifiedNs = modifiedNs
        self.profileVersion = profileVersion
        self.dateBasis = dateBasis
        self.intervalPairs = intervalPairs
        self.maximumIntervalSeconds = maximumIntervalSeconds
        self.loadedAt = loadedAt
    }

    /// The equation of an export by itself.
    package var isReconciled: Bool {
        recordsRead == trips + copiesInside + supersededInside + recordsMerged + recordsSkipped + recordsRejected
    }
}

extension TripStore {
    /// The exports in the store, oldest first by rank.
    package func exports() throws -> [ExportRecord] {
        try read { try ExportRecord.order(sql: "as_of, modified_ns, bytes, sha256").fetchAll($0) }
    }

    /// The one export whose SHA-256 begins with these digits.
    package func export(beginningWith hash: String) throws -> ExportRecord {
        let matches = try exports().filter { $0.sha256.hasPrefix(hash.lowercased()) }
        guard let match = matches.first, hash.count >= 8 else {
            throw StoreError.notLoaded(hash: String(hash.prefix(64)))
        }
        guard matches.count == 1 else { throw StoreError.ambiguous(hash: hash) }
        return match
    }

    /// The SHA-256 of the one withdrawn export that begins with these digits; nil if an export of the store does, or none.
    package func withdrawnExport(beginningWith hash: String) throws -> String? {
        let prefix = hash.lowercased()
        guard prefix.count >= 8, try !exports().contains(where: { $0.sha256.hasPrefix(prefix) }) else { return nil }
        let matches = try withdrawnExports().filter { $0.hasPrefix(prefix) }
        return matches.count == 1 ? matches.first : nil
    }

    /// The SHA-256 of exports that were withdrawn and not loaded since.
    package func withdrawnExports() throws -> Set<String> {
        try read { Set(try String.fetchAll($0, sql: "SELECT sha256 FROM withdrawn_exports")) }
    }
}
