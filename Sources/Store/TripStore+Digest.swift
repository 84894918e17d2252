import Files
import GRDB
import Trips

extension TripStore {
    /// SHA-256 of the content of the store: exports, rejects, waivers, trips, older versions, parts. It does not depend on the
    /// order or the runs in which they were loaded, nor on the numbers of rows and texts.
    package func digest() throws -> String {
        let texts = texts.all
        return try read { db in
            var digest = try StoreDigest(db, texts: texts)
            try digest.addLedger()
            try digest.addVersions(table: "trips", isCopy: "0")
            try digest.addVersions(table: "older_versions", isCopy: "is_copy")
            try digest.addVersions(table: "trip_parts", isCopy: "2 + is_own")
            return digest.hexadecimal
        }
    }
}

/// Hashes the content of a store. Numbers that differ from store to store are replaced by what they stand for.
private struct StoreDigest {
    private let db: Database
    private var hash = ContentHash()
    private let textWords: [Int32: Int64]
    private let exportWords: [Int32: Int64]
    private let regionWords: [UInt8: Int64]
    private let tripTypeWords: [UInt8: Int64]

    init(_ db: Database, texts: [Int32: String]) throws {
        self.db = db
        textWords = texts.mapValues(Self.word)
        func words<Number: DatabaseValueConvertible & Hashable>(_ sql: String) throws -> [Number: Int64] {
            let pairs = try Row.fetchAll(db, sql: sql).map { row -> (Number, Int64) in
                (try row.decode(atIndex: 0), Self.word(try row.decode(atIndex: 1)))
            }
            return Dictionary(pairs) { first, _ in first }
        }
        exportWords = try words("SELECT export_id, sha256 FROM exports")
        regionWords = try words("SELECT code, name FROM regions")
        tripTypeWords = try words("SELECT code, name FROM trip_types")
    }

    var hexadecimal: String { hash.hexadecimal }

    mutating func addLedger() throws {
        let queries = [
            """
            SELECT sha256, label, source, as_of, is_dated_by_name, bytes, profile_version, date_basis, interval_pairs,
                maximum_interval_seconds, records_read, records_skipped, records_rejected, copies_inside,
                superseded_inside, trips
            FROM exports ORDER BY sha256
            """,
            "SELECT sha256, records_merged FROM exports WHERE records_merged > 0 ORDER BY sha256",
            "SELECT sha256, supplements FROM exports WHERE supplements IS NOT NULL ORDER BY sha256",
            "SELECT sha256, reason, records FROM rejects JOIN exports USING (export_id) ORDER BY sha256, reason",
            "SELECT sha256, columns FROM export_columns JOIN exports USING (export_id) ORDER BY sha256",
            "SELECT sha256, code, records FROM warnings JOIN exports USING (export_id) ORDER BY sha256, code",
            "SELECT sha256, reason FROM failed_exports ORDER BY sha256",
            "SELECT sha256, reason FROM waivers ORDER BY sha256",
            """
            SELECT sha256, label, source, exported_at, bytes, profile_version, is_complete, records_read, records_rejected
            FROM event_exports ORDER BY sha256
            """,
            """
            SELECT sha256, month, region, kind, is_evacuation, events
            FROM event_counts JOIN event_exports USING (export_id) ORDER BY 1, 2, 3, 4, 5
            """,
            "SELECT sha256, reason, records FROM event_rejects JOIN event_exports USING (export_id) ORDER BY 1, 2",
        ]
        for query in queries {
            for row in try Row.fetchAll(db, sql: query) {
                hash.update(Array((row.databaseValues.map { "\($0)" }.joined(separator: "\n") + "\n").utf8))
            }
        }
    }

    /// The versions of one trip are read in the order of their exports' numbers, and hashed in the order of the exports'
    /// content.
    mutating func addVersions(table: String, isCopy: String) throws {
        var versions: [(trip: StoredTrip, isCopy: Int64)] = []
        try IntegerStatement(
            db, "SELECT \(TripColumns.names), \(isCopy) FROM \(table) ORDER BY key_high, key_low"
        ).forEachRow { row in
            let trip = try row.readTrip()
            if let first = versions.first, first.trip.key != trip.key {
                add(versions)
                versions = []
            }
            versions.append((trip, row.column(TripColumns.count)))
        }
        add(versions)
    }

    private mutating func add(_ versions: [(trip: StoredTrip, isCopy: Int64)]) {
        let words = versions.map { exportWords[$0.trip.exportID] ?? 0 }
        for index in versions.indices.sorted(by: { words[$0] < words[$1] }) {
            add(versions[index].trip, isCopy: versions[index].isCopy, export: words[index])
        }
    }

    private mutating func add(_ trip: StoredTrip, isCopy: Int64, export: Int64) {
        let facts = trip.facts
        var words = [
            isCopy, export, trip.key.high, trip.key.low, Int64(trip.recordOffset), Int64(trip.version.updatedAt),
            Int64(trip.version.sequence), Int64(facts.month), Int64(facts.day), Int64(facts.status),
            regionWords[facts.region] ?? 0, tripTypeWords[facts.tripType] ?? 0, Int64(facts.sourcing),
            Int64(facts.costCents), Int64(facts.loadedHundredths), Int64(facts.unloadedHundredths),
            Int64(bitPattern: facts.patient), Int64(facts.warnings),
        ]
        words += (0..<6).map { Int64(facts.intervals[$0]) }
        words += StoredText.allCases.map { textWords[facts[$0]] ?? 0 }
        hash.update(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
    }

    /// The first 64 bits of the text's SHA-256. The text's number would not do: it depends on the order of loading.
    private static func word(_ text: String) -> Int64 {
        let digits = ContentHash.of(Array(text.utf8)).prefix(16)
        return Int64(bitPattern: UInt64(digits, radix: 16) ?? 0)
    }
}
