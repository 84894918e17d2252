import CZlib

/// The inflated bytes of a gzip file of any number of members, each checked by its CRC and length.
// Why @unchecked: zlib's `z_stream` is raw memory, which the compiler cannot see to be one thread's. It is: whoever
// makes a stream hands it on at once (`sending`), and the last to have it, `StreamBlockSource` or `JSONArraySource`,
// reads from it only inside the `Mutex` it lies in. A lock in here as well would be taken inside that one each time.
final class GzipStream: ByteStream, @unchecked Sendable {  // raw memory of one owner at a time: see above
    private var source: any ByteStream
    private let name: String
    private var stream = z_stream()
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
        // 15 + 16: a window of 32 KiB and a gzip header, whose CRC and length inflate then checks.
        guard inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            input.deallocate()
            throw ExportError(
                kind: .unreadable, file: name, problem: "zlib could not be started",
                remedy: "check that zlib 1.2 or later is installed")
        }
    }

    deinit {
        inflateEnd(&stream)
        input.deallocate()
    }

    func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        guard !isDone, count > 0 else { return 0 }
        // zlib writes at most `avail_out` bytes from `next_out` on: the caller's room.
        stream.next_out = target
        stream.avail_out = UInt32(clamping: count)
        let room = Int(stream.avail_out)
        while stream.avail_out > 0 {
            if stream.avail_in == 0 {
                let got = try source.read(into: input, count: Self.inputCapacity)
                stream.next_in = input
                stream.avail_in = UInt32(got)
                if got == 0 {
                    if isInMember { throw damage("it ends in the middle of a gzip member (truncated)") }
                    isDone = true
                    break
                }
            }
            if !isInMember, try !startMember() { continue }
            switch inflate(&stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: continue
            case Z_STREAM_END: isInMember = false
            default: throw damage("its gzip data is damaged (a wrong code, CRC or length)")
            }
        }
        let made = room - Int(stream.avail_out)
        inflated += made
        return made
    }

    /// Gets ready for the next member; false at the end of the file or where more input must be read first.
    private func startMember() throws(ExportError) -> Bool {
        if membersStarted > 0 {
            // Some writers pad the file with zeros after the last member, as gzip(1) accepts.
            while let next = stream.next_in, stream.avail_in > 0, next.pointee == 0 {
                stream.next_in = next + 1
                stream.avail_in -= 1
            }
            if stream.avail_in == 0 { return false }
            guard inflateReset(&stream) == Z_OK else { throw damage("its next gzip member cannot be started") }
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
