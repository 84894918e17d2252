import CZlib

/// Compresses to gzip through zlib, with no file name and no time in the header: the same bytes are the same file.
package final class GzipWriter {
    private var stream = z_stream()
    private var room = [UInt8](repeating: 0, count: 1 << 16)

    package init() throws(GzipError) {
        let status = deflateInit2_(
            &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw GzipError(code: status) }
    }

    deinit { deflateEnd(&stream) }

    /// Takes the next bytes of a member.
    ///
    /// - Parameter endsMember: whether the member ends with them; what comes next begins another one.
    /// - Returns: compressed bytes, in order; often none, since zlib collects.
    package func compress(_ input: [UInt8], endsMember: Bool = false) throws(GzipError) -> [UInt8] {
        var input = input
        var output: [UInt8] = []
        let status = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            var status = Z_OK
            repeat {
                let made = room.withUnsafeMutableBufferPointer { room in
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    status = deflate(&stream, endsMember ? Z_FINISH : Z_NO_FLUSH)
                    return room.count - Int(stream.avail_out)
                }
                output += room[..<made]
                // Without room left there may be more to come.
            } while status == Z_OK && (endsMember || stream.avail_out == 0)
            return status
        }
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else { throw GzipError(code: status) }
        if endsMember { deflateReset(&stream) }
        return output
    }
}

/// zlib could not compress, for want of memory.
package struct GzipError: Error, Sendable, Hashable, CustomStringConvertible {
    /// zlib's.
    package let code: Int32

    package var description: String { "zlib failed (code \(code)); free some memory, or write without gzip" }
}
