internal import Crypto

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Unpredictable bytes, and bytes that must not stay in memory.
package enum SecretBytes {
    /// From the system's source.
    package static func random(_ count: Int) -> [UInt8] {
        var system = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &system) }
    }

    /// Overwrites the bytes with zeros. The optimiser cannot remove the call.
    package static func wipe(_ bytes: inout [UInt8]) {
        let count = bytes.count
        #if canImport(Glibc)
        explicit_bzero(&bytes, count)
        #else
        memset_s(&bytes, count, 0, count)
        #endif
    }
}
