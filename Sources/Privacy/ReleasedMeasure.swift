import KPIs
package import Trips

/// A value that completed trips may have or lack, and that the release adds up.
package enum ReleasedMeasure: Sendable, Hashable, CaseIterable, Comparable {
    case cost, loadedMiles, unloadedMiles
    case interval(TripInterval)

    package static let allCases: [ReleasedMeasure] =
        [.cost, .loadedMiles, .unloadedMiles] + TripInterval.allCases.map(ReleasedMeasure.interval)

    /// As in `incompleteMeasures` of the contract.
    package var name: String {
        switch self {
        case .cost: "cost"
        case .loadedMiles: "loadedMiles"
        case .unloadedMiles: "unloadedMiles"
        case .interval(let interval): interval.name
        }
    }

    package init?(name: String) {
        guard let measure = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = measure
    }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: Self, right: Self) -> Bool { left.place < right.place }
}
