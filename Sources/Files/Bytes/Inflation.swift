import CZlib

/// Inflates compressed bytes piece by piece.
package final class Inflation {
    package enum Form: Int32 {
        /// A gzip file of any number of members.
        case gzip = 31
        /// The bare deflate of a zip member.
        case deflate = -15
    }

    private let form: Form
    private let limit: Int
    private var stream = z_stream()
    private var isUsable: Bool
    private var isBetweenMembers = false
    private var room = [UInt8](repeating: 0, count: 1 << 18)

    /// - Parameter limit: more than this is not unpacked at once: no output is that large, and it could be a decompression bomb.
    package init(_ form: Form, limit: Int = 1 << 31) {
        self.form = form
        self.limit = limit
        isUsable =
            inflateInit2_(&stream, form.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit { inflateEnd(&stream) }

    /// What all of a file or member unpacks to; nil if it is damaged, cut off, or unpacks to more than the limit.
    package static func whole(_ bytes: ArraySlice<UInt8>, _ form: Form, limit: Int = 1 << 31) -> [UInt8]? {
        let inflation = Inflation(form, limit: limit)
        let inflated = inflation.inflate(Array(bytes))
        return inflation.isWhole ? inflated : nil
    }

    /// Whether all that came in was whole: a file ends where a member ends.
    package var isWhole: Bool { isUsable && isBetweenMembers }

    /// - Returns: what the bytes unpack to; nil if they are damaged, or unpack to more than the limit.
    package func inflate(_ bytes: [UInt8]) -> [UInt8]? {
        guard isUsable else { return nil }
        var input = bytes
        var inflated: [UInt8] = []
        isUsable = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while stream.avail_in > 0 || !isBetweenMembers {
                if isBetweenMembers {
                    guard form == .gzip, inflateReset(&stream) == Z_OK else { return false }
                    isBetweenMembers = false
                }
                let before = stream.avail_in
                let (status, made) = room.withUnsafeMutableBufferPointer { room in
                    stream.next_out = room.baseAddress
                    stream.avail_out = UInt32(room.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (status, room.count - Int(stream.avail_out))
                }
                inflated.append(contentsOf: room[..<made])
                guard inflated.count <= limit else { return false }
                switch status {
                case Z_STREAM_END: isBetweenMembers = true
                case Z_OK, Z_BUF_ERROR: if made == 0, stream.avail_in == before { return true }
                default: return false
                }
            }
            return true
        }
        return isUsable ? inflated : nil
    }
}
