import Files

/// The header of a regular file in a tar archive (POSIX ustar). A size of 8 GiB or more is written in base 256, as GNU tar,
/// bsdtar and Python read it.
///
/// All fields but name, size and time are always the same: mode 0600, no owner. So a header has one form, and two headers are
/// compared by their bytes.
package struct TarHeader: Sendable, Hashable {
    package static let blockBytes = 512
    private static let nameBytes = 100
    private static let prefixBytes = 155
    /// Of 11 octal digits.
    private static let largestOctal = 0o77_777_777_777

    package let name: String
    package let size: Int
    /// In seconds since 1970.
    package let modified: Int
    /// 512 bytes.
    package let block: [UInt8]

    /// Nil if the name does not fit: 100 bytes, or 155 and 100 at both sides of a slash.
    package init?(name: String, size: Int, modified: Int) {
        guard size >= 0, (0...Self.largestOctal).contains(modified), let (prefix, rest) = Self.divided(name) else {
            return nil
        }
        self.name = name
        self.size = size
        self.modified = modified
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        func put(_ text: String, at offset: Int) { put(Array(text.utf8), at: offset) }
        func put(_ bytes: [UInt8], at offset: Int) {
            block.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
        put(rest, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        if size <= Self.largestOctal {
            put(Self.octal(size, digits: 11), at: 124)
        } else {
            put([0x80, 0, 0, 0] + Hexadecimal.bytes(of: UInt64(size)), at: 124)
        }
        put(Self.octal(modified, digits: 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\0" + "00", at: 257)
        put("0000000", at: 329)
        put("0000000", at: 337)
        put(prefix, at: 345)
        let sum = block.reduce(0) { $0 + Int($1) }
        put(Self.octal(sum, digits: 6) + "\0 ", at: 148)
        self.block = block
    }

    /// Nil unless `block` is the one form of a header.
    package init?(_ block: [UInt8]) {
        guard block.count == Self.blockBytes,
            let rest = Self.text(block[0..<Self.nameBytes]),
            let prefix = Self.text(block[345..<345 + Self.prefixBytes]),
            let size = Self.number(block[124..<136]), let modified = Self.number(block[136..<148])
        else { return nil }
        let name = prefix.isEmpty ? rest : "\(prefix)/\(rest)"
        guard let header = TarHeader(name: name, size: size, modified: modified), header.block == block else {
            return nil
        }
        self = header
    }

    /// The zeros after this many bytes of content.
    package static func padding(after size: Int) -> Int { (blockBytes - size % blockBytes) % blockBytes }

    private static func divided(_ name: String) -> (prefix: String, rest: String)? {
        let bytes = Array(name.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        if bytes.count <= nameBytes { return ("", name) }
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "/") && index <= prefixBytes {
            let rest = bytes[(index + 1)...]
            if index > 0, !rest.isEmpty, rest.count <= nameBytes {
                return (String(decoding: bytes[..<index], as: UTF8.self), String(decoding: rest, as: UTF8.self))
            }
        }
        return nil
    }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String? {
        String(validating: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if field.first == 0x80 {
            // More than 7 bytes of value are above any file.
            guard field.dropFirst().prefix(4).allSatisfy({ $0 == 0 }) else { return nil }
            return field.dropFirst(5).reduce(0) { $0 << 8 | Int($1) }
        }
        guard field.last == 0 else { return nil }
        return String(validating: field.dropLast(), as: UTF8.self).flatMap { text in
            text.utf8.allSatisfy { (0x30...0x37).contains($0) } ? Int(text, radix: 8) : nil
        }
    }
}
