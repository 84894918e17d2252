internal import Crypto
import Files
import Trips

/// AES-256-GCM under one key. Its nonces are numbers that the caller never uses twice.
package struct SealingKey: Sendable, Redacted {
    package static let tagByteCount = 16
    private let key: SymmetricKey

    init(_ key: SymmetricKey) { self.key = key }

    /// The encrypted bytes, then the tag, which authenticates `binding` too.
    ///
    /// - Parameter number: the nonce; never the same for two calls under one key.
    package func seal(_ plain: [UInt8], number: UInt64, binding: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(plain, using: key, nonce: Self.nonce(number), authenticating: binding)
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Nil unless `seal` returned these bytes for this number and binding.
    package func open(_ sealed: [UInt8], number: UInt64, binding: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.tagByteCount, let nonce = try? Self.nonce(number),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(Self.tagByteCount),
                tag: sealed.suffix(Self.tagByteCount)),
            let plain = try? AES.GCM.open(box, using: key, authenticating: binding)
        else { return nil }
        return Array(plain)
    }

    private static func nonce(_ number: UInt64) throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: [0, 0, 0, 0] + Hexadecimal.bytes(of: number))
    }
}
