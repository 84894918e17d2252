import Hashing

/// The first 72 bytes of a crosswalk: what it is and which key it needs, in clear, with a code that holds it to the key.
///
///     0  magic "TKPIXWLK"     8  format version, 2 bytes    10  0, 2 bytes    12  key version, 4 bytes
///     16 key id, 8 bytes     24  file id, random, 16 bytes  40  code, 32 bytes: HMAC-SHA-256 of the bytes before it
struct CrosswalkHeader: Sendable {
    static let byteCount = 72
    private static let magic = Array("TKPIXWLK".utf8)
    private static let formatVersion: UInt8 = 1
    private static let codeStart = 40

    let keyVersion: UInt32
    let fileID: [UInt8]
    let code: [UInt8]
    private let clear: [UInt8]

    /// - Parameters:
    ///   - keyVersion: counts the keys that the crosswalk was encrypted anew with; 1 is the first.
    ///   - fileID: 16 random bytes.
    init(key: CrosswalkKey, keyVersion: UInt32, fileID: [UInt8]) {
        self.keyVersion = keyVersion
        self.fileID = fileID
        clear =
            Self.magic + [0, Self.formatVersion, 0, 0]
            + (0..<4).map { UInt8(truncatingIfNeeded: keyVersion >> (24 - 8 * $0)) } + key.id + fileID
        code = key.headerCode(clear, salt: fileID)
    }

    var bytes: [UInt8] { clear + code }

    /// Tells another key from a changed header: what is not as this key would have written it, though the code is its
    /// own, was changed afterwards.
    init(_ bytes: [UInt8], key: CrosswalkKey, path: String) throws(CrosswalkError) {
        let version = bytes[12..<16].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let own = CrosswalkHeader(key: key, keyVersion: version, fileID: Array(bytes[24..<40]))
        if own.bytes == bytes {
            self = own
            return
        }
        let isOwnCode = own.code == Array(bytes[Self.codeStart...])
        let isOwnKey = Array(bytes[16..<24]) == key.id
        if !isOwnCode {
            if Array(bytes[..<8]) != Self.magic, !isOwnKey { throw .notACrosswalk(path: path) }
            if Array(bytes[..<8]) == Self.magic, bytes[8] != 0 || bytes[9] > Self.formatVersion, !isOwnKey {
                throw .tooNew(path: path)
            }
            if !isOwnKey {
                throw .wrongKey(path: path, keyID: Self.hex(bytes[16..<24]), ownKeyID: Self.hex(key.id))
            }
        }
        let offset = zip(own.bytes, bytes).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        throw .tampered(path: path, byteOffset: offset)
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
