import KPIs
import Trips

/// What is published of one group of completed trips: counts and sums, each only where enough trips have the value.
///
/// Figures of a union of groups are sums of these (`UnionFigures`).
struct GroupFigures: Sendable {
    /// The parts that the group's trips are divided into by sourcing.
    enum Division: Int, Comparable, Sendable {
        case undivided = 1
        /// In-house, and contracted or unclassified.
        case inTwo
        /// In-house, contracted and unclassified.
        case inThree

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let sums: CellSums
    let division: Division
    let isCostPublished: Bool
    let isCostDivided: Bool
    let areLoadedMilesPublished: Bool
    let areUnloadedMilesPublished: Bool
    /// By `TripInterval.rawValue`.
    let intervals: [(used: Int, excluded: Int, sumSeconds: Int, isPublished: Bool)]
    /// Whether trips of the group name their patients.
    let namesPatients: Bool

    /// - Parameter group: of completed trips of the partition, or a leaf that is in no group yet.
    init(_ group: [LeafScope], of month: Month, in tally: KPITally, _ partition: ReleasePartition) {
        let minimumCell = partition.minimumCell
        let limit = partition.divisionLimit(of: group)
        let sums = tally.sums(of: group, in: month)
        /// An empty part discloses nothing.
        func isPublishable(_ count: Int) -> Bool { count == 0 || count >= minimumCell }
        func isPublishable(_ populations: [TripPopulation]) -> Bool {
            let trips = populations.reduce(0) { $0 + sums.trips(of: $1) }
            guard trips > 0 else { return true }
            guard trips >= minimumCell else { return false }
            switch tally.patientCount(of: group, in: month, populations) {
            case .unknown, .atLeastCap: return true
            case .exactly(let patients): return patients >= minimumCell
            case nil: return false
            }
        }
        self.sums = sums
        let isSplit = isPublishable([.inHouse])
        let mostParts = limit?.parts ?? Division.inThree.rawValue
        division =
            if !isSplit || mostParts < 2 {
                .undivided
            } else if mostParts > 2, isPublishable([.contracted]), isPublishable([.unclassified]) {
                .inThree
            } else {
                isPublishable([.contracted, .unclassified]) ? .inTwo : .undivided
            }
        let costed = sums.costedTripsBySourcing
        isCostPublished = isPublishable(costed.total)
        let areOtherCostsPublishable =
            switch division {
            case .undivided: false
            case .inTwo: isPublishable(costed.contracted + costed.unclassified)
            case .inThree: isPublishable(costed.contracted) && isPublishable(costed.unclassified)
            }
        let mayDivideCost = limit?.isCostDivided ?? true
        isCostDivided =
            mayDivideCost && isCostPublished && isPublishable(costed.inHouse) && areOtherCostsPublishable
        areLoadedMilesPublished = isPublishable(sums.tripsWithLoadedMiles)
        areUnloadedMilesPublished = isPublishable(sums.tripsWithUnloadedMiles)
        intervals = TripInterval.allCases.map { interval in
            let totals = tally.intervalTotals(interval, of: group, in: month)
            return (totals.used, totals.excluded, totals.sumSeconds, isPublishable(totals.used))
        }
        namesPatients = tally.patientCount(of: group, in: month, TripPopulation.completed) != .unknown
    }
}
