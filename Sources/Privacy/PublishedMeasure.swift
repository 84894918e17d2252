package import Trips

/// A figure that some groups of a cell may not show although they show their trips: the cell's is then of the others.
package enum PublishedMeasure: Sendable, Hashable {
    case cancelled, noShow
    /// Trips by sourcing.
    case sourcing
    case cost
    /// Cost by sourcing.
    case costBySourcing
    case loadedMiles, unloadedMiles
    case interval(TripInterval)

    /// As the contract writes it.
    package var name: String {
        switch self {
        case .cancelled: "cancelled"
        case .noShow: "noShow"
        case .sourcing: "sourcing"
        case .cost: "cost"
        case .costBySourcing: "costBySourcing"
        case .loadedMiles: "loadedMiles"
        case .unloadedMiles: "unloadedMiles"
        case .interval(let interval): interval.name
        }
    }

    /// In the order of the contract's keys.
    package static var all: [PublishedMeasure] {
        [.cancelled, .noShow, .sourcing, .cost, .costBySourcing, .loadedMiles, .unloadedMiles]
            + TripInterval.allCases.map { .interval($0) }
    }
}
