/// Reads the keys of a JSON text by their bytes, without decoding it.
struct JSONKeyWalk {
    private let bytes: [UInt8]
    private var at = 0
    private var isKnown = true

    /// Whether the bytes are one JSON value in which every key is known, and no object has a key twice.
    static func isKnown(_ bytes: [UInt8], _ keys: SummaryKeys) -> Bool {
        var walk = JSONKeyWalk(bytes: bytes)
        let isRead = walk.value(keys, depth: 0)
        walk.skipBlanks()
        return isRead && walk.isKnown && walk.at == bytes.count
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: false if this is not JSON.
    private mutating func value(_ keys: SummaryKeys, depth: Int) -> Bool {
        skipBlanks()
        guard at < bytes.count, depth < 16 else { return false }
        switch bytes[at] {
        case UInt8(ascii: "{"): return members(keys, depth: depth)
        case UInt8(ascii: "["): return elements(keys, depth: depth)
        case UInt8(ascii: "\""): return text() != nil
        default: return word()
        }
    }

    private mutating func members(_ keys: SummaryKeys, depth: Int) -> Bool {
        at += 1
        var seen: Set<ArraySlice<UInt8>> = []
        if take(UInt8(ascii: "}")) { return true }
        repeat {
            skipBlanks()
            guard let name = text(), take(UInt8(ascii: ":")) else { return false }
            let member = keys.member(name)
            isKnown = isKnown && member != nil && seen.insert(name).inserted
            guard let member, value(member, depth: depth + 1) else { return false }
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}"))
    }

    private mutating func elements(_ keys: SummaryKeys, depth: Int) -> Bool {
        at += 1
        if take(UInt8(ascii: "]")) { return true }
        repeat {
            guard value(keys, depth: depth + 1) else { return false }
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]"))
    }

    /// The bytes between the quotation marks; nil if there is no text here.
    private mutating func text() -> ArraySlice<UInt8>? {
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { return nil }
        let start = at + 1
        at = start
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard at < bytes.count else { return nil }
        at += 1
        return bytes[start..<at - 1]
    }

    /// A number, `true`, `false` or `null`; the decoder says whether it is one of them.
    private mutating func word() -> Bool {
        let start = at
        while at < bytes.count, !Self.ends(bytes[at]) { at += 1 }
        return at > start
    }

    private static func ends(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2C, 0x5D, 0x7D, 0x7B, 0x5B, 0x3A, 0x22: true
        default: isBlank(byte)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipBlanks() {
        while at < bytes.count, Self.isBlank(bytes[at]) { at += 1 }
    }
}
