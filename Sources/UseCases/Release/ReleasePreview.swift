import Basics
import KPIContract
package import KPIs
import Operations
import Privacy
package import Store

/// What a publication would release, for the person who approves it: months, groups, the smallest of them, and how far one
/// provider stands behind a cost. Staff figures.
package struct ReleasePreview {
    private let plan: PublicationPlan
    private let tally: KPITally
    private let store: TripStore

    /// - Parameter tally: of all months, as the store has them.
    package init(_ plan: PublicationPlan, tally: KPITally, store: TripStore) {
        self.plan = plan
        self.tally = tally
        self.store = store
    }

    /// One month, a line.
    package func lines() throws -> [String] {
        var lines = try section("would be released for the first time", plan.added.releases)
        if let again = plan.again { lines += try section("would be divided again", again.releases) }
        if let revision = plan.revision {
            lines += try section("would be revised", revision.releases)
            lines.append(
                "groups that keep their figures, because too few of their trips changed: \(revision.waiting)")
        }
        if let withheld = plan.withheld { lines.append(withheld.sentence) }
        if !plan.changesMonths { lines.insert("nothing of the release would change", at: 0) }
        return lines
    }

    private func section(_ what: String, _ releases: [StoredRelease]) throws -> [String] {
        guard !releases.isEmpty else { return [] }
        let lines = try releases.map { release in
            "  " + (try line(of: release.month, ReleaseRegister.partition(release, path: store.path)))
        }
        return ["\(NumberText.counted(releases.count, "month")) \(what):"] + lines
    }

    /// `2025-09: 23 groups (in-house 8, contracted 15), the smallest of 11 trips; one provider has up to 93 % of a group's cost`.
    private func line(of month: Month, _ partition: ReleasePartition) throws -> String {
        var counts: [String] = [], hidden: [String] = []
        var smallest = Int.max, groups = 0
        for (population, part) in partition.sortedPopulations {
            let own = part.groups ?? []
            if own.isEmpty { hidden.append(Self.name(population)) }
            guard !own.isEmpty else { continue }
            counts.append("\(Self.name(population)) \(own.count)")
            groups += own.count
            for leaves in own {
                let sums = tally.sums(of: leaves, in: month)
                smallest = min(smallest, population.members.reduce(0) { $0 + sums.trips(of: $1) })
            }
        }
        var text = "\(month): \(NumberText.counted(groups, "group")) (\(counts.joined(separator: ", ")))"
        if groups > 0 { text += ", the smallest of \(NumberText.counted(smallest, "trip"))" }
        if let percent = try largestShare(of: month, partition) {
            text += "; one provider has up to \(percent) % of a group's cost"
        }
        return hidden.isEmpty ? text : text + "; not shown: \(hidden.joined(separator: ", "))"
    }

    private static func name(_ population: ReleasedPopulation) -> String {
        switch population {
        case .inHouse: "in-house"
        case .contracted: "contracted"
        case .unclassified: "unclassified"
        case .completed: "completed"
        case .cancelled: "cancelled"
        case .noShow: "no-show"
        }
    }

    /// Of the groups of completed trips with costs: the largest share of one provider in a group's cost, in percent; nil if
    /// there are no costs. Who knows the other providers' costs could work out that provider's.
    private func largestShare(of month: Month, _ partition: ReleasePartition) throws -> Int? {
        let costs = try store.costTally(of: month...month)
        var largest: Int?
        for (population, part) in partition.sortedPopulations where population.isCompleted {
            let sourcings = Set(population.members.compactMap(\.sourcing))
            for leaves in part.groups ?? [] {
                let own = costs.selecting { key in
                    sourcings.contains(key.sourcing)
                        && leaves.contains(LeafScope(region: key.region, tripType: key.tripType))
                }
                let total = own.total.costCents
                guard total > 0 else { continue }
                let providers = own.grouped { [$0.providerID, $0.providerName] }
                let share = providers.values.map { max(0, $0.costCents) * 100 / total }.max() ?? 0
                largest = max(largest ?? 0, share)
            }
        }
        return largest
    }
}
