package import KPIs
package import Trips

/// Which figures of the release a trip is part of.
package struct TripContribution: Sendable, Hashable {
    package var leaf: LeafScope
    package var population: TripPopulation
    /// Keyed pseudonym; 0 where the trip names no patient.
    package var patient: UInt64
    package var hasCost: Bool
    package var hasLoadedMiles: Bool
    package var hasUnloadedMiles: Bool
    /// Those that the trip has seconds of.
    package var intervals: [TripInterval]

    package init(
        leaf: LeafScope, population: TripPopulation, patient: UInt64, hasCost: Bool = false,
        hasLoadedMiles: Bool = false, hasUnloadedMiles: Bool = false, intervals: [TripInterval] = []
    ) {
        self.leaf = leaf
        self.population = population
        self.patient = patient
        self.hasCost = hasCost
        self.hasLoadedMiles = hasLoadedMiles
        self.hasUnloadedMiles = hasUnloadedMiles
        self.intervals = intervals
    }
}
