import CZlib
import Synchronization

/// The inflated bytes of a gzip file of any number of members, each checked by its CRC and length.
package final class GzipStream: ByteStream {
    // zlib's memory is raw; the lock is what makes it one thread's at a time. It is taken once a block.
    private let inflation: Mutex<GzipInflation>

    package init(source: any ByteStream, name: String) throws(ExportError) {
        inflation = Mutex(try GzipInflation(source: source, name: name))
    }

    package func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        // As a number, since the lock's value may keep nothing of the caller's: the room is lent for this call only.
        let room = UInt(bitPattern: target)
        return try inflation.withLock { inflation throws(ExportError) in try inflation.read(into: room, count: count) }
    }
}

/// The zlib stream of one file. It owns its memory and frees it at its end.
private struct GzipInflation: ~Copyable {
    private var source: any ByteStream
    private let name: String
    // At a place of its own, because zlib remembers where its stream lies.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutablePointer<UInt8>
    private static let inputCapacity = 1 << 17
    private var isInMember = false
    private var isDone = false
    private var membersStarted = 0
    private var inflated = 0

    init(source: any ByteStream, name: String) throws(ExportError) {
        self.source = source
        self.name = name
        input = .allocate(capacity: Self.inputCapacity)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 + 16: a window of 32 KiB and a gzip header, whose CRC and length inflate then checks. Where it fails,
        // inflateEnd finds nothing to end.
        guard inflateInit2_(stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw ExportError(
                kind: .unreadable, file: name, problem: "zlib could not be started",
                remedy: "check that zlib 1.2 or later is installed")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.wipeAndDeallocate(count: Self.inputCapacity)
    }

    /// - Parameter room: the address of at least `count` bytes that are the caller's to write to.
    mutating func read(into room: UInt, count: Int) throws(ExportError) -> Int {
        guard !isDone, count > 0 else { return 0 }
        // zlib writes at most `avail_out` bytes from `next_out` on: the caller's room. Afterwards it is forgotten.
        stream.pointee.next_out = UnsafeMutablePointer(bitPattern: room)
        stream.pointee.avail_out = UInt32(clamping: count)
        defer { stream.pointee.next_out = nil }
        let roomBytes = Int(stream.pointee.avail_out)
        while stream.pointee.avail_out > 0 {
            if stream.pointee.avail_in == 0 {
                let got = try source.read(into: input, count: Self.inputCapacity)
                stream.pointee.next_in = input
                stream.pointee.avail_in = UInt32(got)
                if got == 0 {
                    if isInMember { throw damage("it ends in the middle of a gzip member (truncated)") }
                    isDone = true
                    break
                }
            }
            if !isInMember, try !startMember() { continue }
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: continue
            case Z_STREAM_END: isInMember = false
            default: throw damage("its gzip data is damaged (a wrong code, CRC or length)")
            }
        }
        let made = roomBytes - Int(stream.pointee.avail_out)
        inflated += made
        return made
    }

    /// Gets ready for the next member; false at the end of the file or where more input must be read first.
    private mutating func startMember() throws(ExportError) -> Bool {
        if membersStarted > 0 {
            // Some writers pad the file with zeros after the last member, as gzip(1) accepts.
            while let next = stream.pointee.next_in, stream.pointee.avail_in > 0, next.pointee == 0 {
                stream.pointee.next_in = next + 1
                stream.pointee.avail_in -= 1
            }
            if stream.pointee.avail_in == 0 { return false }
            guard inflateReset(stream) == Z_OK else { throw damage("its next gzip member cannot be started") }
        }
        membersStarted += 1
        isInMember = true
        return true
    }

    private func damage(_ problem: String) -> ExportError {
        ExportError(
            kind: .damaged, file: name, offset: inflated, problem: problem,
            remedy: "fetch or export the file again; nothing of it was loaded")
    }
}

/// The library that inflates gzip.
package enum CompressionLibrary {
    package static var version: String { String(cString: zlibVersion()) }
}
