/// Which figures of one group of completed trips may be published (SPEC §5.3).
///
/// A count or sum stands for at least the minimum of trips, or for none. A group is divided once, by sourcing, if each
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
