import Basics

/// Totals over completed trips: whole numbers, so that the order of additions does not matter.
package struct CostSums: Sendable, Hashable {
    package var trips = 0
    /// Trips that have a cost; 0 is one.
    package var costedTrips = 0
    package var costCents = 0
    package var loadedHundredths = 0
    /// Of the trips that have both a cost and loaded miles above zero: for the cost per loaded mile, as in the summary.
    package var costCentsWithMiles = 0
    package var loadedHundredthsWithCost = 0

    package init() {}

    package mutating func add(_ trip: CostTrip) { count(trip, times: 1) }

    package mutating func remove(_ trip: CostTrip) { count(trip, times: -1) }

    private mutating func count(_ trip: CostTrip, times: Int) {
        trips += times
        loadedHundredths += times * (trip.loadedHundredths ?? 0)
        guard let cost = trip.costCents else { return }
        costedTrips += times
        costCents += times * cost
        guard let miles = trip.loadedHundredths, miles > 0 else { return }
        costCentsWithMiles += times * cost
        loadedHundredthsWithCost += times * miles
    }

    package mutating func merge(_ other: CostSums) {
        trips += other.trips
        costedTrips += other.costedTrips
        costCents += other.costCents
        loadedHundredths += other.loadedHundredths
        costCentsWithMiles += other.costCentsWithMiles
        loadedHundredthsWithCost += other.loadedHundredthsWithCost
    }

    /// Cents a costed trip, halves away from zero; nil over none.
    package var costPerTripCents: Int? { HalfUp.quotient(costCents, by: costedTrips) }

    /// Cents a loaded mile of the trips that have both, halves away from zero; nil over no miles.
    package var costPerLoadedMileCents: Int? {
        HalfUp.quotient(costCentsWithMiles, times: 100, by: loadedHundredthsWithCost)
    }
}
