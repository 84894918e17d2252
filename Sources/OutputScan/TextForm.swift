/// Text as UTF-8 without a byte-order mark, whichever form of Unicode it comes in.
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
