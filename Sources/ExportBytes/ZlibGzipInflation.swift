import CZlib

/// A gzip file by zlib. It owns its memory and frees it at its end.
final class ZlibGzipInflation: GzipInflation {
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

    func read(into room: UInt, count: Int) throws(ExportError) -> Int {
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
                    if isInMember { throw damage(.truncated) }
                    isDone = true
                    break
                }
            }
            if !isInMember, try !startMember() { continue }
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: continue
            case Z_STREAM_END: isInMember = false
            default: throw damage(.wrongData)
            }
        }
        let made = roomBytes - Int(stream.pointee.avail_out)
        inflated += made
        return made
    }

    /// Gets ready for the next member; false at the end of the file or where more input must be read first.
    private func startMember() throws(ExportError) -> Bool {
        if membersStarted > 0 {
            // Some writers pad the file with zeros after the last member, as gzip(1) accepts.
            while let next = stream.pointee.next_in, stream.pointee.avail_in > 0, next.pointee == 0 {
                stream.pointee.next_in = next + 1
                stream.pointee.avail_in -= 1
            }
            if stream.pointee.avail_in == 0 { return false }
            guard inflateReset(stream) == Z_OK else { throw damage(.wrongData) }
        }
        membersStarted += 1
        isInMember = true
        return true
    }

    private func damage(_ damage: GzipDamage) -> ExportError { damage.error(file: name, offset: inflated) }
}

/// How a gzip file is damaged.
enum GzipDamage {
    case truncated
    case wrongData

    /// - Parameter offset: how many bytes were inflated before.
    func error(file: String, offset: Int) -> ExportError {
        let problem =
            switch self {
            case .truncated: "it ends in the middle of a gzip member (truncated)"
            case .wrongData: "its gzip data is damaged (a wrong code, CRC or length)"
            }
        return ExportError(
            kind: .damaged, file: file, offset: offset, problem: problem,
            remedy: "fetch or export the file again; nothing of it was loaded")
    }
}
