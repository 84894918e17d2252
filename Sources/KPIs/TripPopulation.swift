package import Trips

/// Trips of a cell whose patients are counted by themselves: completed ones by sourcing, cancelled ones and no-shows.
///
/// Disclosure control asks of each how many people are behind it.
package enum TripPopulation: Int, CaseIterable, Sendable, Hashable {
    // The first three as in `Sourcing`: a completed trip's population is its sourcing.
    case inHouse, contracted, unclassified, cancelled, noShow

    /// All completed trips.
    package static let completed: [TripPopulation] = [.inHouse, .contracted, .unclassified]

    /// Of completed trips.
    package var sourcing: Sourcing? {
        switch self {
        case .inHouse: .inHouse
        case .contracted: .contracted
        case .unclassified: .unclassified
        case .cancelled, .noShow: nil
        }
    }
}
