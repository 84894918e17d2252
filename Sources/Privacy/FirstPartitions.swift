import KPIs
import Trips

/// The populations of released months that were too small to be published, and are large enough now. They are divided into
/// groups as for a first release, since no release has counted any of their trips.
struct FirstPartitions {
    private(set) var partitions: [Month: [PartitionedPopulation: [[LeafScope]]]] = [:]

    init(_ trips: ChangedTrips) throws(TripOutsideTally) {
        for (month, tally) in try trips.tallies({ $0.isNew ? $0.current : nil }) {
            guard let known = trips.months[month]?.partition else { continue }
            let rule = PartitionRule(minimumCell: trips.minimumCell(month), keptMargin: trips.rule.keptMargin)
            let new = rule.partition(of: month, in: tally)
            for population in PartitionedPopulation.allCases where population.groups(of: known) == nil {
                if let groups = population.groups(of: new) { partitions[month, default: [:]][population] = groups }
            }
        }
    }

    var groupCount: Int { partitions.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }

    /// Whether the trip is in such a population.
    func publishes(_ trip: TripFacts?) -> Bool {
        guard let trip, let population = trip.population else { return false }
        return partitions[Month(index: trip.month)]?[PartitionedPopulation(population)] != nil
    }

    /// A month's groups: those of its release, these, and leaves that were released as empty and have trips now.
    func partition(of known: RevisableMonth, adding revised: Set<ReleasedGroup>) -> ReleasePartition {
        func groups(_ population: PartitionedPopulation) -> PopulationPartition {
            guard let old = population.groups(of: known.partition) else {
                return PopulationPartition(groups: partitions[known.month]?[population])
            }
            let leaves = Set(old.joined())
            let added = revised.filter { $0.population == population && !leaves.contains($0.leaves[0]) }
            return PopulationPartition(groups: old + added.map(\.leaves))
        }
        var partition = ReleasePartition(
            minimumCell: known.partition.minimumCell, completed: groups(.completed), cancelled: groups(.cancelled),
            noShow: groups(.noShow))
        partition.divisionLimits = known.partition.divisionLimits
        partition.intervalPairs = known.partition.intervalPairs
        return partition
    }
}
