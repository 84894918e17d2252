package import Trips

/// What came of an export that is in the store once its transaction is committed.
package struct LoadedExport {
    /// Its row of the ledger.
    package let record: ExportRecord
    /// The equation of this load, against the store as it was before.
    package let counts: ReadCounts
    /// Why it may not be loaded as it is; in the order in which they are told.
    package let doubts: [LoadDoubt]
    /// What must be said of it though it is loaded.
    package let notes: [LoadNote]
    let change: StoreChange
}
