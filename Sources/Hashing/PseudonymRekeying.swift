package import Trips

/// Carries pseudonyms over from a key to what it became by rotations, without the identifiers.
package struct PseudonymRekeying: Sendable {
    private let trips: [KeyedHash]
    private let patients: [KeyedHash]

    /// - Parameter count: layers that the pseudonyms have been through.
    init(_ key: PseudonymKey, afterLayers count: Int) {
        let layers = key.layers.dropFirst(count)
        trips = layers.map { KeyedHash(key: $0, beginning: Array("trip again\n".utf8)) }
        patients = layers.map { KeyedHash(key: $0, beginning: Array("patient again\n".utf8)) }
    }

    /// Nil unless `earlier` was rotated to `key`, perhaps several times.
    package init?(from earlier: PseudonymKey, to key: PseudonymKey) {
        guard key.asOf(earlier.fingerprint) != nil else { return nil }
        self.init(key, afterLayers: earlier.layerCount)
    }

    @inline(__always)
    package func tripKey(_ tripKey: TripKey) -> TripKey {
        if trips.isEmpty { return tripKey }
        return trips.reduce(tripKey) { key, layer in
            let words = layer.words(Self.bytes([UInt64(bitPattern: key.high), UInt64(bitPattern: key.low)]).span)
            return TripKey(high: Int64(bitPattern: words.high), low: Int64(bitPattern: words.low))
        }
    }

    /// 0, which is nobody, stays 0, and nothing else becomes 0.
    @inline(__always)
    package func patient(_ patient: UInt64) -> UInt64 {
        if patients.isEmpty || patient == 0 { return patient }
        return patients.reduce(patient) { max(1, $1.words(Self.bytes([$0]).span).high) }
    }

    private static func bytes(_ words: [UInt64]) -> [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }
}
