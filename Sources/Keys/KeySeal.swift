internal import Crypto
import Files
package import Trips

/// Encrypts a pseudonym key for a backup, with a secret that is kept elsewhere.
///
/// The sealed bytes: a random salt (32), a nonce (12), the key encrypted with ChaCha20-Poly1305 (RFC 8439), the tag (16). The
/// encryption key is derived from the secret and the salt by HKDF-SHA-256 (RFC 5869), which is no protection for a short
/// password: the secret is random bytes.
package struct KeySeal: Sendable, Redacted {
    package static let leastSecretBytes = 32
    static let mostSecretBytes = 4096
    private static let saltBytes = 32
    private static let purpose = Array("tripkpi backup key".utf8)

    private let secret: SymmetricKey

    /// Reads the secret from a file that only its owner may read.
    package init(secretFile path: String) throws(KeySealError) {
        do throws(PseudonymKeyError) {
            var bytes = try PseudonymKeyFile.readPrivate(path) {
                $0 >= Self.leastSecretBytes && $0 <= Self.mostSecretBytes
            }
            defer { SecretBytes.wipe(&bytes) }
            secret = SymmetricKey(data: bytes)
        } catch {
            throw KeySealError(path: path, cause: error)
        }
    }

    /// Whether the secret is this key itself: who has lost the key could not open the seal.
    package func isSecret(_ key: PseudonymKey) -> Bool {
        var bytes = key.fileBytes
        defer { SecretBytes.wipe(&bytes) }
        let first = bytes.prefix(PseudonymKey.byteCount)
        return secret.withUnsafeBytes { $0.elementsEqual(bytes) || $0.elementsEqual(first) }
    }

    /// - Parameter binding: authenticated with the key: `open` must have the same.
    package func seal(
        _ key: PseudonymKey, binding: [UInt8], random: (Int) -> [UInt8] = SecretBytes.random
    ) throws -> [UInt8] {
        let salt = random(Self.saltBytes)
        var bytes = key.fileBytes
        defer { SecretBytes.wipe(&bytes) }
        let box = try ChaChaPoly.seal(bytes, using: derived(salt), authenticating: binding)
        return salt + Array(box.combined)
    }

    /// Nil if the secret or the binding is another one, or the bytes are not sealed ones.
    package func open(_ sealed: [UInt8], binding: [UInt8]) -> PseudonymKey? {
        guard sealed.count > Self.saltBytes,
            let box = try? ChaChaPoly.SealedBox(combined: sealed.dropFirst(Self.saltBytes)),
            let plain = try? ChaChaPoly.open(
                box, using: derived(Array(sealed.prefix(Self.saltBytes))), authenticating: binding)
        else { return nil }
        var bytes = Array(plain)
        defer { SecretBytes.wipe(&bytes) }
        return PseudonymKey(bytes: bytes)
    }

    private func derived(_ salt: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, salt: salt, info: Self.purpose, outputByteCount: 32)
    }
}

/// Why a secret cannot seal a key. It names the file and never a byte of it.
package struct KeySealError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    let cause: PseudonymKeyError

    package var failureKind: FailureKind { cause.isMissing ? .inputMissing : cause.failureKind }

    package var description: String {
        switch cause {
        case .missing:
            "\(path): there is no such secret; make one with: head -c 32 /dev/urandom | install -m 0600 /dev/stdin FILE"
        case .symbolicLink: "\(path): the secret is a symbolic link; name the file it leads to"
        case .open: "\(path): others may read the secret; run: chmod 600 on it, and think about who has read it"
        case .foreign(_, let owner): "\(path): the secret belongs to user \(owner); make it a file of this user"
        case .wrongSize(_, let bytes):
            "\(path): the secret has \(bytes) bytes; it needs \(KeySeal.leastSecretBytes) to \(KeySeal.mostSecretBytes) "
                + "random bytes"
        default: "\(path): the secret cannot be read; check the file, its folder and their modes"
        }
    }
}
