import Synchronization

/// The inflated bytes of a gzip file of any number of members, each checked by its CRC and length.
package final class GzipStream: ByteStream {
    // The inflater's memory is raw; the lock is what makes it one thread's at a time. It is taken once a block.
    private let inflation: Mutex<any GzipInflation>

    /// - Parameter library: nil: ISA-L where it is installed, else zlib. Both give the same bytes, and refuse the same files.
    package init(source: any ByteStream, name: String, library: InflateLibrary? = nil) throws(ExportError) {
        if library != .zlib, let inflater = FastInflater() {
            inflation = Mutex(FastGzipInflation(inflater, source: source, name: name))
        } else {
            inflation = Mutex(try ZlibGzipInflation(source: source, name: name))
        }
    }

    package func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        // As a number, since the lock's value may keep nothing of the caller's: the room is lent for this call only.
        let room = UInt(bitPattern: target)
        return try inflation.withLock { inflation throws(ExportError) in try inflation.read(into: room, count: count) }
    }
}

/// What inflates one file, by one library.
protocol GzipInflation: AnyObject {
    /// Writes at most `count` of the next bytes; 0 at the end of the file.
    ///
    /// - Parameter room: the address of at least `count` bytes that are the caller's to write to.
    func read(into room: UInt, count: Int) throws(ExportError) -> Int
}

/// The libraries that inflate gzip.
package enum InflateLibrary: Sendable, Hashable {
    case zlib
    /// Intel's; several times as fast.
    case isal

    package var isInstalled: Bool { self == .zlib || FastInflater() != nil }
}
