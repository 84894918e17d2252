package import Basics
package import KPIs

/// Divides a month's trips into groups: five populations, each divided by one rule.
///
/// A leaf with enough trips, patients and values is a group by itself. The other leaves of a line (a region, or a trip type
/// if that margin is kept) are its rest. If any rest of a population has a trip, the rest of each line becomes part of a
/// group: with as few leaves as it takes so that a reader who knows this rule and the threshold finds every small count
/// possible for each of them. `docs/decisions/0030-five-populations.md` states the rule, and `docs/privacy.md` has the proof.
package struct PartitionRule: Sendable, Hashable {
    /// Fewest trips and patients of a group, and fewest values of a measure.
    package let minimumCell: Int
    package let keptMargin: KeptMargin

    package init(minimumCell: Int = MinimumCell.standard, keptMargin: KeptMargin = .region) {
        self.minimumCell = minimumCell
        self.keptMargin = keptMargin
    }

    /// - Throws: `DisclosureError.thresholdOutOfRange` if groups of a tally cannot be checked against the threshold: below 2
    ///   nothing would be hidden, and above the cap "at least 11 patients" may still be too few.
    package func check(_ tally: KPITally) throws(DisclosureError) {
        let largest = tally.namesPatients ? PatientCount.cap : nil
        guard minimumCell >= 2, minimumCell <= largest ?? .max else {
            throw .thresholdOutOfRange(minimumCell: minimumCell, largest: largest)
        }
    }

    /// The partition of a month's true numbers. The same trips always give the same partition.
    package func partition(of month: Month, in tally: KPITally) -> ReleasePartition {
        var populations: [ReleasedPopulation: PopulationPartition] = [:]
        for population in [ReleasedPopulation.cancelled, .noShow] {
            populations[population] = partition(of: population, of: month, in: tally)
        }
        let bySourcing = ReleasedPopulation.bySourcing.map { population in
            let figures = GroupFigures(tally.allLeaves, population, of: month, in: tally)
            // No trips at all disclose nothing about any.
            return figures.trips == 0
                ? PopulationPartition(groups: []) : partition(of: population, of: month, in: tally)
        }
        let hasShares = bySourcing[0].groups != nil && bySourcing[1].groups != nil
        if hasShares, bySourcing.contains(where: { $0.groups?.isEmpty == false }) {
            for (population, own) in zip(ReleasedPopulation.bySourcing, bySourcing) { populations[population] = own }
        } else {
            populations[.completed] = partition(of: .completed, of: month, in: tally)
        }
        return ReleasePartition(minimumCell: minimumCell, populations: populations)
    }

    /// The partition of one population of a month.
    func partition(of population: ReleasedPopulation, of month: Month, in tally: KPITally) -> PopulationPartition {
        let leaves = tally.allLeaves
        let all = GroupFigures(leaves, population, of: month, in: tally)
        // A measure that most trips lack would merge many leaves for a few values.
        let unpublished = ReleasedMeasure.allCases.filter { measure in
            let values = all.values(of: measure)
            return values > 0 && (values < minimumCell || 2 * values < all.trips)
        }
        let measures = Set(ReleasedMeasure.allCases).subtracting(unpublished)
        let trips = Dictionary(
            leaves.map { ($0, GroupFigures([$0], population, of: month, in: tally).trips) },
            uniquingKeysWith: { first, _ in first })
        let groups = groups(leaves: leaves, trips: { trips[$0] ?? 0 }) { leaves in
            GroupFigures(leaves, population, of: month, in: tally).areEnough(minimumCell, measures)
        }
        return PopulationPartition(groups: groups, unpublishedMeasures: groups == nil ? [] : unpublished)
    }

    /// The groups of one population; nil: it is too small.
    ///
    /// - Parameters:
    ///   - leaves: all there can be, Unassigned ones too: whether a region is listed must not depend on its trips.
    ///   - trips: of a leaf.
    ///   - areEnough: whether the trips of some leaves together are enough for a group.
    package func groups(
        leaves: [LeafScope], trips: (LeafScope) -> Int, areEnough: ([LeafScope]) -> Bool
    ) -> [[LeafScope]]? {
        let order = joiningOrder(of: leaves)
        func count(_ leaves: [LeafScope]) -> Int { leaves.reduce(0) { $0 + trips($1) } }
        func has(_ leaves: [LeafScope], atLeast least: Int) -> Bool { count(leaves) >= least && areEnough(leaves) }
        /// With more trips than this, none of the parts could be empty.
        func isHiddenAlone(_ leaves: [LeafScope], parts: Int) -> Bool {
            areEnough(leaves) && count(leaves) <= (minimumCell - 1) * (parts - 1)
        }
        guard areEnough(order) else { return nil }
        let large = order.filter { areEnough([$0]) }
        var free = Set(large)
        let lines = lines(of: order)
        let rests = lines.map { $0.filter { !free.contains($0) } }
        guard rests.contains(where: { count($0) > 0 }) else { return large.map { [$0] } }

        // Of one rest leaf alone a reader would know that it is not empty.
        let isSingle = zip(lines, rests).reduce(0) { $0 + (count($1.0) > 0 ? $1.1.count : 0) } == 1
        let joining = isSingle ? 2 : 1
        var groups: [[LeafScope]] = [], failing: [[LeafScope]] = [], others: [[LeafScope]] = []
        for (line, rest) in zip(lines, rests) {
            let own = line.filter(free.contains).prefix(joining)
            let joined = rest + own
            if rest.isEmpty {
                others.append(line)
                continue
            } else if isHiddenAlone(rest, parts: rest.count) {
                groups.append(rest)
            } else if own.count == joining, has(joined, atLeast: 2 * minimumCell - 1) {
                groups.append(joined)
            } else if line.count > 2, has(line, atLeast: 2 * minimumCell - 1) {
                // Of two leaves that are both merged, a reader would know that neither is empty.
                groups.append(line)
            } else {
                failing.append(line)
                continue
            }
            free.subtract(groups[groups.count - 1])
            others.append(line)
        }
        if failing.contains(where: { count($0) > 0 }) {
            var pool = failing.flatMap(\.self)
            free.subtract(pool)
            if !isHiddenAlone(pool, parts: failing.count) {
                guard let line = others.first else { return [order] }
                let first = line.filter(free.contains).prefix(1)
                if !first.isEmpty, pool.count > 1, has(pool + first, atLeast: 2 * minimumCell - 1) {
                    pool += first
                } else {
                    pool += line
                    groups.removeAll { line.contains($0[0]) }
                    guard pool.count > 2, has(pool, atLeast: 3 * minimumCell - 2) else { return [order] }
                }
            }
            groups.append(pool)
            free.subtract(pool)
        }
        return groups + large.filter(free.contains).map { [$0] }
    }

    /// The leaves of each line, in the order in which they join.
    private func lines(of order: [LeafScope]) -> [[LeafScope]] {
        Dictionary(grouping: order, by: line).sorted { rank(ofCode: $0.key) < rank(ofCode: $1.key) }.map(\.value)
    }

    private func line(of leaf: LeafScope) -> UInt8 {
        switch keptMargin {
        case .region: leaf.region
        case .tripType: leaf.tripType
        }
    }

    private func rank(ofCode code: UInt8) -> (Int, Int) { (code == 0 ? 0 : 1, -Int(code)) }

    /// Unassigned leaves first, then from the end of the configured lists: what readers miss least joins first, and in
    /// every month the same.
    private func joiningOrder(of leaves: [LeafScope]) -> [LeafScope] {
        func rank(_ leaf: LeafScope) -> (Int, Int, Int) {
            let (first, second) =
                keptMargin == .region ? (leaf.region, leaf.tripType) : (leaf.tripType, leaf.region)
            let unassigned = first == 0 ? (second == 0 ? 0 : 1) : second == 0 ? 2 : 3
            return (unassigned, -Int(first), -Int(second))
        }
        return leaves.sorted { rank($0) < rank($1) }
    }
}
