package import ExportBytes
import Files
package import Keys
package import Trips

/// What each trip of an export added to the numbers, packed, so that it can be taken out again: for exports that cannot
/// be read twice (compressed, transcoded, piped). About 55 bytes a record; no identifier, only hashes.
///
/// Written by one worker. Records of one partition of the version index are in pages of their own, so that a partition is
/// resolved with few pages read. `LoggedTrips` reads them.
package final class TripLog {
    private let pages: SealedPages
    /// One page a partition, side by side.
    private let room: UnsafeMutablePointer<UInt8>
    /// Bytes used of each page.
    private let used: UnsafeMutablePointer<Int>
    /// The number of each page; -1: there is none.
    private let numbers: UnsafeMutablePointer<Int>

    /// 21 fields of at most ten bytes.
    private static let maximumRecordBytes = 210

    package init(_ pages: SealedPages) {
        self.pages = pages
        let count = VersionIndex.partitionCount
        room = .allocate(capacity: count * SealedPages.pageBytes)
        room.initialize(repeating: 0, count: count * SealedPages.pageBytes)
        used = .allocate(capacity: count)
        used.initialize(repeating: 0, count: count)
        numbers = .allocate(capacity: count)
        numbers.initialize(repeating: -1, count: count)
    }

    deinit {
        room.deallocate()
        used.deallocate()
        numbers.deallocate()
    }

    /// Packs the rows of a batch with versions.
    ///
    /// - Returns: where each can be found again.
    package func append(_ batch: borrowing TripBatch) throws(ExportError) -> [Int] {
        var places: [Int] = []
        places.reserveCapacity(batch.count)
        for row in 0..<batch.count {
            let partition = VersionEntry.partition(of: batch.keyHashes[row])
            if used[partition] > SealedPages.pageBytes - Self.maximumRecordBytes { try writePage(partition) }
            if numbers[partition] < 0 { numbers[partition] = pages.reserve() }
            places.append(numbers[partition] * SealedPages.pageBytes + used[partition])
            // The page has room for the longest record: it would have been written otherwise.
            var writer = Writer(room + partition * SealedPages.pageBytes + used[partition])
            Self.pack(batch, row, &writer)
            used[partition] += writer.count
        }
        return places
    }

    /// Writes the pages that are not full. Before it, their records cannot be read.
    package func finish() throws(ExportError) {
        for partition in 0..<VersionIndex.partitionCount where used[partition] > 0 { try writePage(partition) }
    }

    private func writePage(_ partition: Int) throws(ExportError) {
        // Within the pages: a partition is below `partitionCount`, and `used` at most a page.
        let page = UnsafeBufferPointer(start: room + partition * SealedPages.pageBytes, count: used[partition])
        do throws(FileError) {
            try pages.write(Array(page), number: numbers[partition])
        } catch {
            throw .noRoomForVersions(error)
        }
        used[partition] = 0
        numbers[partition] = -1
    }

    @inline(__always)
    private static func pack(_ batch: borrowing TripBatch, _ row: Int, _ writer: inout Writer) {
        let stamp = batch.versions[row]
        writer.fixed(stamp.keyCheck)
        writer.fixed(stamp.contentHash)
        writer.signed(stamp.version.updatedAt)
        writer.signed(stamp.version.sequence)
        writer.signed(batch.offsets[row])
        writer.byte(batch.status[row] | batch.sourcing[row] << 4)
        writer.byte(batch.region[row])
        writer.byte(batch.tripType[row])
        writer.signed(Int(batch.day[row]))
        writer.signed(Int(batch.warnings[row]))
        for interval in batch.intervals.indices { writer.signed(Int(batch.intervals[interval][row])) }
        writer.signed(batch.costCents[row])
        writer.signed(batch.loadedHundredths[row])
        writer.signed(batch.unloadedHundredths[row])
        writer.fixed(batch.patientHashes[row])
    }

    /// Packs to memory that has room for it.
    private struct Writer {
        private let bytes: UnsafeMutablePointer<UInt8>
        private(set) var count = 0

        init(_ bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

        @inline(__always)
        mutating func byte(_ value: UInt8) {
            bytes[count] = value
            count &+= 1
        }

        @inline(__always)
        mutating func fixed(_ value: UInt64) {
            UnsafeMutableRawPointer(bytes + count).storeBytes(of: value.littleEndian, as: UInt64.self)
            count &+= 8
        }

        /// Zigzag plus one, seven bits a byte; 0 stands for `Int.min`, the mark of absence. Values lie within ±2^62.
        @inline(__always)
        mutating func signed(_ value: Int) {
            var rest = value == .min ? 0 : UInt64(bitPattern: Int64((value << 1) ^ (value >> 63))) &+ 1
            while rest >= 0x80 {
                byte(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            byte(UInt8(truncatingIfNeeded: rest))
        }
    }
}
