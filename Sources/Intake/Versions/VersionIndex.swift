import Synchronization
package import Trips

/// One record as the index remembers it: 16 bytes.
package struct VersionEntry: Sendable {
    /// Hash of the trip's key. Its upper nine bits say which partition the entry is in, so here they hold `copies`.
    private var hashAndCopies: UInt64
    /// Where it can be read again.
    var location: RecordLocation

    private static let hashBits: UInt64 = 55

    init(hash: UInt64, location: RecordLocation) {
        hashAndCopies = hash & (1 << Self.hashBits - 1)
        self.location = location
    }

    static func partition(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> hashBits) }

    /// What the entries of one trip have in common.
    var key: UInt64 { hashAndCopies & (1 << Self.hashBits - 1) }

    /// Records with the very same bytes that were dropped in favour of this one.
    var copies: Int {
        get { Int(truncatingIfNeeded: hashAndCopies >> Self.hashBits) }
        set { hashAndCopies = key | UInt64(truncatingIfNeeded: newValue) << Self.hashBits }
    }

    static let maximumCopies = 511
}

/// Remembers every record by its key's hash, in partitions small enough for the processor's cache, so that the records
/// of one trip can be found together at the end. 16 bytes a record, whatever its length.
package final class VersionIndex: Sendable {
    package static let partitionCount = 512
    /// Entries of every page but the last.
    static let pageEntries = 256
    private static let leastBeforeRetraction = 1024

    /// Entries in pages, so that growing never copies them.
    private struct Pages {
        var pages: [[VersionEntry]] = []
        var count = 0
        /// When there are this many, older versions are to be retracted: see `VersionIndex.retractEarly`.
        var retractAt = VersionIndex.leastBeforeRetraction

        mutating func append(_ entry: VersionEntry) {
            count += 1
            let last = pages.count - 1
            if last < 0 || pages[last].count == VersionIndex.pageEntries {
                var page: [VersionEntry] = []
                page.reserveCapacity(VersionIndex.pageEntries)
                page.append(entry)
                pages.append(page)
            } else {
                pages[last].append(entry)
            }
        }
    }

    private final class Partition: Sendable {
        let pages = Mutex(Pages())
    }

    private let partitions = (0..<VersionIndex.partitionCount).map { _ in Partition() }

    package init() {}

    /// Adds entries to a partition.
    ///
    /// - Returns: whether it has grown so much that `retractEarly` should be called.
    func append(_ entries: ArraySlice<VersionEntry>, to partition: Int) -> Bool {
        partitions[partition].pages.withLock { store in
            for entry in entries { store.append(entry) }
            return store.count >= store.retractAt
        }
    }

    /// Lets `resolve` drop the older versions of a partition's trips now, so that memory follows the number of trips and
    /// not of records: never more than 1.75 entries a trip and 1,024 a partition. Others who need the partition wait.
    package func retractEarly<Failure: Error>(
        _ partition: Int, _ resolve: ([[VersionEntry]]) throws(Failure) -> [VersionEntry]
    ) throws(Failure) {
        try partitions[partition].pages.withLock { store throws(Failure) in
            guard store.count >= store.retractAt else { return }
            let kept = try resolve(store.pages)
            store.pages = []
            store.count = 0
            for entry in kept { store.append(entry) }
            store.retractAt = kept.count * 7 / 4 + Self.leastBeforeRetraction
        }
    }

    /// Takes the entries of a partition out.
    package func take(_ partition: Int) -> [[VersionEntry]] {
        partitions[partition].pages.withLock { store in
            let taken = store.pages
            store.pages = []
            store.count = 0
            return taken
        }
    }
}

/// A worker's buffer before the index: entries gather here and are appended a handful at a time.
package struct VersionStaging {
    private static let capacity = 32
    /// Partitions that have grown enough for an early retraction.
    private var crowded: [Int] = []
    private let index: VersionIndex
    private var entries: [VersionEntry]
    private var counts: [Int]

    package init(_ index: VersionIndex) {
        self.index = index
        entries = Array(
            repeating: VersionEntry(hash: 0, location: RecordLocation(0)),
            count: VersionIndex.partitionCount * Self.capacity)
        counts = Array(repeating: 0, count: VersionIndex.partitionCount)
    }

    /// - Parameter location: of a row; nil: its offset.
    package mutating func note(_ batch: TripBatch, location: ((Int) -> Int)? = nil) {
        for row in 0..<batch.count {
            let hash = batch.keyHashes[row]
            let place = location?(row) ?? batch.offsets[row]
            let partition = VersionEntry.partition(of: hash)
            let count = counts[partition]
            entries[partition &* Self.capacity &+ count] = VersionEntry(hash: hash, location: RecordLocation(place))
            if count &+ 1 == Self.capacity {
                flush(partition, count: Self.capacity)
            } else {
                counts[partition] = count &+ 1
            }
        }
    }

    package mutating func takeCrowded() -> [Int] {
        defer { crowded.removeAll(keepingCapacity: true) }
        return crowded
    }

    package mutating func flush() {
        for partition in counts.indices where counts[partition] > 0 { flush(partition, count: counts[partition]) }
    }

    private mutating func flush(_ partition: Int, count: Int) {
        let start = partition * Self.capacity
        if index.append(entries[start..<start + count], to: partition) { crowded.append(partition) }
        counts[partition] = 0
    }
}
