import CZlib

/// A stretch of a regular file.
struct FileStretch: ByteStream {
    private var stream: FileStream
    private var left: Int

    init(_ file: ExportFile, from offset: Int, count: Int) {
        stream = FileStream(file, from: offset)
        left = count
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        guard left > 0 else { return 0 }
        let got = try stream.read(into: target, count: min(count, left))
        left -= got
        return got
    }
}

/// Bare deflate data with the header and the trailer of gzip around it, so that the same libraries inflate and check
/// it.
struct FramedDeflate: ByteStream {
    private var framed: JoinedStream

    init(_ deflated: any ByteStream, crc32: UInt32, bytes: Int) {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        let length = UInt32(truncatingIfNeeded: bytes)
        let trailer = [crc32, length].flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        framed = JoinedStream([BytesStream(header), deflated, BytesStream(trailer)])
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        try framed.read(into: target, count: count)
    }
}

private struct BytesStream: ByteStream {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        let taken = bytes.prefix(count)
        for (index, byte) in taken.enumerated() { target[index] = byte }
        bytes = bytes.dropFirst(taken.count)
        return taken.count
    }
}

/// A member's bytes, which must be as many as the directory says and have its CRC.
struct CheckedStream: ByteStream {
    private var source: any ByteStream
    private let bytes: Int
    private let wanted: UInt32?
    private let name: String
    private var sum: UInt
    private var read = 0

    /// - Parameter crc32: nil: it is checked elsewhere.
    init(_ source: any ByteStream, bytes: Int, crc32: UInt32?, name: String) {
        self.source = source
        self.bytes = bytes
        wanted = crc32
        self.name = name
        sum = UInt(CZlib.crc32(0, nil, 0))
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        let got: Int
        do throws(ExportError) {
            got = try source.read(into: target, count: count)
        } catch {
            var error = error
            if error.kind == .damaged { error.problem = "a member of the zip file is damaged or truncated" }
            throw error
        }
        read += got
        // `source` has written `got` bytes.
        if wanted != nil, got > 0 { sum = UInt(CZlib.crc32(CUnsignedLong(sum), target, UInt32(got))) }
        let isWrong = read > bytes || got == 0 && (read != bytes || wanted.map { UInt($0) != sum } ?? false)
        if isWrong {
            throw ExportError(
                kind: .damaged, file: name, offset: read,
                problem: "a member of the zip file has another length or CRC than its directory says",
                remedy: "fetch or export the file again; nothing of it was loaded")
        }
        return got
    }
}
