internal import Crypto

/// HMAC-SHA-256 (RFC 2104) that has a key and the beginning of every message in it already.
///
/// It is `Crypto.HMAC` taken apart into its two hashes: 0.4 µs for an identifier instead of 1.1 µs, which is what loading
/// millions of trips waits for. A copy of the begun hashes goes on with the rest of a message; nothing of it is kept.
struct KeyedHash: Sendable {
    private var inner = SHA256()
    private var outer = SHA256()

    /// - Parameter beginning: what each message starts with.
    init(key: SymmetricKey, beginning: [UInt8]) {
        var padded = key.withUnsafeBytes { Array($0) }
        padded += repeatElement(0, count: SHA256.blockByteCount - padded.count)
        inner.update(data: padded.map { $0 ^ 0x36 })
        outer.update(data: padded.map { $0 ^ 0x5C })
        inner.update(data: beginning)
        for index in padded.indices { padded[index] = 0 }
    }

    /// The first 128 bits of the code of the beginning and `message`.
    func words(_ message: Span<UInt8>) -> (high: UInt64, low: UInt64) {
        var inner = inner
        message.withUnsafeBytes { inner.update(bufferPointer: $0) }
        return finish(inner)
    }

    /// The same of two parts, told apart by the length of the first, which comes before them as four bytes.
    func words(lengthPrefixed first: Span<UInt8>, _ second: Span<UInt8>) -> (high: UInt64, low: UInt64) {
        var inner = inner
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: first.count).bigEndian) { inner.update(bufferPointer: $0) }
        first.withUnsafeBytes { inner.update(bufferPointer: $0) }
        if !second.isEmpty { second.withUnsafeBytes { inner.update(bufferPointer: $0) } }
        return finish(inner)
    }

    private func finish(_ inner: SHA256) -> (high: UInt64, low: UInt64) {
        var outer = outer
        inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
        return outer.finalize().withUnsafeBytes { code in
            (
                UInt64(bigEndian: code.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: code.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
