package import KPIs
import Trips

/// What one trip adds to the figures of the release.
package struct TripContribution: Sendable, Hashable {
    package var leaf: LeafScope
    package var population: TripPopulation
    /// Keyed pseudonym; 0 where the trip names no patient.
    package var patient: UInt64
    package var costCents: Int?
    package var loadedHundredths: Int?
    package var unloadedHundredths: Int?
    /// By `TripInterval.rawValue`; negative where the trip has none that is used. Two lanes are not used.
    package var intervalSeconds: SIMD8<Int32>

    package init(
        leaf: LeafScope, population: TripPopulation, patient: UInt64, costCents: Int? = nil,
        loadedHundredths: Int? = nil, unloadedHundredths: Int? = nil,
        intervalSeconds: SIMD8<Int32> = SIMD8(repeating: -1)
    ) {
        self.leaf = leaf
        self.population = population
        self.patient = patient
        self.costCents = costCents
        self.loadedHundredths = loadedHundredths
        self.unloadedHundredths = unloadedHundredths
        self.intervalSeconds = intervalSeconds
    }
}

/// A trip of a released month whose contribution may have changed since.
package struct ContributionChange: Sendable, Hashable {
    /// What the release counts. Several where groups were revised at different times.
    package var released: [TripContribution]
    /// Nil: the month does not have the trip any more.
    package var current: TripContribution?

    package init(released: [TripContribution], current: TripContribution?) {
        self.released = released
        self.current = current
    }
}
