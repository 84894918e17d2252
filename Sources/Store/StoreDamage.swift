/// Stored bytes that no version of tripkpi writes. `TripStore.translatingErrors` adds which store it is.
struct StoreDamage: Error {
    /// Never a value of a row.
    let detail: String
}
