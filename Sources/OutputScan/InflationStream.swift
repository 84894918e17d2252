import CZlib

/// A gzip file of any number of members, unpacked piece by piece.
final class InflationStream {
    private var stream = z_stream()
    private var isUsable: Bool
    private var isBetweenMembers = false
    private var room = [UInt8](repeating: 0, count: 1 << 18)

    init() {
        isUsable =
            inflateInit2_(&stream, Inflation.Form.gzip.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            == Z_OK
    }

    deinit { inflateEnd(&stream) }

    /// Whether all that came in was whole: a file ends where a member ends.
    var isWhole: Bool { isUsable && isBetweenMembers }

    /// - Returns: what the bytes unpack to; nil if they are damaged.
    func inflate(_ bytes: [UInt8]) -> [UInt8]? {
        guard isUsable else { return nil }
        var input = bytes
        var inflated: [UInt8] = []
        isUsable = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while stream.avail_in > 0 || !isBetweenMembers {
                if isBetweenMembers {
                    guard inflateReset(&stream) == Z_OK else { return false }
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
