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
