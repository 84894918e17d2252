import Basics
import KPIs
import Trips

/// One of the quantities that the release adds up.
enum ReleasedQuantity: Hashable {
    case trips
    case measure(ReleasedMeasure)

    static let all: [ReleasedQuantity] = [.trips] + ReleasedMeasure.allCases.map(ReleasedQuantity.measure)
}

/// A group of a released month: the smallest set of trips of which the release publishes a quantity.
struct ReleasedGroup: Hashable {
    var month: Month
    var population: ReleasedPopulation
    /// Ascending. A leaf that was released as empty may become a group of its own.
    var leaves: [LeafScope]
}

/// Which quantities of a group are published, in any of its releases.
struct PublishedDetail: Hashable {
    private var quantities: Set<ReleasedQuantity> = []

    /// Adds what one release publishes. A figure over no trips is left out: it discloses nothing about any trip.
    ///
    /// - Parameter partition: of the population of the group.
    mutating func add(_ figures: GroupFigures, _ partition: PopulationPartition?, minimumCell: Int) {
        guard figures.trips > 0 else { return }
        quantities.insert(.trips)
        for measure in ReleasedMeasure.allCases
        where figures.values(of: measure) >= max(1, minimumCell)
            && partition?.unpublishedMeasures.contains(measure) != true
        {
            quantities.insert(.measure(measure))
        }
    }

    /// Whether all that the other publishes is published too.
    func includes(_ other: Self) -> Bool { quantities.isSuperset(of: other.quantities) }

    func publishes(_ quantity: ReleasedQuantity) -> Bool { quantities.contains(quantity) }

    /// The values of a trip that are published with those of others.
    func values(of trip: TripFacts, in group: ReleasedGroup) -> TripValues {
        var values: TripValues = [.trips: TripValue(group: group, value: 1)]
        guard group.population.isCompleted else { return values }
        for measure in ReleasedMeasure.allCases where quantities.contains(.measure(measure)) {
            if let value = trip.value(of: measure) {
                values[.measure(measure)] = TripValue(group: group, value: value)
            }
        }
        return values
    }
}

/// What the release counts of a trip.
typealias TripValues = [ReleasedQuantity: TripValue]

/// A value of a trip, and the smallest published set of trips that it is in.
struct TripValue: Hashable {
    var group: ReleasedGroup
    var value: Int
}

extension TripFacts {
    /// In cents, hundredths of a mile or seconds; nil where the trip has none.
    fileprivate func value(of measure: ReleasedMeasure) -> Int? {
        switch measure {
        case .cost: costCents == AmountState.absent ? nil : costCents
        case .loadedMiles: loadedHundredths == AmountState.absent ? nil : loadedHundredths
        case .unloadedMiles: unloadedHundredths == AmountState.absent ? nil : unloadedHundredths
        case .interval(let interval): intervals[interval.rawValue] >= 0 ? Int(intervals[interval.rawValue]) : nil
        }
    }
}
