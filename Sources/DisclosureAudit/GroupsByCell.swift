import Basics
import KPIContract

/// The groups that reach into every cell of a release.
struct GroupsByCell {
    /// What each group of the release publishes.
    let published: [Set<AuditedMeasure>]
    private let release: AuditedRelease
    private let shown: Set<String>
    private let joinedMonths: Set<String>
    /// Places of groups, and whether all leaves of the group are in the cell.
    private var reached: [CellKey: [(place: Int, isInside: Bool)]] = [:]

    init(_ release: AuditedRelease) {
        self.release = release
        shown = Set(release.shownMonths)
        joinedMonths = Set(release.groups.filter { $0.population == .completed }.map(\.month))
        published = release.groups.map(release.publishedMeasures)
        for (place, group) in release.groups.enumerated() {
            for month in shown.contains(group.month) ? [group.month, CellKey.all] : [group.month] {
                for (key, leaves) in leaves(of: group, in: month) {
                    reached[key, default: []].append((place, leaves == group.leaves.count))
                }
            }
        }
    }

    /// The cells that the group reaches into as far as it is selected, and with how many of its leaves.
    private func leaves(of group: AuditedGroup, in month: String) -> [CellKey: Int] {
        group.leaves.filter(release.selection.contains).reduce(into: [:]) { leaves, leaf in
            for region in [leaf.region, CellKey.all] {
                for tripType in [leaf.tripType, CellKey.all] {
                    leaves[CellKey(month: month, region: region, tripType: tripType), default: 0] += 1
                }
            }
        }
    }

    private func months(of key: CellKey) -> Set<String> { key.month == CellKey.all ? shown : [key.month] }

    func union(of populations: [AuditedPopulation], at key: CellKey) -> AuditedUnion {
        var union = AuditedUnion()
        let months = months(of: key)
        for (place, isInside) in reached[key] ?? [] where populations.contains(release.groups[place].population) {
            if isInside {
                union.add(release.groups[place], at: place, publishing: published[place])
            } else {
                union.isWhole = false
            }
        }
        // Every cell of the month may lack such trips.
        if release.unpublished.contains(where: { populations.contains($0.population) && months.contains($0.month) }) {
            union.isWhole = false
        }
        return union
    }

    /// Completed trips by sourcing: not whole where a month publishes its completed trips as one population.
    func sourcing(_ population: AuditedPopulation, at key: CellKey) -> AuditedUnion {
        var union = union(of: [population], at: key)
        if !joinedMonths.isDisjoint(with: months(of: key)) { union.isWhole = false }
        return union
    }

    /// Whether corrections of a group that reaches into the cell wait for a revision.
    func isRevisionPending(at key: CellKey) -> Bool {
        let isOfMonth = key.region == CellKey.all && key.tripType == CellKey.all
        return (reached[key] ?? []).contains { release.groups[$0.place].isRevisionPending }
            || isOfMonth && !release.pendingMonths.isDisjoint(with: months(of: key))
    }
}
