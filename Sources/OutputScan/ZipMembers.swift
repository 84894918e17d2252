import Files

/// The members of a zip archive, by its central directory.
enum ZipMembers {
    struct Member {
        var name: String
        var bytes: [UInt8]
    }

    /// Nil unless every member can be read: stored or deflated, without encryption and zip64.
    static func all(of archive: [UInt8]) -> [Member]? {
        guard let end = endRecord(archive), let count = number(archive, end + 10, 2),
            var at = number(archive, end + 16, 4)
        else { return nil }
        var members: [Member] = []
        for _ in 0..<count {
            guard number(archive, at, 4) == 0x0201_4B50, let method = number(archive, at + 10, 2),
                let packed = number(archive, at + 20, 4), let nameLength = number(archive, at + 28, 2),
                let extra = number(archive, at + 30, 2), let comment = number(archive, at + 32, 2),
                let header = number(archive, at + 42, 4), let flags = number(archive, at + 8, 2), flags & 1 == 0,
                at + 46 + nameLength <= archive.count, let ownName = number(archive, header + 26, 2),
                let ownExtra = number(archive, header + 28, 2)
            else { return nil }
            let name = String(decoding: archive[at + 46..<at + 46 + nameLength], as: UTF8.self)
            let start = header + 30 + ownName + ownExtra
            guard start + packed <= archive.count else { return nil }
            let body = archive[start..<start + packed]
            switch method {
            case 0: members.append(Member(name: name, bytes: Array(body)))
            case 8:
                guard let inflated = Inflation.whole(body, .deflate) else { return nil }
                members.append(Member(name: name, bytes: inflated))
            default: return nil
            }
            at += 46 + nameLength + extra + comment
        }
        return members
    }

    private static func endRecord(_ archive: [UInt8]) -> Int? {
        var at = archive.count - 22
        while at >= 0, at >= archive.count - 22 - 0xFFFF {
            if number(archive, at, 4) == 0x0605_4B50 { return at }
            at -= 1
        }
        return nil
    }

    /// Little-endian; nil beyond the end.
    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int? {
        guard at >= 0, at + count <= bytes.count else { return nil }
        return (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << ($1 * 8) }
    }
}

/// Converts UTF-8 and UTF-16, with and without a byte-order mark, to plain UTF-8.
enum TextForm {
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return transcoded(bytes.dropFirst(2), lowFirst: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return transcoded(bytes.dropFirst(2), lowFirst: false) }
        // Without a mark: every second byte of a text in the Latin alphabet is zero.
        let head = bytes.prefix(256)
        let zeros = (even: zeros(head, from: 0), odd: zeros(head, from: 1))
        if head.count >= 8, zeros.odd * 4 > head.count, zeros.even == 0 {
            return transcoded(bytes[...], lowFirst: true)
        }
        if head.count >= 8, zeros.even * 4 > head.count, zeros.odd == 0 {
            return transcoded(bytes[...], lowFirst: false)
        }
        return bytes
    }

    private static func zeros(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
        stride(from: start, to: bytes.count, by: 2).count { bytes[$0] == 0 }
    }

    private static func transcoded(_ bytes: ArraySlice<UInt8>, lowFirst: Bool) -> [UInt8] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { at in
            lowFirst
                ? UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 : UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
