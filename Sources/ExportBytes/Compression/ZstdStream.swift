import CFastInflate
import Synchronization

/// The decompressed bytes of a zstd file of any number of frames, each checked by its checksum where it has one.
package final class ZstdStream: ByteStream {
    // As for `GzipStream`: raw memory, one thread at a time.
    private let decompression: Mutex<ZstdDecompression>

    package init(source: any ByteStream, name: String) throws(ExportError) {
        decompression = Mutex(try ZstdDecompression(source: source, name: name))
    }

    package func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        let room = UInt(bitPattern: target)
        return try decompression.withLock { own throws(ExportError) in try own.read(into: room, count: count) }
    }

    /// Whether libzstd is installed.
    package static var isInstalled: Bool {
        guard let stream = zstd_stream_make() else { return false }
        zstd_stream_free(stream)
        return true
    }
}

/// One file by libzstd. It owns its memory and frees it at its end.
private final class ZstdDecompression {
    private let stream: OpaquePointer
    private var source: any ByteStream
    private let name: String
    private let input: UnsafeMutablePointer<UInt8>
    private static let inputCapacity = 1 << 17
    /// Invariant: `input[next ..< end]` are bytes that were read and are not used yet.
    private var next = 0
    private var end = 0
    private var isInFrame = false
    private var isDone = false
    private var made = 0

    init(source: any ByteStream, name: String) throws(ExportError) {
        guard let stream = zstd_stream_make() else {
            throw ExportError(
                kind: .unreadable, file: name, problem: "it is compressed with zstd, and libzstd is not installed",
                remedy: "install libzstd (apt-get install libzstd1), or decompress it first: zstd -d FILE")
        }
        self.stream = stream
        self.source = source
        self.name = name
        input = .allocate(capacity: Self.inputCapacity)
        input.initialize(repeating: 0, count: Self.inputCapacity)
    }

    deinit {
        zstd_stream_free(stream)
        input.wipeAndDeallocate(count: Self.inputCapacity)
    }

    /// Writes at most `count` of the next bytes to the caller's room at this address; 0 at the end of the file.
    func read(into room: UInt, count: Int) throws(ExportError) -> Int {
        guard !isDone, count > 0, let start = UnsafeMutablePointer<UInt8>(bitPattern: room) else { return 0 }
        var written = 0
        while written < count {
            if next == end {
                let got = try source.read(into: input, count: Self.inputCapacity)
                next = 0
                end = got
                if got == 0 {
                    // What is still held of a frame may come without more input.
                    if isInFrame, try step(start, &written, count) > 0 { continue }
                    if isInFrame { throw damage("it ends in the middle of a zstd frame (truncated)") }
                    isDone = true
                    break
                }
            }
            _ = try step(start, &written, count)
        }
        made += written
        return written
    }

    /// Returns how many bytes were made.
    private func step(
        _ start: UnsafeMutablePointer<UInt8>, _ written: inout Int, _ count: Int
    ) throws(ExportError) -> Int {
        // The input is as the invariant says; the room has `count` bytes, of which `written` are written.
        var from: UnsafePointer<UInt8>? = UnsafePointer(input + next)
        var left = end - next
        var to: UnsafeMutablePointer<UInt8>? = start + written
        var room = count - written
        let status = zstd_stream_run(stream, &from, &left, &to, &room)
        let new = count - written - room
        next = end - left
        written += new
        switch status {
        case ZSTD_STREAM_GO_ON: isInFrame = true
        case ZSTD_STREAM_END: isInFrame = false
        default: throw damage("its zstd data is damaged (a wrong code or checksum), or needs more memory than 128 MiB")
        }
        return new
    }

    private func damage(_ problem: String) -> ExportError {
        ExportError(
            kind: .damaged, file: name, offset: made, problem: problem,
            remedy: "fetch or export the file again; nothing of it was loaded")
    }
}
