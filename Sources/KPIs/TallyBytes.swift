/// Writes the numbers of a checkpoint: seven bits a byte, the lowest first.
struct TallyWriter {
    var bytes: [UInt8] = []

    @inline(__always)
    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func fixed(_ value: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { byte(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    @inline(__always)
    mutating func unsigned(_ value: Int) {
        var rest = UInt64(bitPattern: Int64(value))
        while rest >= 0x80 {
            byte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        byte(UInt8(truncatingIfNeeded: rest))
    }

    /// Zigzag: small numbers of either sign are short.
    mutating func signed(_ value: Int) { unsigned((value << 1) ^ (value >> 63)) }

    /// The bytes with their checksum.
    consuming func sealed() -> [UInt8] {
        fixed(TallyChecksum.of(bytes[...]))
        return bytes
    }
}

/// Reads what `TallyWriter` wrote. It throws where the bytes end too early or a number is beyond any tally.
struct TallyReader {
    private let bytes: [UInt8]
    private var at = 0
    /// Where the checksum begins.
    private let end: Int

    /// No number of a tally is as large: sums of many checkpoints still fit.
    static let limit = 1 << 53

    /// - Throws: unless the bytes end with their checksum.
    init(sealed bytes: [UInt8]) throws(TallyDecodingError.Problem) {
        guard bytes.count > 8 else { throw .truncated }
        self.bytes = bytes
        end = bytes.count - 8
        var checksum: UInt64 = 0
        for byte in bytes[end...].reversed() { checksum = checksum << 8 | UInt64(byte) }
        guard checksum == TallyChecksum.of(bytes[..<end]) else { throw .checksum }
    }

    /// How many bytes are left.
    var left: Int { end - at }

    @inline(__always)
    mutating func byte() throws(TallyDecodingError.Problem) -> UInt8 {
        guard at < end else { throw .truncated }
        defer { at &+= 1 }
        return bytes[at]
    }

    mutating func fixed() throws(TallyDecodingError.Problem) -> UInt64 {
        guard left >= 8 else { throw .truncated }
        var value: UInt64 = 0
        for place in (at..<at + 8).reversed() { value = value << 8 | UInt64(bytes[place]) }
        at += 8
        return value
    }

    /// From 0 to `maximum`.
    @inline(__always)
    mutating func unsigned(maximum: Int = limit) throws(TallyDecodingError.Problem) -> Int {
        let first = try byte()
        let value = first < 0x80 ? Int(first) : try longer(first)
        guard value <= maximum else { throw .outOfRange }
        return value
    }

    /// A number of more than one byte.
    private mutating func longer(_ first: UInt8) throws(TallyDecodingError.Problem) -> Int {
        var value = UInt64(first & 0x7F)
        for shift in stride(from: UInt64(7), through: 56, by: 7) {
            let next = try byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return Int(value) }
        }
        throw .outOfRange
    }

    mutating func signed() throws(TallyDecodingError.Problem) -> Int {
        let value = try unsigned(maximum: 2 * Self.limit)
        return (value >> 1) ^ -(value & 1)
    }

    /// A number of trips.
    mutating func count(maximum: Int = limit) throws(TallyDecodingError.Problem) -> Int {
        let value = try signed()
        guard (0...maximum).contains(value) else { throw .outOfRange }
        return value
    }

    mutating func text() throws(TallyDecodingError.Problem) -> String {
        let count = try unsigned(maximum: left)
        guard left >= count else { throw .truncated }
        defer { at += count }
        return String(decoding: bytes[at..<at + count], as: UTF8.self)
    }
}

/// Tells a damaged checkpoint: every step is one to one, so that no single changed byte goes unnoticed. It is no defence
/// against someone who wants to forge one.
package enum TallyChecksum {
    package static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: bytes.count) ^ 0xCBF2_9CE4_8422_2325
        let bytes = bytes.span
        let whole = bytes.count & ~7
        for at in stride(from: 0, to: whole, by: 8) {
            var word: UInt64 = 0
            for place in at..<at + 8 { word = word << 8 | UInt64(bytes[place]) }
            hash = mix(hash, word)
        }
        var word: UInt64 = 0
        for place in whole..<bytes.count { word = word << 8 | UInt64(bytes[place]) }
        return mix(hash, word)
    }

    @inline(__always)
    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}
