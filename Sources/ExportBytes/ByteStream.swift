/// Bytes that come once, in order: a pipe, an inflated file, transcoded text.
package protocol ByteStream: Sendable {
    /// Reads up to `count` bytes (at least 1 unless at the end) to `target`; 0 at the end.
    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int
}

extension ByteStream {
    /// Reads exactly `count` bytes, or all there are.
    package mutating func take(_ count: Int) throws(ExportError) -> [UInt8] {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        defer { buffer.wipeAndDeallocate(count: count) }
        var done = 0
        while done < count {
            // `buffer` has room for `count - done` bytes from `done` on.
            let got = try read(into: buffer + done, count: count - done)
            if got == 0 { break }
            done += got
        }
        return Array(UnsafeBufferPointer(start: buffer, count: done))
    }
}

/// Some bytes, then a stream.
package struct PrefixedStream: ByteStream {
    private var ahead: ArraySlice<UInt8>
    private var rest: any ByteStream

    package init(ahead: [UInt8], rest: any ByteStream) {
        self.ahead = ahead[...]
        self.rest = rest
    }

    package mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ExportError) -> Int {
        guard !ahead.isEmpty else { return try rest.read(into: target, count: count) }
        let taken = ahead.prefix(count)
        for (index, byte) in taken.enumerated() { target[index] = byte }
        ahead = ahead.dropFirst(taken.count)
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
