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
