import KPIs
package import Trips

/// A trip of a released month that was added, changed or taken out since the release.
package struct TripChange: Sendable, Hashable {
    /// What the release counts of the trip; nil: nothing.
    package var released: TripFacts?
    /// The trip as the store has it now, in whatever month; nil: it is void or not there.
    package var current: TripFacts?
    /// Whether a revision has added or corrected the trip. No other revision does.
    package var isRevised: Bool

    package init(released: TripFacts?, current: TripFacts?, isRevised: Bool = false) {
        self.released = released
        self.current = current
        self.isRevised = isRevised
    }
}

extension TripFacts {
    /// Nil for a void trip, which is counted nowhere.
    var population: TripPopulation? {
        switch TripStatus(rawValue: status) {
        case .cancelled: .cancelled
        case .noShow: .noShow
        case .void, nil: nil
        case .completed:
            switch Sourcing(rawValue: sourcing) {
            case .inHouse: .inHouse
            case .contracted: .contracted
            case .unclassified, nil: .unclassified
            }
        }
    }

    var leaf: LeafScope { LeafScope(region: region, tripType: tripType) }
}
