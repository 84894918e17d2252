package import Basics
package import Trips

/// What a removal took out of the store.
package struct RemovedTrips: Sendable, Hashable {
    /// Trips that counted, or waited for their trip.
    package var trips: Set<TripKey> = []
    /// Their versions, and single versions of other trips.
    package var versions = 0
    /// Trips that were named and had left with their exports: their public ids.
    package var withdrawnTrips = 0
    /// Those of the patients that were asked for whose trips were there.
    package var patients: Set<UInt64> = []
    /// The months of the trips; ascending.
    package var months: [Month] = []
    /// Released months that keep their figures, and are never revised again; ascending. Only those that were revised until now.
    package var frozenMonths: [Month] = []
    /// The labels of exports that have the trips, each with the first digits of its SHA-256.
    package var exports: [String] = []

    package init() {}
}
