import CZlib

/// What stands in compressed bytes.
enum Inflation {
    enum Form: Int32 {
        /// A gzip file of any number of members.
        case gzip = 31
        /// The bare deflate of a zip member.
        case deflate = -15
    }

    /// - Parameter limit: more than this is not unpacked: nobody publishes it, and it would be a bomb.
    /// - Returns: nil if the bytes are damaged, cut off, or unpack to more than the limit.
    static func inflate(_ bytes: ArraySlice<UInt8>, _ form: Form, limit: Int = 1 << 31) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit2_(&stream, form.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = Array(bytes)
        var inflated: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 18)
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while true {
                let (status, made) = room.withUnsafeMutableBufferPointer { room in
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (status, room.count - Int(stream.avail_out))
                }
                inflated.append(contentsOf: room[..<made])
                if inflated.count > limit { return false }
                switch status {
                case Z_STREAM_END:
                    if form == .deflate || stream.avail_in == 0 { return true }
                    guard inflateReset(&stream) == Z_OK else { return false }
                case Z_OK: if made == 0, stream.avail_in == 0 { return false }
                default: return false
                }
            }
        }
        return isWhole ? inflated : nil
    }
}
