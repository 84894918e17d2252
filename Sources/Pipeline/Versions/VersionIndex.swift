import Synchronization
import Trips

/// One record as the index remembers it: 16 bytes.
struct VersionEntry: BitwiseCopyable {
    /// Hash of the trip's key.
    var hash: UInt64
    /// Where it can be read again: export in the upper 16 bits, offset in the lower 48.
    var location: Int

    var fileIndex: Int { location >> 48 }
    var offset: Int { location & 0xFFFF_FFFF_FFFF }
}

/// Remembers every record by its key's hash, in partitions small enough for the processor's cache, so that the records
/// of one trip can be found together at the end. 16 bytes a record, whatever its length.
final class VersionIndex: Sendable {
    static let partitionCount = 512
    private static let pageEntries = 1024

    /// Entries in pages, so that growing never copies them.
    private struct Pages {
        var pages: [[VersionEntry]] = []
    }

    private final class Partition: Sendable {
        let pages = Mutex(Pages())
    }

    private let partitions = (0..<VersionIndex.partitionCount).map { _ in Partition() }

    func append(_ entries: ArraySlice<VersionEntry>, to partition: Int) {
        partitions[partition].pages.withLock { store in
            for entry in entries {
                let last = store.pages.count - 1
                if last < 0 || store.pages[last].count == Self.pageEntries {
                    var page: [VersionEntry] = []
                    page.reserveCapacity(Self.pageEntries)
                    page.append(entry)
                    store.pages.append(page)
                } else {
                    store.pages[last].append(entry)
                }
            }
        }
    }

    /// Takes the entries of a partition out.
    func take(_ partition: Int) -> [[VersionEntry]] {
        partitions[partition].pages.withLock { store in
            let taken = store.pages
            store.pages = []
            return taken
        }
    }
}

/// A worker's way into the index: entries gather here and go over a handful at a time.
struct VersionStaging {
    private static let capacity = 32
    private let index: VersionIndex
    private var entries: [VersionEntry]
    private var counts: [Int]

    init(_ index: VersionIndex) {
        self.index = index
        entries = Array(
            repeating: VersionEntry(hash: 0, location: 0), count: VersionIndex.partitionCount * Self.capacity)
        counts = Array(repeating: 0, count: VersionIndex.partitionCount)
    }

    /// - Parameter location: of a row; nil: its offset.
    mutating func note(_ batch: TripBatch, location: ((Int) -> Int)? = nil) {
        for row in 0..<batch.count {
            let hash = batch.keyHashes[row]
            let place = location?(row) ?? batch.offsets[row]
            let partition = Int(truncatingIfNeeded: hash >> 55)
            let count = counts[partition]
            entries[partition &* Self.capacity &+ count] = VersionEntry(hash: hash, location: place)
            if count &+ 1 == Self.capacity { flush(partition, count: Self.capacity) } else { counts[partition] = count &+ 1 }
        }
    }

    mutating func flush() {
        for partition in counts.indices where counts[partition] > 0 { flush(partition, count: counts[partition]) }
    }

    private mutating func flush(_ partition: Int, count: Int) {
        let start = partition * Self.capacity
        index.append(entries[start..<start + count], to: partition)
        counts[partition] = 0
    }
}
