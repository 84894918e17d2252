import CZlib

/// One gzip member after another through zlib, with no file name and no time in the header.
package final class GzipStream {
    private var stream = z_stream()
    private var output = [UInt8](repeating: 0, count: 1 << 16)

    package init() throws(SampleError) {
        let status = deflateInit2_(
            &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            throw SampleError("zlib could not start (code \(status))", hint: "free some memory")
        }
    }

    deinit {
        deflateEnd(&stream)
    }

    /// Compresses `input`; with `isLast` ends the member and makes ready for the next.
    package func compress(
        _ input: [UInt8], isLast: Bool, to sink: ([UInt8]) throws(SampleError) -> Void
    ) throws(SampleError) {
        var consumed = 0
        var status = Z_OK
        repeat {
            let (used, made, result) = step(input, from: consumed, isLast: isLast)
            consumed += used
            status = result
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                throw SampleError("zlib failed (code \(status))", hint: "free some memory, or write it without gzip")
            }
            if made > 0 { try sink(Array(output[..<made])) }
            if made < output.count, consumed == input.count, !isLast { return }
        } while !(isLast && status == Z_STREAM_END)
        deflateReset(&stream)
    }

    private func step(_ input: [UInt8], from start: Int, isLast: Bool) -> (used: Int, made: Int, status: Int32) {
        var copy = input
        return copy.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress.map { $0 + start }
                stream.avail_in = UInt32(source.count - start)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                let status = deflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                return (source.count - start - Int(stream.avail_in), target.count - Int(stream.avail_out), status)
            }
        }
    }
}
