import KPIs
import Trips

/// One of the quantities that the release adds up.
enum ReleasedQuantity: Hashable {
    case trips, cost, loadedMiles, unloadedMiles
    case interval(TripInterval)
}

/// The smallest set of trips of which the release publishes a quantity: a group of a month, or its part by sourcing.
struct GroupPart: Hashable {
    enum SourcingPart: Hashable {
        case whole, inHouse, contracted, unclassified, contractedOrUnclassified
    }

    var group: ReleasedGroup
    var sourcing: SourcingPart

    /// The populations that it holds.
    var populations: [TripPopulation] {
        switch sourcing {
        case .whole: group.population.members
        case .inHouse: [.inHouse]
        case .contracted: [.contracted]
        case .unclassified: [.unclassified]
        case .contractedOrUnclassified: [.contracted, .unclassified]
        }
    }
}

/// A group of a released month.
struct ReleasedGroup: Hashable {
    var month: Month
    var population: ReleasedPopulation
    /// Ascending. A leaf that was released as empty may become a group of its own.
    var leaves: [LeafScope]
}

/// How finely the figures of a group are published, in any of its releases.
struct PublishedDetail: Hashable {
    /// Nil: there is no trip in the group.
    private var trips: GroupFigures.Division?
    /// Nil: the cost is not published.
    private var cost: GroupFigures.Division?
    private var quantities: Set<ReleasedQuantity> = []

    /// Adds what one release publishes. A figure over no trips is left out: it discloses nothing about any trip.
    mutating func add(_ figures: GroupFigures) {
        guard figures.sums.trips > 0 else { return }
        trips = max(trips ?? .undivided, figures.division)
        if figures.isCostPublished, figures.sums.costedTrips > 0 {
            cost = max(cost ?? .undivided, figures.isCostDivided ? figures.division : .undivided)
        }
        if figures.areLoadedMilesPublished, figures.sums.tripsWithLoadedMiles > 0 { quantities.insert(.loadedMiles) }
        if figures.areUnloadedMilesPublished, figures.sums.tripsWithUnloadedMiles > 0 {
            quantities.insert(.unloadedMiles)
        }
        for interval in TripInterval.allCases
        where figures.intervals[interval.rawValue].isPublished && figures.intervals[interval.rawValue].used > 0 {
            quantities.insert(.interval(interval))
        }
    }

    /// Whether all that the other publishes is published at least as finely.
    func includes(_ other: Self) -> Bool {
        let hasTrips = other.trips.map { $0 <= trips ?? .undivided } ?? true
        let hasCost = other.cost.map { known in cost.map { known <= $0 } ?? false } ?? true
        return hasTrips && hasCost && quantities.isSuperset(of: other.quantities)
    }

    /// Whether some figure of the quantity is published, of a group of completed trips.
    func publishes(_ quantity: ReleasedQuantity) -> Bool {
        switch quantity {
        case .trips: trips != nil
        case .cost: cost != nil
        case .loadedMiles, .unloadedMiles, .interval: quantities.contains(quantity)
        }
    }

    /// The values of a trip that are published with those of others.
    ///
    /// - Parameter population: of the trip.
    func values(of trip: TripFacts, _ population: TripPopulation, in group: ReleasedGroup) -> TripValues {
        func value(_ value: Int, _ division: GroupFigures.Division = .undivided) -> TripValue {
            TripValue(part: GroupPart(group: group, sourcing: Self.part(of: population, division)), value: value)
        }
        var values: TripValues = [.trips: value(1, trips ?? .undivided)]
        guard group.population == .completed else { return values }
        if let cost, trip.costCents != AmountState.absent { values[.cost] = value(trip.costCents, cost) }
        if quantities.contains(.loadedMiles), trip.loadedHundredths != AmountState.absent {
            values[.loadedMiles] = value(trip.loadedHundredths)
        }
        if quantities.contains(.unloadedMiles), trip.unloadedHundredths != AmountState.absent {
            values[.unloadedMiles] = value(trip.unloadedHundredths)
        }
        for interval in TripInterval.allCases
        where quantities.contains(.interval(interval)) && trip.intervals[interval.rawValue] >= 0 {
            values[.interval(interval)] = value(Int(trip.intervals[interval.rawValue]))
        }
        return values
    }

    private static func part(
        of population: TripPopulation, _ division: GroupFigures.Division
    ) -> GroupPart.SourcingPart {
        switch (division, population) {
        case (.undivided, _), (_, .cancelled), (_, .noShow): .whole
        case (_, .inHouse): .inHouse
        case (.inTwo, _): .contractedOrUnclassified
        case (.inThree, .contracted): .contracted
        case (.inThree, .unclassified): .unclassified
        }
    }
}

/// What the release counts of a trip.
typealias TripValues = [ReleasedQuantity: TripValue]

/// A value of a trip, and the smallest published set of trips that it is in.
struct TripValue: Hashable {
    var part: GroupPart
    var value: Int
}
