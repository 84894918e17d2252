import GRDB

#if canImport(Glibc)
import Glibc
#endif

/// Stored bytes that no version of tripkpi writes. `TripStore.translatingErrors` adds the path of the store.
struct StoreDamage: Error {
    /// Never a value of a row.
    let detail: String
}
