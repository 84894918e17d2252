import ExportBytes
import Files
import Keys

/// Puts records aside by their trip, sealed, until all records of each trip are there. One worker writes it.
///
/// A record goes to the partition of its trip's hash. Each partition is a run of bytes in pages of its own, so that it is
/// read with few pages, and all records of one trip are in one partition.
struct RecordSpool {
    static let partitionCount = 512

    private let pages: SealedPages
    /// What is not yet a whole page, by partition.
    private var open = Array(repeating: [UInt8](), count: RecordSpool.partitionCount)
    /// The pages of each partition, in the order in which they were written.
    private(set) var written = Array(repeating: [Int](), count: RecordSpool.partitionCount)

    init(_ pages: SealedPages) { self.pages = pages }

    mutating func append(_ record: [UInt8], to partition: Int) throws(ExportError) {
        open[partition] += record
        while open[partition].count >= SealedPages.pageBytes {
            try writePage(Array(open[partition].prefix(SealedPages.pageBytes)), of: partition)
            open[partition].removeFirst(SealedPages.pageBytes)
        }
    }

    /// Writes the pages that are not full. Before it, their records cannot be read.
    mutating func finish() throws(ExportError) {
        for partition in open.indices where !open[partition].isEmpty {
            try writePage(open[partition], of: partition)
            open[partition] = []
        }
    }

    private mutating func writePage(_ page: [UInt8], of partition: Int) throws(ExportError) {
        let number = pages.reserve()
        do throws(FileError) {
            try pages.write(page, number: number)
        } catch {
            throw .noRoomForVersions(error)
        }
        written[partition].append(number)
    }

    /// The bytes of a partition of a spool that is finished; zeros may follow them.
    static func bytes(of numbers: [Int], in pages: SealedPages) throws(ExportError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * SealedPages.pageBytes)
        for number in numbers {
            do throws(FileError) {
                bytes += try pages.read(number)
            } catch {
                throw .noRoomForVersions(error)
            }
        }
        return bytes
    }
}
