import KPIContract

/// Checks that the groups themselves are what a release may be made of: disjoint, large enough, and such that
/// a reader cannot confine a part of one.
struct GroupAudit {
    let release: AuditedRelease
    let findings: FindingList

    func check() {
        checkLists()
        var taken: [AuditedRelease.MonthPopulation: Set<AuditedLeaf>] = [:]
        for group in release.groups {
            let name = Self.name(of: group)
            let key = AuditedRelease.MonthPopulation(month: group.month, population: group.population)
            let before = taken[key, default: []]
            let isApart =
                Set(group.leaves).count == group.leaves.count && group.leaves.allSatisfy { !before.contains($0) }
            findings.require(isApart, "\(name) shares a region and trip type with another group")
            taken[key, default: []].formUnion(group.leaves)
            checkSize(of: group, name)
            checkSums(of: group, name)
        }
        checkPopulations(Set(taken.keys))
    }

    private func checkLists() {
        findings.require(release.minimum >= 2, "groups: a minimum below 2 gives no protection")
        let months = release.months + release.withheldMonths
        findings.require(
            months.allSatisfy { CalendarMonth($0) != nil } && Set(months).count == months.count
                && release.months == release.months.sorted()
                && release.withheldMonths == release.withheldMonths.sorted(),
            "groups: the lists of months are not ascending, or one is twice in them")
        for names in [release.regions, release.tripTypes] {
            findings.require(
                Set(names).count == names.count && !names.contains(CellKey.all),
                "groups: a name is twice in the list of regions or of trip types, or is the word for all of them")
        }
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
        // Leaves with less than the minimum leave room for any count of one of them, or one leaf has at least the minimum.
        let most = release.minimum - 1
        let isWide =
            group.leaves.count == 1 || group.isRevised || group.trips <= most * (group.leaves.count - 1)
            || group.trips >= release.minimum + most
        findings.require(isWide, "\(name) confines one of its parts, since its total leaves too little room")
    }

    private func isKnown(_ leaf: AuditedLeaf) -> Bool {
        release.regions.contains(leaf.region) && release.tripTypes.contains(leaf.tripType)
    }

    /// Figures that contradict each other cannot be audited.
    private func checkSums(of group: AuditedGroup, _ name: String) {
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
                && group.intervals.count == CheckedMeasures.intervals.count && areTimes,
            "\(name) has figures that contradict each other")
    }

    /// A population without groups would be shown as empty, which states that it has no trips.
    private func checkPopulations(
        _ withGroups: Set<AuditedRelease.MonthPopulation>
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

/// Which figures of one group of completed trips may be published.
///
/// A count or sum is of at least the minimum of trips, or of none. A group is divided once, by sourcing, if each
/// part has none or at least the minimum of trips and of patients.
struct PublishableParts {
    enum Division { case whole, inHouseAndOthers, three }

    let division: Division
    let isCostPublished: Bool
    let isCostDivided: Bool
    let areLoadedMilesPublished: Bool
    let areUnloadedMilesPublished: Bool
    /// In the contract's order.
    let areTimesPublished: [Bool]

    init(of group: AuditedGroup, minimum: Int) {
        let isNoneOrEnough = { (count: Int) in count == 0 || count >= minimum }
        let isPart = { (trips: Int, patients: Int) in
            trips == 0 || (trips >= minimum && (!group.namesPatients || patients >= minimum))
        }
        let trips = group.tripsBySourcing, patients = group.patientsBySourcing
        let isInHouse = isPart(trips.inHouse, patients.inHouse)
        let areThree =
            isInHouse && isPart(trips.contracted, patients.contracted)
            && isPart(trips.unclassified, patients.unclassified)
        let areTwo =
            isInHouse && isPart(trips.contracted + trips.unclassified, patients.contractedOrUnclassified)
        division =
            areThree && group.mostParts >= 3 ? .three : areTwo && group.mostParts >= 2 ? .inHouseAndOthers : .whole
        let costed = group.costedTripsBySourcing
        isCostPublished = isNoneOrEnough(costed.total)
        let costedParts: [Int]? =
            switch division {
            case .whole: nil
            case .inHouseAndOthers: [costed.inHouse, costed.contracted + costed.unclassified]
            case .three: [costed.inHouse, costed.contracted, costed.unclassified]
            }
        isCostDivided =
            group.mostPartsOfCost > 1 && isNoneOrEnough(costed.total)
            && costedParts?.allSatisfy(isNoneOrEnough) ?? false
        areLoadedMilesPublished = isNoneOrEnough(group.tripsWithLoadedMiles)
        areUnloadedMilesPublished = isNoneOrEnough(group.tripsWithUnloadedMiles)
        areTimesPublished = group.intervals.map { isNoneOrEnough($0.used) }
    }
}
