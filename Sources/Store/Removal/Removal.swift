package import Basics
package import Trips

/// What leaves the store for good. Exports that have it do not bring it back.
package struct Removal: Sendable, Hashable {
    /// Trips of earlier months; nil: no month is removed.
    package var before: Month?
    package var trips: Set<TripKey>
    /// By their pseudonyms.
    package var patients: Set<UInt64>

    package init(before: Month? = nil, trips: Set<TripKey> = [], patients: Set<UInt64> = []) {
        self.before = before
        self.trips = trips
        self.patients = patients
    }
}
