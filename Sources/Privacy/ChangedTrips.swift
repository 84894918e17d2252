import Basics
import KPIs
package import Trips

/// The changed trips of released months, and where the release counts them.
struct ChangedTrips {
    struct ChangedTrip {
        let index: Int
        /// What published figures count of the trip; nil also where its population is not published.
        var released: TripFacts?
        let current: TripFacts?
        let isRevised: Bool
        /// Whether a revision may take up the change.
        var isCandidate = false
        /// Whether the trip waits for its population to be published for the first time.
        var awaitsFirstRelease = false
    }

    private(set) var trips: [ChangedTrip]
    let months: [Month: RevisableMonth]
    let rule: PartitionRule
    private let groups: [Month: [ReleasedPopulation: [LeafScope: [LeafScope]]]]

    init(
        _ changes: [TripChange], _ months: [Month: RevisableMonth], _ rule: PartitionRule
    ) throws(TripOutsideTally) {
        self.months = months
        self.rule = rule
        groups = months.mapValues { month in
            var byLeaf: [ReleasedPopulation: [LeafScope: [LeafScope]]] = [:]
            for (population, own) in month.partition.sortedPopulations {
                guard let groups = own.groups else { continue }
                byLeaf[population] = groups.reduce(into: [:]) { byLeaf, group in
                    for leaf in group { byLeaf[leaf] = group }
                }
            }
            return byLeaf
        }
        trips = changes.enumerated().map { index, change in
            ChangedTrip(index: index, released: change.released, current: change.current, isRevised: change.isRevised)
        }
        for index in trips.indices {
            if let released = trips[index].released, isPopulationUnpublished(released) { trips[index].released = nil }
            let trip = trips[index]
            guard !trip.isRevised, trip.released != trip.current else { continue }
            if let released = trip.released, months[Month(index: released.month)] == nil { continue }
            guard let current = trip.current else {
                trips[index].isCandidate = true
                continue
            }
            // A trip that is now in a month which is not released waits for it.
            guard months[Month(index: current.month)] != nil else { continue }
            trips[index].awaitsFirstRelease = trip.released == nil && isPopulationUnpublished(current)
            trips[index].isCandidate = !trips[index].awaitsFirstRelease
        }
    }

    var candidates: Set<Int> { Set(trips.filter(\.isCandidate).map(\.index)) }

    /// Fewest trips and patients of a set that a revision takes up.
    func minimumCell(_ month: Month) -> Int {
        max(rule.minimumCell, months[month]?.partition.minimumCell ?? 0)
    }

    /// Whether the release publishes nothing of the trip's population, though it publishes its month.
    func isPopulationUnpublished(_ trip: TripFacts) -> Bool {
        let month = Month(index: trip.month)
        guard let groups = groups[month], let population = population(of: trip) else { return false }
        return groups[population] == nil
    }

    /// The population of its month that a trip belongs to; nil for a void trip and in a month that is not released.
    func population(of trip: TripFacts) -> ReleasedPopulation? {
        guard let own = trip.population else { return nil }
        return months[Month(index: trip.month)]?.partition.population(of: own)
    }

    /// Nil where nothing of the trip is published.
    func group(of trip: TripFacts) -> ReleasedGroup? {
        let month = Month(index: trip.month)
        guard let population = population(of: trip), let groups = groups[month]?[population] else { return nil }
        return ReleasedGroup(month: month, population: population, leaves: groups[trip.leaf] ?? [trip.leaf])
    }

    /// What published figures count of a trip.
    func values(of trip: TripFacts?, _ detail: [ReleasedGroup: PublishedDetail]) -> TripValues {
        guard let trip, let group = group(of: trip) else { return [:] }
        return (detail[group] ?? PublishedDetail()).values(of: trip, in: group)
    }

    /// The months' tallies, of trips that have not changed and of those of the changed ones that are given.
    func tallies(_ counted: (ChangedTrip) -> TripFacts?) throws(TripOutsideTally) -> [Month: KPITally] {
        var added: [Month: [TripFacts]] = [:]
        for trip in trips {
            if let facts = counted(trip) { added[Month(index: facts.month), default: []].append(facts) }
        }
        var tallies: [Month: KPITally] = [:]
        for (month, known) in months {
            var tally = known.unchanged
            try tally.add(added[month] ?? [])
            tallies[month] = tally
        }
        return tallies
    }

    /// Groups that a revision must leave as they are: with the changes in these tallies they would have too few patients, or
    /// publish less than before, and what was published could be subtracted.
    func weakened(
        _ tallies: [Month: KPITally], published: [ReleasedGroup: PublishedDetail]
    ) -> Set<ReleasedGroup> {
        let groups = trips.flatMap { trip in
            [trip.released, trip.current].compactMap { $0.flatMap { group(of: $0) } }
        }
        return Set(groups).filter { group in
            guard let figures = figures(of: group, tallies), figures.trips > 0 else { return false }
            guard figures.hasEnoughPatients(minimumCell(group.month)) else { return true }
            return !detail(of: group, figures).includes(published[group] ?? PublishedDetail())
        }
    }

    /// Adds what is published of the groups of these tallies.
    func add(_ tallies: [Month: KPITally], to detail: inout [ReleasedGroup: PublishedDetail]) {
        let met = trips.compactMap { trip in trip.current.flatMap { group(of: $0) } }
        let known = months.values.flatMap { month in
            month.partition.sortedPopulations.flatMap { population, own in
                (own.groups ?? []).map { ReleasedGroup(month: month.month, population: population, leaves: $0) }
            }
        }
        for group in Set(met + known) {
            guard let figures = figures(of: group, tallies) else { continue }
            let own = months[group.month]?.partition
            detail[group, default: PublishedDetail()].add(
                figures, own?.populations[group.population], minimumCell: own?.minimumCell ?? 0)
        }
    }

    private func figures(of group: ReleasedGroup, _ tallies: [Month: KPITally]) -> GroupFigures? {
        tallies[group.month].map { GroupFigures(group.leaves, group.population, of: group.month, in: $0) }
    }

    private func detail(of group: ReleasedGroup, _ figures: GroupFigures) -> PublishedDetail {
        let own = months[group.month]?.partition
        var detail = PublishedDetail()
        detail.add(figures, own?.populations[group.population], minimumCell: own?.minimumCell ?? 0)
        return detail
    }
}

/// A trip that was added, changed or removed since the release of its month.
package struct TripChange: Sendable, Hashable {
    /// The trip as the release counts it; nil: not at all.
    package var released: TripFacts?
    /// The trip as the store has it now, in any month; nil: it is void or removed.
    package var current: TripFacts?
    /// Whether a revision has taken up a change of the trip. Each trip is revised at most once.
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
