import KPIContract

/// A measure of completed trips that a group publishes as a whole or not at all. Its name is the contract's name in
/// `incompleteMeasures`.
package enum AuditedMeasure: String, CaseIterable, Sendable, Hashable {
    case cost, loadedMiles, unloadedMiles
    case duration, response, turnout, scene, transport, turnaround

    /// The contract's six, in its order.
    static let intervals: [AuditedMeasure] = [.duration, .response, .turnout, .scene, .transport, .turnaround]

    /// The place in `allCases`.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The counts and sums of one measure over some groups.
struct MeasureTotals {
    /// Cents, hundredths of a mile, or seconds.
    var sum = 0
    /// Trips that have a value.
    var used = 0
    /// Trips that have no value; counted for intervals only.
    var excluded = 0
    /// Of cost: the trips that also have loaded miles. Of loaded miles: the hundredths of trips that also have a cost.
    var withBoth = 0
    /// Groups that publish the measure.
    var groups = 0
    /// Whether every group publishes the measure.
    var isWhole = true

    mutating func add(_ other: Self) {
        sum += other.sum
        used += other.used
        excluded += other.excluded
        withBoth += other.withBoth
        groups += other.groups
    }
}

extension AuditedGroup {
    /// The group's own counts and sums, whether it publishes them or not.
    func totals(of measure: AuditedMeasure) -> MeasureTotals {
        switch measure {
        case .cost:
            return .init(sum: costCents, used: costedTrips, withBoth: costedTripsWithLoadedMiles, groups: 1)
        case .loadedMiles:
            return .init(
                sum: loadedHundredths, used: tripsWithLoadedMiles, withBoth: loadedHundredthsWithCost, groups: 1)
        case .unloadedMiles: return .init(sum: unloadedHundredths, used: tripsWithUnloadedMiles, groups: 1)
        case .duration, .response, .turnout, .scene, .transport, .turnaround:
            guard let own = interval(of: measure) else { return .init(groups: 1) }
            return .init(sum: own.sumSeconds, used: own.used, excluded: own.excluded, groups: 1)
        }
    }

    func interval(of measure: AuditedMeasure) -> AuditedInterval? {
        guard let place = AuditedMeasure.intervals.firstIndex(of: measure), intervals.indices.contains(place) else {
            return nil
        }
        return intervals[place]
    }
}

extension AuditedRelease {
    /// What a group publishes: measures of which no trip or at least the minimum of trips have a value, unless the
    /// month does not publish the measure for the population.
    func publishedMeasures(of group: AuditedGroup) -> Set<AuditedMeasure> {
        guard group.population.isCompleted else { return [] }
        let unpublished = unpublishedMeasures[.init(month: group.month, population: group.population)] ?? []
        return Set(AuditedMeasure.allCases).subtracting(unpublished).filter { measure in
            let used = group.totals(of: measure).used
            return used == 0 || used >= minimum
        }
    }
}
