/// gzip written the simplest way, without zlib: members of stored blocks (RFC 1951, 1952).
package enum GzipBytes {
    /// One member that inflates to `bytes`.
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var at = 0
        repeat {
            let count = min(65_535, bytes.count - at)
            result.append(at + count == bytes.count ? 1 : 0)
            result += little(UInt32(count), 2) + little(UInt32(~UInt16(count)), 2) + bytes[at..<at + count]
            at += count
        } while at < bytes.count
        return result + little(crc(bytes), 4) + little(UInt32(truncatingIfNeeded: bytes.count), 4)
    }

    package static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    package static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}
