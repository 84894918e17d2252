package import KPIs
package import Trips

/// How the trips of one closed month are divided into groups that are large enough to be shown.
///
/// Completed trips, cancelled trips and no-shows are divided each by themselves. The release publishes counts and sums
/// of these groups and of their unions, and nothing that is not computed from those. So this is all that decides what a
/// reader can find out; `docs/privacy.md` has the proof.
package struct ReleasePartition: Sendable, Hashable, Codable {
    /// Fewest trips and patients of a group.
    package let minimumCell: Int
    package let completed: PopulationPartition
    package let cancelled: PopulationPartition
    package let noShow: PopulationPartition
    /// How finely each group of completed trips is divided, from the month's first revision on; nil before.
    package var divisionLimits: [DivisionLimit]?
    /// The event pairs of the exports when the month was released or revised, as in the ledger. A mean that was left out
    /// because of one of them is never published.
    package private(set) var intervalPairs: [String]?

    package mutating func addIntervalPairs(_ pairs: [String]) {
        intervalPairs = Set((intervalPairs ?? []) + pairs).sorted()
    }

    package init(
        minimumCell: Int, completed: PopulationPartition, cancelled: PopulationPartition, noShow: PopulationPartition
    ) {
        self.minimumCell = minimumCell
        self.completed = completed
        self.cancelled = cancelled
        self.noShow = noShow
    }

    package subscript(population: ReleasedPopulation) -> PopulationPartition {
        switch population {
        case .completed: completed
        case .cancelled: cancelled
        case .noShow: noShow
        }
    }

    /// Nil: the group is divided by sourcing as finely as its trips allow.
    package func divisionLimit(of group: [LeafScope]) -> DivisionLimit? {
        divisionLimits?.first { $0.leaf == group.first }
    }
}

/// How finely the figures of a group may be divided by sourcing: as in its first release. A finer division at a revision
/// would disclose by subtraction which trips belong to a part.
package struct DivisionLimit: Sendable, Hashable, Codable {
    /// The group's first leaf.
    package let leaf: LeafScope
    /// Parts by sourcing: 1 to 3.
    package let parts: Int
    package let isCostDivided: Bool

    package init(leaf: LeafScope, parts: Int, isCostDivided: Bool) {
        self.leaf = leaf
        self.parts = parts
        self.isCostDivided = isCostDivided
    }
}

/// The groups of one population of a month.
package struct PopulationPartition: Sendable, Hashable, Codable {
    /// Disjoint sets of leaves, each ascending, in the order of their first leaves. A leaf in none of them has no trips.
    ///
    /// Nil: the whole population is too small, or empty, and nothing of it is shown.
    package let groups: [[LeafScope]]?

    package init(groups: [[LeafScope]]?) {
        self.groups = groups?.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }
}

/// Which totals stay whole where leaves are merged.
package enum KeptMargin: String, CaseIterable, Sendable, Hashable {
    /// Leaves that are too small are merged within their region first.
    case region
    /// Leaves that are too small are merged within their trip type first.
    case tripType = "type"
}

/// A population that is divided into groups by itself.
package enum ReleasedPopulation: CaseIterable, Sendable, Hashable {
    case completed, cancelled, noShow

    init(_ population: TripPopulation) {
        switch population {
        case .inHouse, .contracted, .unclassified: self = .completed
        case .cancelled: self = .cancelled
        case .noShow: self = .noShow
        }
    }

    package var members: [TripPopulation] {
        switch self {
        case .completed: TripPopulation.completed
        case .cancelled: [.cancelled]
        case .noShow: [.noShow]
        }
    }
}

/// Groups of a released month whose figures are not those that the store has now.
package struct PendingGroups: Sendable, Hashable {
    /// By place in the partition of the population.
    package var completed: Set<Int> = []
    package var cancelled: Set<Int> = []
    package var noShow: Set<Int> = []
    /// Whether there are trips now in a leaf that was released as empty. Published for the whole month only: a mark on
    /// the leaf would disclose that it has trips.
    package var isElsewhere = false

    package init() {}

    /// Compares what is released with what the store has.
    package init(of partition: ReleasePartition, in month: Month, released: KPITally, current: KPITally) {
        for population in ReleasedPopulation.allCases {
            guard let groups = partition[population].groups else { continue }
            self[population] = Set(
                groups.indices.filter {
                    !current.hasSameFigures(as: released, in: groups[$0], of: month, population.members)
                })
            let others = Set(current.allLeaves).subtracting(groups.joined())
            let sums = current.sums(of: others, in: month)
            isElsewhere = isElsewhere || population.members.contains { sums.trips(of: $0) > 0 }
        }
    }

    package subscript(population: ReleasedPopulation) -> Set<Int> {
        get {
            switch population {
            case .completed: completed
            case .cancelled: cancelled
            case .noShow: noShow
            }
        }
        set {
            switch population {
            case .completed: completed = newValue
            case .cancelled: cancelled = newValue
            case .noShow: noShow = newValue
            }
        }
    }
}
