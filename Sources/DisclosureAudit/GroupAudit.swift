/// Checks that the groups themselves are what a release may be made of (SPEC §5.3): disjoint, large enough, and so that
/// nobody can confine a part of one.
struct GroupAudit {
    private let release: AuditedRelease
    private let grid: CellGrid

    init(_ release: AuditedRelease, _ grid: CellGrid) {
        self.release = release
        self.grid = grid
    }

    func check(_ findings: inout FindingList) {
        checkLists(&findings)
        var taken: [AuditedRelease.MonthPopulation: Set<AuditedLeaf>] = [:]
        for group in release.groups {
            let name = Self.name(of: group)
            let key = AuditedRelease.MonthPopulation(month: group.month, population: group.population)
            let before = taken[key, default: []]
            let isApart =
                Set(group.leaves).count == group.leaves.count && group.leaves.allSatisfy { !before.contains($0) }
            findings.require(isApart, "\(name) shares a region and trip type with another group")
            taken[key, default: []].formUnion(group.leaves)
            checkSize(of: group, name, &findings)
            checkSums(of: group, name, &findings)
        }
        checkPopulations(Set(taken.keys), &findings)
    }

    private func checkLists(_ findings: inout FindingList) {
        findings.require(release.minimum >= 2, "groups: a minimum below 2 gives no protection")
        let months = release.months + release.withheldMonths
        findings.require(
            months.allSatisfy { CalendarMonth($0) != nil } && Set(months).count == months.count
                && release.months == release.months.sorted()
                && release.withheldMonths == release.withheldMonths.sorted(),
            "groups: the lists of months are not ascending, or one is twice in them")
        for names in [release.regions, release.tripTypes] {
            findings.require(
                Set(names).count == names.count && !names.contains(AuditedRelease.all),
                "groups: a name is twice in the list of regions or of trip types, or is the word for all of them")
        }
    }

    private func checkSize(of group: AuditedGroup, _ name: String, _ findings: inout FindingList) {
        findings.require(
            !group.leaves.isEmpty && group.leaves.allSatisfy(grid.has) && release.months.contains(group.month),
            "\(name) has no region and trip type, or a month, region or trip type that the release does not have")
        // A revision may take all trips out of a group.
        let isEmpty = group.trips == 0 && group.isRevised
        findings.require(isEmpty || group.trips >= release.minimum, "\(name) has fewer trips than the minimum")
        findings.require(
            isEmpty || !group.namesPatients || group.patients >= release.minimum,
            "\(name) has fewer patients than the minimum")
        // Leaves with less than the minimum leave room for any count of one of them, or one leaf has at least the minimum.
        let most = release.minimum - 1
        let isWide =
            group.leaves.count == 1 || group.isRevised || group.trips <= most * (group.leaves.count - 1)
            || group.trips >= release.minimum + most
        findings.require(isWide, "\(name) confines one of its parts, since its total leaves too little room")
    }

    /// Figures that contradict each other cannot be audited.
    private func checkSums(of group: AuditedGroup, _ name: String, _ findings: inout FindingList) {
        guard group.population == .completed else { return }
        let trips = group.tripsBySourcing, costed = group.costedTripsBySourcing
        let parts = [
            (costed.inHouse, trips.inHouse), (costed.contracted, trips.contracted),
            (costed.unclassified, trips.unclassified), (group.tripsWithLoadedMiles, group.trips),
            (group.tripsWithUnloadedMiles, group.trips),
        ]
        let areTimes = group.intervals.allSatisfy {
            $0.used >= 0 && $0.excluded >= 0 && $0.sumSeconds >= 0 && $0.used + $0.excluded == group.trips
        }
        findings.require(
            trips.total == group.trips && parts.allSatisfy { (0...max(0, $0.1)).contains($0.0) }
                && group.intervals.count == CellMeasure.intervalNames.count && areTimes,
            "\(name) has figures that contradict each other")
    }

    /// A population without groups would be shown as empty, which states that it has no trips.
    private func checkPopulations(
        _ withGroups: Set<AuditedRelease.MonthPopulation>, _ findings: inout FindingList
    ) {
        for month in release.months {
            for population in AuditedPopulation.allCases {
                let key = AuditedRelease.MonthPopulation(month: month, population: population)
                let isHidden = release.unpublished.contains(key) && population != .completed
                findings.require(
                    withGroups.contains(key) != isHidden,
                    "groups: the \(population.rawValue) trips of \(month) are neither in groups nor unpublished, or both"
                )
            }
        }
    }

    private static func name(of group: AuditedGroup) -> String {
        let leaf = group.leaves.first.map { "\($0.region) / \($0.tripType)" } ?? "no leaf"
        let others = group.leaves.count > 1 ? " and others" : ""
        return "groups: the group of \(group.population.rawValue) trips of \(group.month), \(leaf)\(others),"
    }
}
