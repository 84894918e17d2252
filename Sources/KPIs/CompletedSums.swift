import Trips

/// Everything that adds up over the completed trips of one sourcing: trips, cents, hundredths of a mile.
///
/// To add a number, declare it, add it to `visit`, count it in `add`, give it to `CellSums.measured` if it is published, and
/// raise `CellSums.formatVersion`: `KPITally+Decoding` then reads the version before, and a migration of `StoreSchema` makes
/// `month_tallies` stale. What SQL counts is in `queries/marts/kpi_cells.sql`.
package struct CompletedSums: Sendable, Hashable {
    package var trips = 0
    package var costCents = 0
    package var costedTrips = 0
    package var loadedHundredths = 0
    package var unloadedHundredths = 0
    /// Cost of those trips that have both a cost and loaded miles above zero: what `costPerLoadedMile` divides.
    package var costCentsWithLoadedMiles = 0
    /// Loaded miles of those same trips.
    package var loadedHundredthsWithCost = 0
    /// Trips that have both.
    package var costedTripsWithLoadedMiles = 0
    /// Trips that have loaded miles, and trips that have unloaded miles.
    package var tripsWithLoadedMiles = 0
    package var tripsWithUnloadedMiles = 0

    package init() {}

    /// Every number, with that of other sums, in the order of the checkpoint's format.
    mutating func visit<Failure: Error>(
        with other: Self, _ body: (inout Int, Int) throws(Failure) -> Void
    ) throws(Failure) {
        try body(&trips, other.trips)
        try body(&costCents, other.costCents)
        try body(&costedTrips, other.costedTrips)
        try body(&loadedHundredths, other.loadedHundredths)
        try body(&unloadedHundredths, other.unloadedHundredths)
        try body(&costCentsWithLoadedMiles, other.costCentsWithLoadedMiles)
        try body(&loadedHundredthsWithCost, other.loadedHundredthsWithCost)
        try body(&costedTripsWithLoadedMiles, other.costedTripsWithLoadedMiles)
        try body(&tripsWithLoadedMiles, other.tripsWithLoadedMiles)
        try body(&tripsWithUnloadedMiles, other.tripsWithUnloadedMiles)
    }

    package mutating func merge(_ other: Self) { visit(with: other) { $0 &+= $1 } }

    var hasNoNegativeCount: Bool {
        [trips, costedTrips, costedTripsWithLoadedMiles, tripsWithLoadedMiles, tripsWithUnloadedMiles]
            .allSatisfy { $0 >= 0 }
    }

    /// Whether the numbers of trips can be those of the same trips.
    var isConsistent: Bool {
        max(costedTrips, tripsWithLoadedMiles, tripsWithUnloadedMiles) <= trips
            && costedTripsWithLoadedMiles <= min(costedTrips, tripsWithLoadedMiles)
    }

    /// Adds one trip.
    @inline(__always)
    mutating func add(_ batch: TripBatch, row: Int) {
        trips &+= 1
        let cost = batch.costCents[row]
        let loaded = batch.loadedHundredths[row], unloaded = batch.unloadedHundredths[row]
        if cost != AmountState.absent {
            costCents &+= cost
            costedTrips &+= 1
            if loaded > 0 {
                costCentsWithLoadedMiles &+= cost
                loadedHundredthsWithCost &+= loaded
                costedTripsWithLoadedMiles &+= 1
            }
        }
        if loaded != AmountState.absent {
            loadedHundredths &+= loaded
            tripsWithLoadedMiles &+= 1
        }
        if unloaded != AmountState.absent {
            unloadedHundredths &+= unloaded
            tripsWithUnloadedMiles &+= 1
        }
    }
}
