internal import Crypto
import Files
import Trips

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The secret that turns identifiers into pseudonyms: 32 random bytes from a file, never from a flag or a variable, and
/// 32 more for each rotation.
///
/// The first layer hashes identifiers; each later layer hashes the result of the layer before it. So the pseudonyms of a
/// store can be carried over to a rotated key without the identifiers, and an identifier cannot be tried out
/// without the newest layer (docs/decisions/0010).
package struct PseudonymKey: Sendable, Redacted {
    /// Of a layer.
    package static let byteCount = 32
    package static let maximumLayers = 16
    /// At least one; the innermost comes first.
    let layers: [SymmetricKey]
    /// Whether the layers after the first are known to be rotations, by the mark that ends the file; true of a key that
    /// was never rotated.
    package let hasRotationMark: Bool

    /// Nil unless there are exactly `byteCount` bytes for each of 1 to `maximumLayers` layers, and as many for the mark
    /// that `marked` adds, if it is there.
    package init?(bytes: [UInt8]) {
        guard Self.isWhole(bytes.count) else { return nil }
        let hasMark =
            bytes.count > Self.byteCount
            && Array(bytes.suffix(Self.byteCount)) == Self.mark(of: Array(bytes.dropLast(Self.byteCount)))
        let end = hasMark ? bytes.count - Self.byteCount : bytes.count
        guard end <= Self.byteCount * Self.maximumLayers else { return nil }
        layers = stride(from: 0, to: end, by: Self.byteCount).map { start in
            SymmetricKey(data: bytes[start..<start + Self.byteCount])
        }
        hasRotationMark = hasMark || layers.count == 1
    }

    private init(layers: [SymmetricKey]) {
        self.layers = layers
        hasRotationMark = true
    }

    /// Whether a key, with or without a mark, can have this many bytes.
    static func isWhole(_ count: Int) -> Bool {
        count > 0 && count.isMultiple(of: byteCount) && count <= byteCount * (maximumLayers + 1)
    }

    /// The layers of a rotated key with their mark: an HMAC that requires the first layer. Random bytes after a key have
    /// no mark.
    static func marked(_ layers: [UInt8]) -> [UInt8] { layers + mark(of: layers) }

    private static func mark(of layers: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: layers.prefix(byteCount))
        let message = Array("tripkpi key rotations\n".utf8) + layers
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }

    /// As a key file has them: the layers, and the mark of a rotated key.
    var fileBytes: [UInt8] {
        let bytes = layers.flatMap { layer in layer.withUnsafeBytes { Array($0) } }
        return layers.count == 1 ? bytes : Self.marked(bytes)
    }

    /// 1, and 1 more for each rotation.
    package var layerCount: Int { layers.count }

    /// Identifies the key and discloses nothing else about it: 16 hexadecimal digits of an HMAC of a constant and, after
    /// a rotation, of the fingerprint before it.
    package var fingerprint: String {
        layers.reduce("") { before, layer in
            let message = "tripkpi key fingerprint" + (before.isEmpty ? "" : "\n" + before)
            return Hexadecimal.text(
                HMAC<SHA256>.authenticationCode(for: Array(message.utf8), using: layer).prefix(8))
        }
    }

    /// The keys before each rotation, oldest first.
    package var earlier: [PseudonymKey] {
        (1..<layers.count).map { PseudonymKey(layers: Array(layers.prefix($0))) }
    }

    /// The key when it had this fingerprint: for a store that a rotation has not reached yet, or for a backup.
    package func asOf(_ fingerprint: String) -> PseudonymKey? {
        (earlier + [self]).first { $0.fingerprint == fingerprint }
    }

    /// What the audit log records of an export: 64 hexadecimal digits of an HMAC of its SHA-256. Only with the
    /// key can a reader test whether a certain export was loaded. A rotation keeps the first layer, so it keeps
    /// this digest.
    package func auditDigest(ofSHA256 sha256: String) -> String {
        let message = Array("audit input\n\(sha256)".utf8)
        return Hexadecimal.text(HMAC<SHA256>.authenticationCode(for: message, using: layers[0]))
    }
}
