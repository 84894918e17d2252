internal import Crypto

/// SHA-256 of content that comes piece by piece. It identifies exports, rule sets and published files.
package struct ContentHash: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: some Sequence<UInt8>) { hash.update(data: Array(bytes)) }

    package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

    /// Contiguous bytes, without a copy: for whole files.
    package mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    /// The 32 bytes of the hash of all pieces so far.
    package var bytes: [UInt8] { Array(hash.finalize()) }

    /// The same as 64 lower-case hexadecimal digits.
    package var hexadecimal: String { Hexadecimal.text(hash.finalize()) }

    package static func of(_ bytes: [UInt8]) -> String {
        var hash = ContentHash()
        hash.update(bytes)
        return hash.hexadecimal
    }
}
