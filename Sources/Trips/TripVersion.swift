/// Which of several records of one trip is newest: `updated_at`, then `sequence`; what is missing counts as oldest.
/// `RecordRank` decides between equals.
public struct TripVersion: Sendable, Hashable, Comparable {
    /// Microseconds since 1970 (as printed, where there is neither offset nor zone).
    public var updatedAt: Int
    /// In hundredths, so that `2.1` comes after `2`.
    public var sequence: Int

    /// From its parts.
    public init(updatedAt: Int = .min, sequence: Int = .min) {
        self.updatedAt = updatedAt
        self.sequence = sequence
    }

    /// Whether the left one is ranked lower.
    public static func < (left: Self, right: Self) -> Bool {
        (left.updatedAt, left.sequence) < (right.updatedAt, right.sequence)
    }
}

/// A record's version, with hashes that identify its trip and its content.
package struct TripVersionStamp: Sendable, Hashable {
    package var version = TripVersion()
    /// A second, independent hash of the key: with the first one 128 bits.
    package var keyCheck: UInt64 = 0
    /// Hash of all bytes of the record.
    package var contentHash: UInt64 = 0

    package init() {}
}
