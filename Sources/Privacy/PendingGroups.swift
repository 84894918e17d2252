package import KPIs
package import Trips

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
        completed = Self.pending(partition.completed) { group in
            !current.hasSameFigures(as: released, in: group, of: month, TripPopulation.completed)
        }
        cancelled = Self.pending(partition.cancelled) { group in
            !current.hasSameFigures(as: released, in: group, of: month, [.cancelled])
        }
        noShow = Self.pending(partition.noShow) { group in
            !current.hasSameFigures(as: released, in: group, of: month, [.noShow])
        }
        let populations = [
            (partition.completed, TripPopulation.completed), (partition.cancelled, [.cancelled]),
            (partition.noShow, [.noShow]),
        ]
        isElsewhere = populations.contains { population, members in
            guard let groups = population.groups else { return false }
            let inGroups = Set(groups.joined())
            let sums = current.sums(of: current.allLeaves.filter { !inGroups.contains($0) }, in: month)
            return members.contains { sums.trips(of: $0) > 0 }
        }
    }

    private static func pending(_ population: PopulationPartition, _ hasChanged: ([LeafScope]) -> Bool) -> Set<Int> {
        let groups = population.groups ?? []
        return Set(groups.indices.filter { hasChanged(groups[$0]) })
    }
}
