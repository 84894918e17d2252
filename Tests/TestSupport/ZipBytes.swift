/// Zip files written the simplest way, without zlib.
package enum ZipBytes {
    package struct Member {
        package var name: String
        package var bytes: [UInt8]
        /// Packed as deflate's stored blocks; else not packed at all.
        package var isDeflated = true
        package var isEncrypted = false

        package init(_ name: String, _ text: String, isDeflated: Bool = true) {
            self.init(name, Array(text.utf8), isDeflated: isDeflated)
        }

        package init(_ name: String, _ bytes: [UInt8], isDeflated: Bool = true) {
            self.name = name
            self.bytes = bytes
            self.isDeflated = isDeflated
        }
    }

    /// - Parameter isLarge: sizes and places are written in the larger form (zip64).
    package static func archive(_ members: [Member], isLarge: Bool = false) -> [UInt8] {
        var archive: [UInt8] = [], directory: [UInt8] = []
        for member in members {
            let gzip = GzipBytes.stored(member.bytes)
            let crc = Array(gzip[(gzip.count - 8)..<(gzip.count - 4)])
            let packed = member.isDeflated ? Array(gzip[10..<(gzip.count - 8)]) : member.bytes
            let name = Array(member.name.utf8), offset = archive.count
            let method = little(member.isDeflated ? 8 : 0, 2), flags = little(member.isEncrypted ? 1 : 0, 2)
            let sizes = little(packed.count, 4) + little(member.bytes.count, 4)
            archive += [0x50, 0x4B, 3, 4, 20, 0] + flags + method + little(0, 4) + crc + sizes
            archive += little(name.count, 2) + little(0, 2) + name + packed
            let large = isLarge ? little(1, 2) + little(24, 2) : []
            let extra =
                isLarge ? large + little(member.bytes.count, 8) + little(packed.count, 8) + little(offset, 8) : []
            directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + flags + method + little(0, 4) + crc
            directory += isLarge ? little(0xFFFF_FFFF, 4) + little(0xFFFF_FFFF, 4) : sizes
            directory += little(name.count, 2) + little(extra.count, 2) + little(0, 2) + little(0, 8)
            directory += little(isLarge ? 0xFFFF_FFFF : offset, 4) + name + extra
        }
        let start = archive.count
        archive += directory
        if isLarge {
            let record = archive.count
            archive += [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8)
            archive +=
                little(members.count, 8) + little(members.count, 8) + little(directory.count, 8) + little(start, 8)
            archive += [0x50, 0x4B, 6, 7] + little(0, 4) + little(record, 8) + little(1, 4)
        }
        let count = isLarge ? 0xFFFF : members.count
        archive += [0x50, 0x4B, 5, 6] + little(0, 4) + little(count, 2) + little(count, 2)
        archive += little(isLarge ? 0xFFFF_FFFF : directory.count, 4) + little(isLarge ? 0xFFFF_FFFF : start, 4)
        return archive + little(0, 2)
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
