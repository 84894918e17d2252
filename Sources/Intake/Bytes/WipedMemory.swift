#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
    /// Overwrites what was read of an export with zeros, which the optimiser must not leave out, and frees it.
    ///
    /// - Parameter count: no more elements than were allocated here.
    func wipeAndDeallocate(count: Int) {
        #if canImport(Glibc)
        explicit_bzero(self, count * MemoryLayout<Pointee>.stride)
        #else
        memset_s(self, count * MemoryLayout<Pointee>.stride, 0, count * MemoryLayout<Pointee>.stride)
        #endif
        deallocate()
    }
}
