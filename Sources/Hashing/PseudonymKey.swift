internal import Crypto

/// The secret that turns identifiers into pseudonyms: 32 random bytes from a file, never from a flag or a variable
/// (SPEC §5), and 32 more for each time it was rotated. It prints as `‹redacted›` and has no mirror to look into.
///
/// The first layer hashes identifiers; each later one hashes what the layer before it made. So the pseudonyms of a store
/// can be carried over to a rotated key without the identifiers, and whoever lacks the newest layer can try out nothing
/// (docs/decisions/0010).
package struct PseudonymKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
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

    /// Whether so many bytes may be a key, with or without a mark.
    static func isWhole(_ count: Int) -> Bool {
        count > 0 && count.isMultiple(of: byteCount) && count <= byteCount * (maximumLayers + 1)
    }

    /// The layers of a rotated key with their mark: an HMAC that only who has the first layer can make. Chance bytes after
    /// a key have none.
    static func marked(_ layers: [UInt8]) -> [UInt8] { layers + mark(of: layers) }

    private static func mark(of layers: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: layers.prefix(byteCount))
        let message = Array("tripkpi key rotations\n".utf8) + layers
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }

    /// 1, and 1 more for each rotation.
    package var layerCount: Int { layers.count }

    /// Says whether two runs have the same key, and nothing else about it: 16 hexadecimal digits of an HMAC of a
    /// constant and, once it was rotated, of the fingerprint before that.
    package var fingerprint: String {
        layers.reduce("") { before, layer in
            let message = "tripkpi key fingerprint" + (before.isEmpty ? "" : "\n" + before)
            return HMAC<SHA256>.authenticationCode(for: Array(message.utf8), using: layer).prefix(8).map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
        }
    }

    /// What the key was before it was rotated, oldest first.
    package var earlier: [PseudonymKey] {
        (1..<layers.count).map { PseudonymKey(layers: Array(layers.prefix($0))) }
    }

    /// The key as it was when it had this fingerprint: of a store that a rotation has not reached yet, or of a backup.
    package func asOf(_ fingerprint: String) -> PseudonymKey? {
        (earlier + [self]).first { $0.fingerprint == fingerprint }
    }

    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
