import CZlib

/// A range of the bytes of a file.
struct FileRange: ByteStream {
    private let file: ExportFile
    private var left: Range<Int>

    init(_ file: ExportFile, _ range: Range<Int>) {
        self.file = file
        left = range
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        // `target` has room for `count` bytes, and no more are asked for.
        let got = try file.read(into: target, count: min(count, left.count), at: left.lowerBound)
        left = left.lowerBound + got..<left.upperBound
        return got
    }
}

/// Bytes that are there already.
struct BytesStream: ByteStream {
    private var left: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { left = bytes[...] }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        let taken = left.prefix(count)
        for (index, byte) in taken.enumerated() { target[index] = byte }
        left = left.dropFirst(taken.count)
        return taken.count
    }
}

/// One stream after the other.
package struct JoinedStream: ByteStream {
    private var streams: [any ByteStream]

    package init(_ streams: [any ByteStream]) { self.streams = streams }

    package mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        while !streams.isEmpty {
            let got = try streams[0].read(into: target, count: count)
            if got > 0 { return got }
            streams.removeFirst()
        }
        return 0
    }
}

/// A member that is not packed, checked by its CRC at its end.
struct StoredStream: ByteStream {
    private var source: FileRange
    private let wanted: UInt32
    private var sum: UInt = 0
    private let file: String

    init(_ source: FileRange, crc: UInt32, file: String) {
        self.source = source
        wanted = crc
        self.file = file
    }

    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        let got = try source.read(into: target, count: count)
        if got == 0 {
            guard UInt32(truncatingIfNeeded: sum) == wanted else {
                throw ExportError(
                    kind: .damaged, file: file, problem: "a member of it has another CRC than its directory says",
                    remedy: "fetch or export the file again; nothing of it was loaded")
            }
            return 0
        }
        // `target` holds `got` bytes.
        sum = crc32(sum, target, UInt32(got))
        return got
    }
}
