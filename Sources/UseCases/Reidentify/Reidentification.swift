import Foundation
import Keys
import Operations
package import Reporting
import Store
package import Trips

/// `reidentify`: from public ids to the identifiers in the exports. The request is recorded before it is answered.
package struct Reidentification {
    /// What the crosswalk has of one trip. Its values are for the person who asked only.
    package struct Answer: Sendable {
        package var publicID: PublicTripID
        package var source: String
        package var tripID: Sensitive<String>
        package var legID: Sensitive<String>
        package var patientID: Sensitive<String>
    }

    private struct Wanted: Hashable {
        var source: String
        var trip: [UInt8]
        var leg: [UInt8]
        var patient: [UInt8]
    }

    private let site: StoreSite
    private let audit: AuditRecorder

    /// - Parameter audit: knows who asks.
    package init(_ site: StoreSite, audit: AuditRecorder) {
        self.site = site
        self.audit = audit
    }

    static let maximumReasonCharacters = 500

    /// All answers, in the order of the ids; a trip with several versions that name different patients has several.
    ///
    /// Throws `ReidentificationError.unknown` after an entry with the outcome `refused` was written: guesses are recorded too.
    package func answers(_ ids: [PublicTripID], reason: String) throws -> [Answer] {
        let reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !reason.isEmpty, reason.count <= Self.maximumReasonCharacters,
            !reason.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw ReidentificationError.reason }
        guard !ids.isEmpty else { throw ReidentificationError.nothingAsked }
        guard let place = site.crosswalk else { throw ReidentificationError.notConfigured }
        try audit.prepare()
        let store = try TripStore(reading: site.store)
        let key = try site.key(of: store)
        var idsByKey: [TripKey: PublicTripID] = [:]
        for id in ids { if let tripKey = try store.tripKey(of: id) { idsByKey[tripKey] = id } }
        var found: [PublicTripID: Set<Wanted>] = [:]
        if !idsByKey.isEmpty {
            var pseudonymizers: [String: Pseudonymizer] = [:]
            try CrosswalkReader(place, credentials: site.credentials).read(mark: store.crosswalkMark()) {
                source, block in
                let pseudonymizer = pseudonymizers[source] ?? Pseudonymizer(key: key, source: source)
                pseudonymizers[source] = pseudonymizer
                block.revealed(for: .reidentifying).forEach { trip, leg, patient in
                    guard let id = idsByKey[pseudonymizer.tripKey(tripID: trip, legID: leg)] else { return }
                    found[id, default: []].insert(
                        Wanted(source: source, trip: Array(trip), leg: Array(leg), patient: Array(patient)))
                }
            }
        }
        let unknown = ids.filter { found[$0] == nil }
        try audit.record(.reidentify) { entry in
            entry.outcome = unknown.isEmpty ? nil : .refused
            entry.isInternal = true
            entry.reason = reason
            entry.publicIDs = ids.map(\.description)
            entry.counts = [("asked", ids.count), ("found", ids.count { found[$0] != nil })]
        }
        guard unknown.isEmpty else { throw ReidentificationError.unknown(unknown, of: ids.count) }
        return ids.flatMap { id in
            (found[id] ?? []).sorted { $0.patient.lexicographicallyPrecedes($1.patient) }.map { Self.answer(id, $0) }
        }
    }

    private static func answer(_ id: PublicTripID, _ entry: Wanted) -> Answer {
        func text(_ bytes: [UInt8]) -> Sensitive<String> { Sensitive(String(decoding: bytes, as: UTF8.self)) }
        return Answer(
            publicID: id, source: entry.source, tripID: text(entry.trip), legID: text(entry.leg),
            patientID: text(entry.patient))
    }
}

/// Why a request for re-identification is refused.
package enum ReidentificationError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    case notConfigured
    case reason
    case nothingAsked
    case unknown([PublicTripID], of: Int)

    package var failureKind: FailureKind {
        switch self {
        case .notConfigured: .configuration
        case .reason, .nothingAsked: .usage
        case .unknown: .inputMissing
        }
    }

    package var description: String {
        switch self {
        case .notConfigured:
            "there is no crosswalk: it is off unless `crosswalk` with file and key_file stands in tripkpi.yaml, and knows "
                + "only trips that were loaded since"
        case .reason:
            "say why, with --reason, in at most \(Reidentification.maximumReasonCharacters) characters on one line; name "
                + "no patient in it, for it is kept"
        case .nothingAsked: "name at least one public id, as it stands in the row-level feed"
        case .unknown(let ids, let count):
            "\(ids.count) of \(count) public ids are not known, the first is \(ids.first?.description ?? ""); nothing is "
                + "told. Check the digits, and that the trip was loaded while the crosswalk was on"
        }
    }
}
