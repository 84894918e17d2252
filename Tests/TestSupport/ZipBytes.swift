/// zip files written the simplest way: stored or deflated without compression, with or without zip64.
package struct ZipBytes {
    package enum Form: CaseIterable, Sendable {
        case stored, deflated, zip64
    }

    private var members: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    package init() {}

    /// - Parameters:
    ///   - flags: 1: encrypted.
    ///   - method: what the directory says the member is packed by; nil: what it is.
    package mutating func add(
        _ name: String, _ bytes: [UInt8], _ form: Form = .deflated, flags: UInt32 = 0, method: UInt32? = nil
    ) {
        let packed = form == .stored ? bytes : Array(GzipBytes.stored(bytes).dropFirst(10).dropLast(8))
        let little = GzipBytes.little
        let isLarge = form == .zip64
        let sizes: [UInt8] =
            isLarge
            ? little(~0, 4) + little(~0, 4) : little(UInt32(packed.count), 4) + little(UInt32(bytes.count), 4)
        let common =
            little(flags, 2) + little(method ?? (form == .stored ? 0 : 8), 2) + little(0, 4)
            + little(GzipBytes.crc(bytes), 4) + sizes + little(UInt32(name.utf8.count), 2)
        let extra =
            isLarge
            ? little(1, 2) + little(24, 2) + Self.large(bytes.count) + Self.large(packed.count)
                + Self.large(members.count)
            : []
        directory +=
            [0x50, 0x4B, 1, 2] + little(20, 2) + little(20, 2) + common + little(UInt32(extra.count), 2) + little(0, 2)
            + little(0, 2) + little(0, 2) + little(0, 4) + (isLarge ? little(~0, 4) : little(UInt32(members.count), 4))
            + Array(name.utf8) + extra
        members += [0x50, 0x4B, 3, 4] + little(20, 2) + common + little(0, 2) + Array(name.utf8) + packed
        count += 1
    }

    /// The whole file.
    package func bytes(comment: String = "", isLarge: Bool = false) -> [UInt8] {
        let little = GzipBytes.little
        var end: [UInt8] = []
        if isLarge {
            end +=
                [0x50, 0x4B, 6, 6] + Self.large(44) + little(45, 2) + little(45, 2) + little(0, 4) + little(0, 4)
                + Self.large(count) + Self.large(count) + Self.large(directory.count) + Self.large(members.count)
            end += [0x50, 0x4B, 6, 7] + little(0, 4) + Self.large(members.count + directory.count) + little(1, 4)
        }
        let number = isLarge ? ~0 : UInt32(count)
        end +=
            [0x50, 0x4B, 5, 6] + little(0, 4) + little(number, 2) + little(number, 2)
            + little(isLarge ? ~0 : UInt32(directory.count), 4) + little(isLarge ? ~0 : UInt32(members.count), 4)
            + little(UInt32(comment.utf8.count), 2) + Array(comment.utf8)
        return members + directory + end
    }

    private static func large(_ value: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// zstd frames of raw blocks, without a checksum.
package enum ZstdBytes {
    package static func raw(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + GzipBytes.little(UInt32(bytes.count), 4)
        var at = 0
        repeat {
            let count = min(1 << 16, bytes.count - at)
            let isLast: UInt32 = at + count == bytes.count ? 1 : 0
            result += GzipBytes.little(UInt32(count) << 3 | isLast, 3) + bytes[at..<at + count]
            at += count
        } while at < bytes.count
        return result
    }
}
