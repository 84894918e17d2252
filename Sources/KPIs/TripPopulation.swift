import Trips

/// Trips of a cell whose patients are counted by themselves: completed ones by sourcing, cancelled ones and no-shows.
///
/// Disclosure control asks of each how many people are behind it (SPEC §5.3).
package enum TripPopulation: Int, CaseIterable, Sendable, Hashable {
    // The first three as in `Sourcing`: a completed trip's population is its sourcing.
    case inHouse, contracted, unclassified, cancelled, noShow

    /// All completed trips.
    package static let completed: [TripPopulation] = [.inHouse, .contracted, .unclassified]
}

extension CellSums {
    /// How many trips of the cell belong to a population.
    package func trips(of population: TripPopulation) -> Int {
        switch population {
        case .inHouse: tripsBySourcing.inHouse
        case .contracted: tripsBySourcing.contracted
        case .unclassified: tripsBySourcing.unclassified
        case .cancelled: cancelled
        case .noShow: noShow
        }
    }
}
