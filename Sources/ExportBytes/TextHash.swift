/// A 64-bit hash of bytes by wide multiplication, after the manner of wyhash: fast on the short values of exports.
///
/// It need not withstand an attacker: whoever compares by it checks the bytes wherever two hashes agree.
public enum TextHash {
    /// The default seed.
    @inlinable
    public static var start: UInt64 { 0xA076_1D64_78BD_642F }

    /// The first `count` bytes (at most 8) at `p` as a word. `p` has at least 8 readable bytes.
    @inlinable
    @inline(__always)
    public static func word(_ p: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let word = UnsafeRawPointer(p).loadUnaligned(as: UInt64.self)
        return count >= 8 ? word : word & ((1 << UInt64(truncatingIfNeeded: count &* 8)) &- 1)
    }

    /// The two halves of the product, combined.
    @inlinable
    @inline(__always)
    public static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    /// The hash of `count` bytes at `p`.
    ///
    /// - Precondition: `p` has 16 readable bytes beyond `count`.
    @inlinable
    @inline(__always)
    public static func of(_ p: UnsafePointer<UInt8>, count: Int, seed: UInt64 = start) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: count)
        var at = 0
        while at + 16 < count {
            hash = mix(word(p + at, 8) ^ 0xE703_7ED1_A0B4_28DB, word(p + at + 8, 8) ^ hash)
            at &+= 16
        }
        let left = count &- at
        let low = word(p + at, left)
        let high = left > 8 ? word(p + at + 8, left &- 8) : 0
        hash = mix(low ^ 0x8EBC_6AF0_9C88_C6E3, high ^ hash)
        return mix(hash ^ 0x5899_65CC_7537_4CC3, 0x1D8E_4E27_C47D_124F)
    }
}
