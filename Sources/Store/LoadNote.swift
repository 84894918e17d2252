/// What must be said of an export that is loaded.
package enum LoadNote: Sendable, Hashable {
    /// So many trips have other values in another export, and nothing says which export is later.
    case undecided(trips: Int)
    /// So many records of a supplement find no trip.
    case waiting(records: Int, of: Int)
    /// So many trips have a cost in another supplement too.
    case doublyCosted(trips: Int)
    /// So many records are of trips, patients or months that were removed from the store.
    case keptOut(records: Int)
    /// A sentence of `ReplacedTrips`.
    case replaced(String)
}
