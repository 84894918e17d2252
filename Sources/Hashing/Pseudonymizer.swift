internal import Crypto
package import Trips

/// Turns identifiers into pseudonyms, by HMAC-SHA-256: what the store knows trips and patients by.
///
/// Each worker owns one. What is hashed is length-prefixed and begins with what kind of identifier it is, so no two
/// different identifiers are hashed as the same bytes.
package struct Pseudonymizer: Sendable {
    /// The hash with the kind and the source already in it; a copy of it goes on with the identifier.
    private let trips: HMAC<SHA256>
    private let patients: HMAC<SHA256>

    /// - Parameter source: the system that wrote the export: part of every key.
    package init(key: PseudonymKey, source: String) {
        trips = Self.begin("trip", source, key)
        patients = Self.begin("patient", source, key)
    }

    private static func begin(_ kind: String, _ source: String, _ key: PseudonymKey) -> HMAC<SHA256> {
        var hash = HMAC<SHA256>(key: key.key)
        hash.update(data: Array("\(kind)\n\(source.utf8.count)\n\(source)\n".utf8))
        return hash
    }

    /// The key of a trip: both ids without outer blanks, the leg id empty where there is none.
    package func tripKey(tripID: some Collection<UInt8>, legID: some Collection<UInt8>) -> TripKey {
        var message = Self.prefix(tripID.count)
        message.append(contentsOf: tripID)
        message.append(contentsOf: legID)
        return Self.key(trips, message)
    }

    /// 64 bits that stand for a patient, never 0.
    package func patient(_ patientID: some Collection<UInt8>) -> UInt64 {
        max(1, UInt64(bitPattern: Self.key(patients, Array(patientID)).high))
    }

    private static func key(_ begun: HMAC<SHA256>, _ message: [UInt8]) -> TripKey {
        var hash = begun
        hash.update(data: message)
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in hash.finalize().prefix(16).enumerated() {
            if index < 8 { words.0 = words.0 << 8 | UInt64(byte) } else { words.1 = words.1 << 8 | UInt64(byte) }
        }
        return TripKey(high: Int64(bitPattern: words.0), low: Int64(bitPattern: words.1))
    }

    /// The length as four bytes.
    private static func prefix(_ count: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }
    }
}
