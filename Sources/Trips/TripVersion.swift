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

/// The rule which record of a trip counts, that with the highest rank: the newest version; of equal versions, that of the
/// later export; of one export, the later record. Every ranking of versions uses it.
///
/// `public`, so that the resolver inlines it. `Export` orders the exports: their index in a scan, what they say of their age in a store.
public struct RecordRank<Export: Comparable & Sendable>: Comparable, Sendable {
    /// The record's own version.
    public var version: TripVersion
    /// The export, by its order.
    public var export: Export
    /// Of the record in its export.
    public var offset: Int

    /// From its parts.
    @inlinable
    public init(_ version: TripVersion, export: Export, offset: Int) {
        self.version = version
        self.export = export
        self.offset = offset
    }

    /// Whether the left one is ranked lower.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        if left.version != right.version { return left.version < right.version }
        if left.export != right.export { return left.export < right.export }
        return left.offset < right.offset
    }
}

extension RecordRank where Export == Int {
    /// In a run, where the exports are in the order of the command line.
    public init(_ version: TripVersion, at location: RecordLocation) {
        self.init(version, export: location.export, offset: location.offset)
    }
}

/// Where a record of a run lies: the export's index in the upper 16 bits, its byte offset there in the lower 48.
///
/// `TripBatch.offsets` holds raw values.
public struct RecordLocation: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Index and offset in one word.
    public var rawValue: Int

    /// From its parts.
    @inlinable
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// From its parts.
    @inlinable
    public init(export: Int, offset: Int) { rawValue = export << 48 | offset }

    /// The export, by its order.
    @inlinable public var export: Int { rawValue >> 48 }
    /// The byte offset of the record in its export.
    @inlinable public var offset: Int { rawValue & 0xFFFF_FFFF_FFFF }

    /// Whether the left one is ranked lower.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
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

/// The facts of a trip in one record.
package struct TripFacts: Sendable, Hashable {
    /// `Month.index`.
    package var month: Int32 = 0
    /// Local date of the event that decides the month: days since 1970.
    package var day: Int32 = 0
    /// `TripStatus` raw value.
    package var status: UInt8 = 0
    /// Codes of the store's lists; 0 is Unassigned.
    package var region: UInt8 = 0
    package var tripType: UInt8 = 0
    /// `Sourcing` raw value.
    package var sourcing: UInt8 = Sourcing.unclassified.rawValue
    /// Bit set by `WarningCode.index`.
    package var warnings: UInt32 = 0
    /// Whole seconds by `TripInterval` raw value, or a negative `IntervalState`; two lanes are not used.
    package var intervals = SIMD8<Int32>(repeating: 0)
    /// `AmountState.absent` where there is none.
    package var costCents = AmountState.absent
    package var loadedHundredths = AmountState.absent
    package var unloadedHundredths = AmountState.absent
    /// Keyed pseudonym; 0 where there is none.
    package var patient: UInt64 = 0
    /// Numbers in `TextTable` by `StoredText` raw value; 0 where there is none.
    package var texts = SIMD8<Int32>(repeating: 0)

    package init() {}

    package subscript(text: StoredText) -> Int32 {
        get { texts[text.rawValue] }
        set { texts[text.rawValue] = newValue }
    }
}

/// The texts that are kept of a trip. None of them may identify a person.
package enum StoredText: Int, CaseIterable, Sendable, Hashable {
    /// Id of the rule that decided.
    case rule
    case providerID, providerName, contractNumber, hcpcsCode, hcpcsModifiers
    /// Stored test results of the rules for fields whose values are not kept; see `TestResultRecorder`.
    case testResults

    /// The fields kept in clear.
    package static let publicFields: [(text: StoredText, field: CanonicalField)] = [
        (.providerID, .providerID), (.providerName, .providerName), (.contractNumber, .contractNumber),
        (.hcpcsCode, .hcpcsCode), (.hcpcsModifiers, .hcpcsModifiers),
    ]
}
