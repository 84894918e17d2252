import Files
import Trips

/// The first 72 bytes of a crosswalk: its format and the key that it needs, in clear, with a code that authenticates
/// them.
///
///     0  magic "TKPIXWLK"     8  format version, 2 bytes    10  0, 2 bytes    12  key version, 4 bytes
///     16 key id, 8 bytes     24  file id, random, 16 bytes  40  code, 32 bytes: HMAC-SHA-256 of the bytes before it
struct CrosswalkHeader: Sendable {
    static let byteCount = 72
    private static let magic = Array("TKPIXWLK".utf8)
    private static let formatVersion: UInt8 = 1
    private static let codeStart = 40

    let fileID: [UInt8]
    let code: [UInt8]
    private let clear: [UInt8]

    /// - Parameters:
    ///   - keyVersion: counts the keys that the crosswalk was encrypted with; 1 is the first.
    ///   - fileID: 16 random bytes.
    init(key: CrosswalkKey, keyVersion: UInt64 = 1, fileID: [UInt8]) {
        self.fileID = fileID
        clear =
            Self.magic + [0, Self.formatVersion, 0, 0] + Hexadecimal.bytes(of: keyVersion).suffix(4) + key.id + fileID
        code = key.headerCode(clear, salt: fileID)
    }

    var bytes: [UInt8] { clear + code }

    /// The end of a crosswalk that has a header alone.
    var end: CrosswalkEnd { CrosswalkEnd(byteCount: Self.byteCount, tag: Array(code.prefix(CrosswalkRecord.tagBytes))) }

    /// Distinguishes another key from a changed header: a header with this key's code that this key would not have
    /// written was changed afterwards.
    init(_ bytes: [UInt8], key: CrosswalkKey, path: String) throws(CrosswalkError) {
        let version = CrosswalkRecord.number(bytes[12..<16])
        let own = CrosswalkHeader(key: key, keyVersion: version, fileID: Array(bytes[24..<40]))
        if own.bytes == bytes {
            self = own
            return
        }
        let isOwnCode = own.code == Array(bytes[Self.codeStart...])
        if !isOwnCode, Array(bytes[16..<24]) != key.id {
            if Array(bytes[..<8]) != Self.magic { throw .notACrosswalk(path: path) }
            if bytes[8] != 0 || bytes[9] > Self.formatVersion { throw .tooNew(path: path) }
            throw .wrongKey(
                path: path, keyID: Hexadecimal.text(bytes[16..<24]), ownKeyID: Hexadecimal.text(key.id))
        }
        let offset = zip(own.bytes, bytes).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        throw .tampered(path: path, byteOffset: offset)
    }
}

/// One record of a crosswalk: 13 bytes in clear (kind, length of the body, nonce), the body, a tag of 16 bytes.
///
/// The tag authenticates the body together with the header of the file, the tag of the record before it, and its own 13
/// bytes: a record that was changed, moved, left out, inserted or brought from another file does not open, nor does any
/// record after it.
///
/// No nonce is ever used twice under one key. Each session of writing has a key of its own, derived from a new random
/// salt of 256 bits that its first record holds. In a session nonces count up from 0. A session is never resumed:
/// neither by the next process, nor after its end was cut off, nor by a copy of the machine.
enum CrosswalkRecord {
    enum Kind: UInt8 {
        /// Begins a session: its body is the salt, in clear.
        case session = 1
        /// Identifiers of some trips of one source.
        case entries = 2
        /// Ends an export: how many records and trips there are so far, so that a file cannot lose its end unnoticed.
        case seal = 3
    }

    struct Head {
        var kind: Kind
        var bodyBytes: Int
        var number: UInt64

        var bytes: [UInt8] {
            [kind.rawValue] + Hexadecimal.bytes(of: UInt64(bodyBytes)).suffix(4) + Hexadecimal.bytes(of: number)
        }

        init(kind: Kind, bodyBytes: Int, number: UInt64) {
            self.kind = kind
            self.bodyBytes = bodyBytes
            self.number = number
        }

        /// Nil if no writer writes such a head.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == CrosswalkRecord.headBytes, let kind = Kind(rawValue: bytes[0]) else { return nil }
            self.kind = kind
            bodyBytes = Int(CrosswalkRecord.number(bytes[1..<5]))
            number = CrosswalkRecord.number(bytes[5..<13])
            guard bodyBytes <= CrosswalkRecord.maximumBodyBytes else { return nil }
        }
    }

    static let headBytes = 13
    static let saltBytes = 32
    static let tagBytes = SealingKey.tagByteCount
    /// Far beyond the size of a batch of trips; a greater length was changed.
    static let maximumBodyBytes = 1 << 26

    /// What a record's tag authenticates besides the body.
    static func binding(_ head: [UInt8], headerCode: [UInt8], before tag: [UInt8]) -> [UInt8] {
        headerCode + tag + head
    }

    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The body of `entries`: the source, after its length as two bytes, and the block.
    static func entries(_ block: IdentifierBlock, source: String) -> [UInt8] {
        let name = Array(source.utf8.prefix(Int(UInt16.max)))
        return [UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name + block.bytes
    }

    static func decodeEntries(_ plain: [UInt8]) -> (source: String, IdentifierBlock)? {
        guard plain.count >= 2 else { return nil }
        let end = 2 + Int(number(plain[..<2]))
        guard plain.count >= end, let block = IdentifierBlock(bytes: plain[end...]) else { return nil }
        return (String(decoding: plain[2..<end], as: UTF8.self), block)
    }

    /// The body of `seal`.
    ///
    /// - Parameter end: with the seal itself counted.
    static func seal(_ end: CrosswalkEnd) -> [UInt8] {
        Hexadecimal.bytes(of: end.records) + Hexadecimal.bytes(of: end.trips)
    }
}

/// How far a crosswalk goes: its records and trips up to there.
struct CrosswalkEnd: Sendable {
    var byteCount: Int
    var tag: [UInt8]
    var records: UInt64 = 0
    var trips: UInt64 = 0
}
