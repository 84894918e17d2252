import Basics
import KPIContract

/// Checks that the groups themselves are what a release may be made of: disjoint, large enough, and such that a reader
/// cannot confine the count of a leaf.
struct GroupAudit {
    let release: AuditedRelease
    let findings: FindingList

    func check() {
        checkLists()
        var taken: [AuditedRelease.MonthPopulation: Set<AuditedLeaf>] = [:]
        for group in release.groups {
            let name = Self.name(of: group)
            let key = AuditedRelease.MonthPopulation(month: group.month, population: group.population)
            let isApart =
                Set(group.leaves).count == group.leaves.count
                && taken[key, default: []].isDisjoint(with: group.leaves)
            findings.require(isApart, "\(name) shares a region and trip type with another group")
            taken[key, default: []].formUnion(group.leaves)
            checkSize(of: group, name)
            checkFigures(of: group, name)
        }
        for month in release.months { checkPopulations(of: month, withGroups: Set(taken.keys)) }
    }

    private func checkLists() {
        findings.require(release.minimum >= 2, "groups: a minimum below 2 gives no protection")
        let months = release.months + release.withheldMonths
        findings.require(
            months.allSatisfy { $0.wholeMatch(of: /[0-9]{4}-(0[1-9]|1[0-2])/) != nil }
                && Set(months).count == months.count && release.months == release.months.sorted()
                && release.withheldMonths == release.withheldMonths.sorted(),
            "groups: the lists of months are not ascending, or one is twice in them")
        for names in [release.regions, release.tripTypes] {
            findings.require(
                Set(names).count == names.count && !names.contains(CellKey.all),
                "groups: a name is twice in the list of regions or of trip types, or is the word for all of them")
        }
        findings.require(
            release.unpublishedMeasures.keys.allSatisfy {
                release.months.contains($0.month) && $0.population.isCompleted
            },
            "groups: an unpublished measure is of a month or population that the release does not have")
    }

    private func checkSize(of group: AuditedGroup, _ name: String) {
        findings.require(
            !group.leaves.isEmpty && group.leaves.allSatisfy(isKnown) && release.months.contains(group.month),
            "\(name) has no region and trip type, or a month, region or trip type that the release does not have")
        // A revision may take all trips out of a group.
        let isEmpty = group.trips == 0 && group.isRevised
        findings.require(isEmpty || group.trips >= release.minimum, "\(name) has fewer trips than the minimum")
        findings.require(
            isEmpty || !group.namesPatients || group.patients >= release.minimum,
            "\(name) has fewer patients than the minimum")
        // Either all leaves may be small and any one of them empty, or one leaf may be large and the others anything.
        let most = release.minimum - 1
        let isWide =
            group.leaves.count == 1 || group.isRevised || group.trips <= most * (group.leaves.count - 1)
            || group.trips >= release.minimum + most
        findings.require(isWide, "\(name) confines one of its leaves, since its total leaves too little room")
    }

    private func isKnown(_ leaf: AuditedLeaf) -> Bool {
        release.regions.contains(leaf.region) && release.tripTypes.contains(leaf.tripType)
    }

    /// Figures that contradict each other cannot be audited.
    private func checkFigures(of group: AuditedGroup, _ name: String) {
        guard group.population.isCompleted else { return }
        let parts = [
            (group.costedTrips, group.trips), (group.tripsWithLoadedMiles, group.trips),
            (group.tripsWithUnloadedMiles, group.trips), (group.costedTripsWithLoadedMiles, group.costedTrips),
            (group.costedTripsWithLoadedMiles, group.tripsWithLoadedMiles),
            (group.loadedHundredthsWithCost, group.loadedHundredths),
        ]
        let areIntervals = group.intervals.allSatisfy {
            $0.used >= 0 && $0.excluded >= 0 && $0.sumSeconds >= 0 && $0.used + $0.excluded == group.trips
        }
        // A sum over no trips is 0.
        let areSums = AuditedMeasure.allCases.map(group.totals).allSatisfy { $0.used > 0 || $0.sum == 0 }
        findings.require(
            parts.allSatisfy { $0.0 >= 0 && $0.0 <= $0.1 } && group.unloadedHundredths >= 0 && areSums && areIntervals
                && group.intervals.count == AuditedMeasure.intervals.count,
            "\(name) has figures that contradict each other")
    }

    /// A completed trip is in a group of its sourcing, or in one of all completed trips, and never in both. A
    /// population without groups is shown as empty, which states that it has no trips, so cancelled trips and no-shows
    /// without groups are unpublished.
    private func checkPopulations(of month: String, withGroups keys: Set<AuditedRelease.MonthPopulation>) {
        let key = { (population: AuditedPopulation) in
            AuditedRelease.MonthPopulation(month: month, population: population)
        }
        let isJoined = keys.contains(key(.completed))
        let isDivided = [AuditedPopulation.inHouse, .contracted, .unclassified].contains { keys.contains(key($0)) }
        findings.require(isJoined != isDivided, "groups: \(month) has no completed trips, or has them twice")
        for population in AuditedPopulation.allCases {
            let isUnpublished = release.unpublished.contains(key(population)),
                hasGroups = keys.contains(key(population))
            let isRight =
                switch population {
                case .inHouse, .contracted, .completed: !isUnpublished
                case .unclassified: !isUnpublished || !hasGroups && !isJoined
                case .cancelled, .noShow: isUnpublished != hasGroups
                }
            findings.require(
                isRight,
                "groups: the \(population.rawValue) trips of \(month) are neither in groups nor unpublished, or both")
        }
    }

    private static func name(of group: AuditedGroup) -> String {
        let leaf = group.leaves.first.map { "\($0.region) / \($0.tripType)" } ?? "no leaf"
        let others = group.leaves.count > 1 ? " and others" : ""
        return "groups: the group of \(group.population.rawValue) trips of \(group.month), \(leaf)\(others),"
    }
}
