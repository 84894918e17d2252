import CByteScan

/// How the process gets and returns memory.
package enum MemoryPolicy {
    /// Large arrays get memory of their own, which goes back to the system when they are outgrown. By default glibc
    /// keeps it, and the peak of a scan is a sixth higher.
    package static func returnLargeBlocks() {
        memory_return_large_blocks(1 << 17)
    }
}
