package import Trips

/// What decides between two records whose keys have one hash.
package struct VersionCandidate: Sendable {
    /// The exact key; nil where the record cannot be read again. Compared, never kept or printed.
    package var key: Sensitive<[UInt8]>?
    /// A second, independent hash of the key.
    package var keyCheck: UInt64
    package var version: TripVersion
    /// Hash of all bytes of the record: equal records are one version, repeated.
    package var contentHash: UInt64
    /// Of the record in its export.
    package var offset: Int
}
