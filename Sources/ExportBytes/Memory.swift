import CByteScan
import Foundation

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
    /// Overwrites what was read of an export with zeros, which the optimiser must not leave out, and frees it.
    ///
    /// - Parameter count: no more elements than were allocated here.
    package func wipeAndDeallocate(count: Int) {
        #if canImport(Glibc)
        explicit_bzero(self, count * MemoryLayout<Pointee>.stride)
        #else
        memset_s(self, count * MemoryLayout<Pointee>.stride, 0, count * MemoryLayout<Pointee>.stride)
        #endif
        deallocate()
    }
}

/// How the process gets and returns memory.
package enum MemoryPolicy {
    /// Large arrays get memory of their own, which goes back to the system when they are outgrown. By default glibc
    /// keeps it, and the peak of a scan is a sixth higher.
    package static func returnLargeBlocks() {
        memory_return_large_blocks(1 << 17)
    }
}
