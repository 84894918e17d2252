package import KPIContract
package import KPIs

/// Trips of a month that are divided into groups by themselves, each into one set of groups.
package enum ReleasedPopulation: String, CaseIterable, Sendable, Hashable {
    case inHouse, contracted, unclassified
    /// All completed trips, in a month with too few in-house or contracted trips.
    case completed
    case cancelled, noShow

    /// The completed trips by sourcing.
    package static let bySourcing: [ReleasedPopulation] = [.inHouse, .contracted, .unclassified]

    package var members: [TripPopulation] {
        switch self {
        case .inHouse: [.inHouse]
        case .contracted: [.contracted]
        case .unclassified: [.unclassified]
        case .completed: TripPopulation.completed
        case .cancelled: [.cancelled]
        case .noShow: [.noShow]
        }
    }

    /// Whether its trips have costs, miles and intervals that count.
    package var isCompleted: Bool { self != .cancelled && self != .noShow }

    package var contract: KPISummaryV1.Group.Population {
        switch self {
        case .inHouse: .inHouse
        case .contracted: .contracted
        case .unclassified: .unclassified
        case .completed: .completed
        case .cancelled: .cancelled
        case .noShow: .noShow
        }
    }
}
