package import Basics
import KPIContract
package import KPIs

/// How the trips of one closed month are divided into groups that are large enough to be shown.
///
/// Each population is divided by itself, and once. The release publishes counts and sums of these groups and of their
/// unions, and nothing that is not computed from those. So this is all that decides what a reader can find out;
/// `docs/privacy.md` has the proof.
package struct ReleasePartition: Sendable, Hashable {
    /// Fewest trips and patients of a group.
    package let minimumCell: Int
    /// The populations of the month: in-house, contracted and unclassified trips, or all completed ones together; cancelled
    /// trips; no-shows.
    package let populations: [ReleasedPopulation: PopulationPartition]
    /// The event pairs of the exports when the month was released or revised, as in the ledger. A mean that was left out
    /// because of one of them is never published.
    package private(set) var intervalPairs: [String]?

    package mutating func addIntervalPairs(_ pairs: [String]) {
        intervalPairs = Set((intervalPairs ?? []) + pairs).sorted()
    }

    /// Whether an earlier version made it, which divided all completed trips together and then some groups by sourcing. It
    /// is read as the partition of a joined month.
    package let isOfEarlierRule: Bool

    package init(
        minimumCell: Int, populations: [ReleasedPopulation: PopulationPartition], isOfEarlierRule: Bool = false
    ) {
        self.minimumCell = minimumCell
        self.isOfEarlierRule = isOfEarlierRule
        self.populations = populations
    }

    /// Nil: the month has no such population, or nothing of it is published.
    package func groups(of population: ReleasedPopulation) -> [[LeafScope]]? { populations[population]?.groups }

    /// The population of the month that a trip belongs to.
    package func population(of trips: TripPopulation) -> ReleasedPopulation {
        switch trips {
        case .cancelled: .cancelled
        case .noShow: .noShow
        case .inHouse: isJoined ? .completed : .inHouse
        case .contracted: isJoined ? .completed : .contracted
        case .unclassified: isJoined ? .completed : .unclassified
        }
    }

    /// Whether the completed trips are one population: nothing is published by sourcing.
    package var isJoined: Bool { populations[.completed] != nil }

    /// Whether anything of the month's completed trips is published.
    package var isPublished: Bool {
        populations.contains { $0.key.isCompleted && $0.value.groups?.isEmpty == false }
    }

    /// In the order of `ReleasedPopulation`.
    package var sortedPopulations: [(population: ReleasedPopulation, partition: PopulationPartition)] {
        ReleasedPopulation.allCases.compactMap { population in populations[population].map { (population, $0) } }
    }
}

/// The groups of one population of a month.
package struct PopulationPartition: Sendable, Hashable {
    /// Disjoint sets of leaves, each ascending, in the order of their first leaves. A leaf in none of them has no trips.
    ///
    /// Nil: the whole population is too small, and nothing of it is shown.
    package let groups: [[LeafScope]]?
    /// Measures that most trips of the population lack: they are published of no group. Ascending.
    package let unpublishedMeasures: [ReleasedMeasure]

    package init(groups: [[LeafScope]]?, unpublishedMeasures: [ReleasedMeasure] = []) {
        self.groups = groups?.map { $0.sorted() }.sorted { $0[0] < $1[0] }
        self.unpublishedMeasures = unpublishedMeasures.sorted()
    }
}

/// Which totals stay whole where leaves are merged.
package enum KeptMargin: String, CaseIterable, Sendable, Hashable {
    /// Leaves that are too small are merged within their region first.
    case region
    /// Leaves that are too small are merged within their trip type first.
    case tripType = "type"
}

// As stores record it: an object with `rule` 2 and a key for each population. Stores of before the five populations have no
// `rule`, and `completed`, `cancelled` and `noShow`.
extension ReleasePartition: Codable {
    private static let ruleVersion = 2

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: NamedKey.self)
        minimumCell = try container.decode(Int.self, forKey: NamedKey("minimumCell"))
        intervalPairs = try container.decodeIfPresent([String].self, forKey: NamedKey("intervalPairs"))
        isOfEarlierRule = try container.decodeIfPresent(Int.self, forKey: NamedKey("rule")) == nil
        var populations: [ReleasedPopulation: PopulationPartition] = [:]
        for population in ReleasedPopulation.allCases {
            populations[population] = try container.decodeIfPresent(
                PopulationPartition.self, forKey: NamedKey(population.rawValue))
        }
        self.populations = populations
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: NamedKey.self)
        if !isOfEarlierRule { try container.encode(Self.ruleVersion, forKey: NamedKey("rule")) }
        try container.encode(minimumCell, forKey: NamedKey("minimumCell"))
        try container.encodeIfPresent(intervalPairs, forKey: NamedKey("intervalPairs"))
        for (population, partition) in sortedPopulations {
            try container.encode(partition, forKey: NamedKey(population.rawValue))
        }
    }
}

extension PopulationPartition: Codable {
    private enum CodingKeys: CodingKey { case groups, unpublishedMeasures }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let names = try container.decodeIfPresent([String].self, forKey: .unpublishedMeasures) ?? []
        self.init(
            groups: try container.decodeIfPresent([[LeafScope]].self, forKey: .groups),
            unpublishedMeasures: try names.map { name in
                guard let measure = ReleasedMeasure(name: name) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: .unpublishedMeasures, in: container, debugDescription: "an unknown measure")
                }
                return measure
            })
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(groups, forKey: .groups)
        if !unpublishedMeasures.isEmpty {
            try container.encode(unpublishedMeasures.map(\.name), forKey: .unpublishedMeasures)
        }
    }
}

/// Groups of a released month whose figures are not those that the store has now.
package struct PendingGroups: Sendable, Hashable {
    /// By place in the partition of the population.
    private var byPopulation: [ReleasedPopulation: Set<Int>] = [:]
    /// Whether there are trips now in a leaf that was released as empty. Published for the whole month only: a mark on
    /// the leaf would disclose that it has trips.
    package var isElsewhere = false

    package init() {}

    /// Compares what is released with what the store has.
    package init(of partition: ReleasePartition, in month: Month, released: KPITally, current: KPITally) {
        for (population, own) in partition.sortedPopulations {
            guard let groups = own.groups else { continue }
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
        get { byPopulation[population] ?? [] }
        set { byPopulation[population] = newValue.isEmpty ? nil : newValue }
    }
}
