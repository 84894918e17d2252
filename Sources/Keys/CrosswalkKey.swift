internal import Crypto
import Trips

/// The secret of a crosswalk: 32 random bytes from a file. It encrypts nothing itself; every header and every session of
/// writing has a key of its own, derived from it and from a random salt by HKDF-SHA-256 (RFC 5869).
package struct CrosswalkKey: Sendable, Redacted {
    package static let byteCount = 32
    private let key: SymmetricKey

    /// Nil unless there are exactly `byteCount` bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// 8 bytes that identify the key and disclose nothing else about it.
    package var id: [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("tripkpi crosswalk key id".utf8), using: key).prefix(8))
    }

    /// A key for one session of writing.
    package func sealing(salt: [UInt8]) -> SealingKey {
        SealingKey(derived(salt, "tripkpi crosswalk session"))
    }

    /// 32 bytes that authenticate a header.
    package func headerCode(_ header: [UInt8], salt: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: header, using: derived(salt, "tripkpi crosswalk header")))
    }

    private func derived(_ salt: [UInt8], _ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, salt: salt, info: Array(purpose.utf8), outputByteCount: Self.byteCount)
    }
}
