package import Basics
import Files
package import Trips

/// The options of a synthetic export: how many records, over which months, in what form. Same plan, same bytes.
///
/// `format`, `encoding`, `compression` and `isShuffled` do not change the trips: the records of two plans that differ
/// only in these are the same, fault by fault.
package struct SampleOptions: Sendable, Hashable {
    package enum Format: String, CaseIterable, Sendable {
        case csv, tsv, ndjson, json
    }

    package enum Encoding: String, CaseIterable, Sendable {
        case utf8 = "utf-8"
        case utf8WithBOM = "utf-8-bom"
        /// Little endian with byte order mark: Excel's "Unicode text".
        case utf16 = "utf-16"
        case windows1252 = "windows-1252"
    }

    package enum Compression: String, CaseIterable, Sendable {
        case none, gzip
        /// A new gzip member every 4 MiB, as appended log exports have.
        case gzipMembers = "gzip-members"
    }

    /// Records in the file, faulty ones and corrections among them.
    package var rows: Int
    package var seed: UInt64
    package var firstMonth: Month
    package var months = 24
    package var format: Format = .csv
    package var encoding: Encoding = .utf8
    package var compression: Compression = .none
    /// Whether 4 % of the trips have no known region or type and 5 % no evidence of their sourcing. Else it is 0.5 % and 1 %,
    /// as where the lists and rules are maintained.
    package var isMessy = false
    /// Records in a random order instead of by day.
    package var isShuffled = false
    /// Records that cannot be trips, per million.
    package var faultyPerMillion = 5_000
    /// Records that are another version of an earlier trip, per million; at most 500,000.
    package var correctionsPerMillion = 10_000
    /// Whether faulty records may break the format itself (field count, quotes, JSON syntax). Without, all faults are
    /// faults of values, which every peer's reader survives.
    package var hasStructuralFaults = true
    /// The columns, in order.
    package var fields: [CanonicalField] = standardFields
    /// The local time zone: an IANA name of `SampleZone.names`.
    package var zone = "America/New_York"

    package init(rows: Int, seed: UInt64, firstMonth: Month) {
        self.rows = rows
        self.seed = seed
        self.firstMonth = firstMonth
    }

    /// All but those that few sources have.
    package static let standardFields = CanonicalField.allCases.filter { !rareFields.contains($0) }

    private static let rareFields: Set<CanonicalField> = [
        .patientCity, .patientState, .estimatedMiles, .units, .incidentID, .eventCode, .eventAt,
    ]

    /// The fields that the KPIs and the default rules read: what benchmarks and small samples have.
    package static let kpiFields: [CanonicalField] = [
        .tripID, .legID, .updatedAt, .sequence, .status, .tripType, .region, .serviceDate, .requestedAt,
        .unitNotifiedAt, .enRouteAt, .onSceneAt, .leftSceneAt, .arrivedAt, .completedAt, .providerID, .vehicleID,
        .contractNumber, .invoiceNumber, .hcpcsModifiers, .loadedMiles, .unloadedMiles, .cost, .patientID, .notes,
    ]
}

extension SampleOptions {
    func validate() throws(SampleError) {
        guard (0...1_000_000_000).contains(rows) else {
            throw SampleError("rows is out of range", hint: "give 0 to 1,000,000,000")
        }
        guard (1...240).contains(months), (1971...2200).contains(firstMonth.year) else {
            throw SampleError("the months are out of range", hint: "give 1 to 240 months from 1971-01 or later")
        }
        guard (0...500_000).contains(correctionsPerMillion), (0...500_000).contains(faultyPerMillion) else {
            throw SampleError("a share per million is out of range", hint: "give 0 to 500,000")
        }
        guard Set(fields).count == fields.count, fields.contains(.tripID), fields.contains(where: \.isTimed) else {
            throw SampleError(
                "the fields cannot make trips", hint: "name each once, trip_id and a time or service_date among them")
        }
        if format == .json || format == .ndjson {
            guard encoding == .utf8 else {
                throw SampleError("JSON is written as UTF-8 only", hint: "leave the encoding at utf-8 (RFC 8259)")
            }
        }
        guard SampleZone(named: zone) != nil else {
            throw SampleError(
                "the zone is not one that samples know",
                hint: "take one of \(SampleZone.names.joined(separator: ", "))")
        }
    }
}

extension CanonicalField {
    /// Whether it can date a trip.
    var isTimed: Bool {
        self == .serviceDate || TripEvent.allCases.contains { $0.field == self }
    }
}

/// Why a sample cannot be made: the problem and how to fix it.
package struct SampleError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package var message: String
    package var hint: String

    package init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }

    init(_ error: GzipError) {
        self.init("zlib failed (code \(error.code))", hint: "free some memory, or write it without gzip")
    }

    package var failureKind: FailureKind { .usage }

    package var description: String { "sample: \(message): \(hint)" }
}
