package import Basics
package import KPIs
package import Store

/// The trips of which months are released and revised: those of a store, or tallies of them beside a store of the changed ones.
package protocol ReleasableTrips {
    /// Months with this many trips or more, ascending.
    func months(ofAtLeast trips: Int) throws -> [Month]
    /// What intervals are measured between, of each export.
    func intervalPairs() throws -> [String]
    /// A tally of a month without some of its trips.
    func tally(of month: Month, without trips: [StoredTrip]) throws -> KPITally
    /// A tally of a released month's trips that have not changed since.
    func unchangedTally(of month: Month, _ changes: [ReleaseChange]) throws -> KPITally
}

extension TripStore: ReleasableTrips {
    package func intervalPairs() throws -> [String] { try exports().map(\.intervalPairs) }
}
