package import Trips

/// Turns identifiers into pseudonyms, by HMAC-SHA-256: what the store knows trips and patients by.
///
/// Each worker owns one. What is hashed is length-prefixed and begins with what kind of identifier it is, so no two
/// different identifiers are hashed as the same bytes.
package struct Pseudonymizer: Sendable {
    private let trips: KeyedHash
    private let patients: KeyedHash
    private let rotations: PseudonymRekeying

    /// - Parameter source: the system that wrote the export: part of every key.
    package init(key: PseudonymKey, source: String) {
        trips = Self.begin("trip", source, key)
        patients = Self.begin("patient", source, key)
        rotations = PseudonymRekeying(key, afterLayers: 1)
    }

    private static func begin(_ kind: String, _ source: String, _ key: PseudonymKey) -> KeyedHash {
        KeyedHash(key: key.layers[0], beginning: Array("\(kind)\n\(source.utf8.count)\n\(source)\n".utf8))
    }

    /// The key of a trip: both ids without outer blanks, the leg id empty where there is none.
    package func tripKey(tripID: some Collection<UInt8>, legID: some Collection<UInt8>) -> TripKey {
        tripKey(tripID: Array(tripID).span, legID: Array(legID).span)
    }

    /// The same, of bytes that lie somewhere in one piece.
    package func tripKey(tripID: Span<UInt8>, legID: Span<UInt8>) -> TripKey {
        let words = trips.words(lengthPrefixed: tripID, legID)
        return rotations.tripKey(TripKey(high: Int64(bitPattern: words.high), low: Int64(bitPattern: words.low)))
    }

    /// 64 bits that stand for a patient, never 0.
    package func patient(_ patientID: some Collection<UInt8>) -> UInt64 { patient(Array(patientID).span) }

    /// The same, of bytes that lie somewhere in one piece.
    package func patient(_ patientID: Span<UInt8>) -> UInt64 {
        rotations.patient(max(1, patients.words(patientID).high))
    }
}
