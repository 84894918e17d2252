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
    private(set) var months: [Month: RevisableMonth]
    let rule: PartitionRule
    private let groups: [Month: [ReleasedPopulation: [LeafScope: [LeafScope]]]]

    init(
        _ changes: [TripChange], _ months: [Month: RevisableMonth], _ rule: PartitionRule
    ) throws(TripOutsideTally) {
        self.months = months
        self.rule = rule
        groups = months.mapValues { month in
            var byLeaf: [ReleasedPopulation: [LeafScope: [LeafScope]]] = [:]
            for population in ReleasedPopulation.allCases {
                guard let groups = month.partition[population].groups else { continue }
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
        try limitDivisions()
    }

    /// Limits each group to the division that its release has.
    private mutating func limitDivisions() throws(TripOutsideTally) {
        for (month, tally) in try tallies(\.released) {
            guard let known = months[month] else { continue }
            var partition = known.partition
            partition.divisionLimits = (partition.completed.groups ?? []).compactMap { group -> DivisionLimit? in
                let limit = known.partition.divisionLimit(of: group)
                let figures = GroupFigures(group, of: month, in: tally, known.partition)
                guard figures.sums.trips > 0 else { return limit }
                let mayDivideCost = limit?.isCostDivided ?? true
                let isCostInOnePart =
                    figures.isCostPublished && figures.sums.costedTrips > 0 && !figures.isCostDivided
                return DivisionLimit(
                    leaf: group[0], parts: figures.division.rawValue,
                    isCostDivided: mayDivideCost && !isCostInOnePart)
            }
            months[month] = RevisableMonth(month: month, partition: partition, unchanged: known.unchanged)
        }
    }

    var candidates: Set<Int> { Set(trips.filter(\.isCandidate).map(\.index)) }

    /// Fewest trips and patients of a set that a revision takes up.
    func minimumCell(_ month: Month) -> Int {
        max(rule.minimumCell, months[month]?.partition.minimumCell ?? 0)
    }

    /// Whether the release publishes nothing of the trip's population, though it publishes its month.
    func isPopulationUnpublished(_ trip: TripFacts) -> Bool {
        guard let population = trip.population, let groups = groups[Month(index: trip.month)] else { return false }
        return groups[ReleasedPopulation(population)] == nil
    }

    /// Nil where nothing of the trip is published.
    func group(of trip: TripFacts) -> (group: ReleasedGroup, population: TripPopulation)? {
        let month = Month(index: trip.month)
        guard let population = trip.population, let groups = groups[month]?[ReleasedPopulation(population)] else {
            return nil
        }
        return (
            ReleasedGroup(
                month: month, population: ReleasedPopulation(population), leaves: groups[trip.leaf] ?? [trip.leaf]),
            population
        )
    }

    /// What published figures count of a trip.
    func values(of trip: TripFacts?, _ detail: [ReleasedGroup: PublishedDetail]) -> TripValues {
        guard let trip, let (group, population) = group(of: trip) else { return [:] }
        return (detail[group] ?? PublishedDetail()).values(of: trip, population, in: group)
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
            [trip.released, trip.current].compactMap { $0.flatMap { group(of: $0)?.group } }
        }
        return Set(groups).filter { group in
            guard let tally = tallies[group.month], let partition = months[group.month]?.partition else { return false }
            let sums = tally.sums(of: group.leaves, in: group.month)
            guard group.population.members.contains(where: { sums.trips(of: $0) > 0 }) else { return false }
            switch tally.patientCount(of: group.leaves, in: group.month, group.population.members) {
            case .exactly(let patients) where patients < minimumCell(group.month): return true
            case nil: return true
            case .exactly, .atLeastCap, .unknown: break
            }
            guard group.population == .completed else { return false }
            var after = PublishedDetail()
            after.add(GroupFigures(group.leaves, of: group.month, in: tally, partition))
            return !after.includes(published[group] ?? PublishedDetail())
        }
    }

    /// Adds how finely the groups of these tallies are published.
    func add(_ tallies: [Month: KPITally], to detail: inout [ReleasedGroup: PublishedDetail]) {
        let met = trips.compactMap { trip in trip.current.flatMap { group(of: $0)?.group } }
        let known = months.values.flatMap { month in
            (month.partition.completed.groups ?? []).map {
                ReleasedGroup(month: month.month, population: .completed, leaves: $0)
            }
        }
        for group in Set(met + known) where group.population == .completed {
            guard let tally = tallies[group.month], let partition = months[group.month]?.partition else { continue }
            detail[group, default: PublishedDetail()].add(
                GroupFigures(group.leaves, of: group.month, in: tally, partition))
        }
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
