internal import Crypto

/// SHA-256 of content that comes piece by piece: what an export, a rule set or a published file is recognised by.
package struct ContentHash: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: some Sequence<UInt8>) { hash.update(data: Array(bytes)) }

    package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

    /// Bytes where they lie, without a copy: for whole files.
    package mutating func update(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    /// 64 lower-case hexadecimal digits for what came so far.
    package var hexadecimal: String {
        hash.finalize().map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    package static func of(_ bytes: [UInt8]) -> String {
        var hash = ContentHash()
        hash.update(bytes)
        return hash.hexadecimal
    }
}
