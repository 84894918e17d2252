internal import Crypto

/// The secret that turns identifiers into pseudonyms: 32 random bytes from a file, never from a flag or a variable
/// (SPEC §5). It prints as `‹redacted›` and has no mirror to look into.
package struct PseudonymKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package static let byteCount = 32
    let key: SymmetricKey

    /// Nil unless there are exactly `byteCount` bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// Says whether two runs have the same key, and nothing else about it: 16 hexadecimal digits of an HMAC of a
    /// constant.
    package var fingerprint: String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("tripkpi key fingerprint".utf8), using: key)
        return code.prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    package var description: String { "‹redacted›" }
    package var debugDescription: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
