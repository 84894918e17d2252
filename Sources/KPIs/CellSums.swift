package import Trips

/// Everything that adds up over the trips of a cell, in whole units: trips, cents, hundredths of a mile.
///
/// `merge` and `subtract` are exact and do not depend on order, so parallel equals sequential to the byte (SPEC §4).
/// All but `cancelled` and `noShow` speak of completed trips only.
package struct CellSums: Sendable, Hashable {
    package var trips = 0
    package var cancelled = 0
    package var noShow = 0
    /// Trips by `Sourcing.rawValue`.
    package var tripsBySourcing = SourcingTriple()
    /// Cents by sourcing; their total is `totalCostCents`.
    package var costCentsBySourcing = SourcingTriple()
    /// Trips with a cost, by sourcing.
    package var costedTripsBySourcing = SourcingTriple()
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

    package var totalCostCents: Int { costCentsBySourcing.total }
    package var costedTrips: Int { costedTripsBySourcing.total }
    package var isEmpty: Bool { trips == 0 && cancelled == 0 && noShow == 0 }
}

/// One number for each sourcing.
package struct SourcingTriple: Sendable, Hashable {
    package var inHouse = 0
    package var contracted = 0
    package var unclassified = 0

    package init() {}

    package var total: Int { inHouse + contracted + unclassified }

    package subscript(sourcing: Sourcing) -> Int {
        @inline(__always) get {
            switch sourcing {
            case .inHouse: inHouse
            case .contracted: contracted
            case .unclassified: unclassified
            }
        }
        @inline(__always) set {
            switch sourcing {
            case .inHouse: inHouse = newValue
            case .contracted: contracted = newValue
            case .unclassified: unclassified = newValue
            }
        }
    }

    package mutating func add(_ other: Self) { self = .combine(self, other, +) }

    static func combine(_ left: Self, _ right: Self, _ operation: (Int, Int) -> Int) -> Self {
        var result = Self()
        for sourcing in Sourcing.allCases { result[sourcing] = operation(left[sourcing], right[sourcing]) }
        return result
    }
}

extension CellSums {
    package mutating func merge(_ other: CellSums) { combine(other, &+) }

    package mutating func subtract(_ other: CellSums) { combine(other, &-) }

    /// Whether every number of trips is 0 or more. Costs may be negative.
    var hasNoNegativeCount: Bool {
        [
            trips, cancelled, noShow, costedTripsWithLoadedMiles, tripsWithLoadedMiles, tripsWithUnloadedMiles,
            tripsBySourcing.inHouse, tripsBySourcing.contracted, tripsBySourcing.unclassified,
            costedTripsBySourcing.inHouse, costedTripsBySourcing.contracted, costedTripsBySourcing.unclassified,
        ].allSatisfy { $0 >= 0 }
    }

    private mutating func combine(_ other: CellSums, _ operation: (Int, Int) -> Int) {
        trips = operation(trips, other.trips)
        cancelled = operation(cancelled, other.cancelled)
        noShow = operation(noShow, other.noShow)
        tripsBySourcing = .combine(tripsBySourcing, other.tripsBySourcing, operation)
        costCentsBySourcing = .combine(costCentsBySourcing, other.costCentsBySourcing, operation)
        costedTripsBySourcing = .combine(costedTripsBySourcing, other.costedTripsBySourcing, operation)
        loadedHundredths = operation(loadedHundredths, other.loadedHundredths)
        unloadedHundredths = operation(unloadedHundredths, other.unloadedHundredths)
        costCentsWithLoadedMiles = operation(costCentsWithLoadedMiles, other.costCentsWithLoadedMiles)
        loadedHundredthsWithCost = operation(loadedHundredthsWithCost, other.loadedHundredthsWithCost)
        costedTripsWithLoadedMiles = operation(costedTripsWithLoadedMiles, other.costedTripsWithLoadedMiles)
        tripsWithLoadedMiles = operation(tripsWithLoadedMiles, other.tripsWithLoadedMiles)
        tripsWithUnloadedMiles = operation(tripsWithUnloadedMiles, other.tripsWithUnloadedMiles)
    }
}
