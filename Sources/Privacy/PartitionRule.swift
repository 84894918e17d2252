package import KPIs
package import Trips

/// Divides a month's trips into groups.
///
/// A leaf with enough trips and patients is a group. The small leaves of a region (or of a trip type, if that margin is
/// kept) are one group where they are enough together. The small leaves of all other regions are pooled; a pool that is
/// too small, or that would say too much, is joined by further leaves in a fixed order.
///
/// Why a reader who knows this rule cannot confine a leaf that is not shown: no decision looks at the count of one small
/// leaf. Each looks at which leaves are large, and at sums that are published or stay below the threshold. So other
/// counts with the same sums give the same output, and `isSafe` asks, from published numbers alone, that among them each
/// leaf has every count from 0 to one below the threshold. `docs/privacy.md` goes through the cases.
package struct PartitionRule: Sendable, Hashable {
    /// The default of `minimumCell` (CMS cell size suppression policy; 45 CFR 164.514(b)(1)).
    package static let standardMinimumCell = 11

    /// Fewest trips and patients of a group.
    package let minimumCell: Int
    package let keptMargin: KeptMargin

    package init(minimumCell: Int = standardMinimumCell, keptMargin: KeptMargin = .region) {
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
        func groups(_ population: ReleasedPopulation) -> PopulationPartition {
            let trips = tally.allLeaves.map { leaf in
                let sums = tally.sums(of: [leaf], in: month)
                return (leaf, population.members.reduce(0) { $0 + sums.trips(of: $1) })
            }
            let byLeaf = Dictionary(trips, uniquingKeysWith: { first, _ in first })
            return partition(leaves: tally.allLeaves, trips: { byLeaf[$0] ?? 0 }) { leaves in
                tally.patientCount(of: leaves, in: month, population.members)
            }
        }
        return ReleasePartition(
            minimumCell: minimumCell, completed: groups(.completed), cancelled: groups(.cancelled),
            noShow: groups(.noShow))
    }

    /// The partition of one population.
    ///
    /// - Parameters:
    ///   - leaves: all there can be, Unassigned ones too: whether a region is listed must not depend on its trips.
    ///   - trips: of a leaf.
    ///   - patients: of several leaves together; nil: not sure, which is not enough.
    package func partition(
        leaves: [LeafScope], trips: (LeafScope) -> Int, patients: ([LeafScope]) -> PatientCount?
    ) -> PopulationPartition {
        let order = joiningOrder(of: leaves)
        func count(_ leaves: some Sequence<LeafScope>) -> Int { leaves.reduce(0) { $0 + trips($1) } }
        func isEnough(_ leaves: [LeafScope]) -> Bool {
            count(leaves) >= minimumCell && areEnough(patients(leaves))
        }
        guard isEnough(order) else { return PopulationPartition(groups: nil) }
        let large = Set(order.filter { isEnough([$0]) })
        var pool: Set<LeafScope> = []
        var linesOfTheirOwn: [UInt8: [LeafScope]] = [:]
        for (line, small) in Dictionary(grouping: order.filter { !large.contains($0) }, by: line) {
            // With more trips than this, none of the leaves could be empty.
            if count(small) <= largestSmallCount * (small.count - 1), isEnough(small) {
                linesOfTheirOwn[line] = small
            } else {
                pool.formUnion(small)
            }
        }
        if count(pool) == 0 { pool = [] }
        while !pool.isEmpty, !(isSafe(pool, trips: count(pool), order) && isEnough(pool.sorted())),
            let next = order.first(where: { !pool.contains($0) })
        {
            pool.insert(next)
            pool.formUnion(linesOfTheirOwn.removeValue(forKey: line(of: next)) ?? [])
        }
        let pooled = pool.isEmpty ? [] : [pool.sorted()]
        return PopulationPartition(
            groups: pooled + large.subtracting(pool).map { [$0] } + linesOfTheirOwn.values)
    }

    private var largestSmallCount: Int { minimumCell - 1 }

    private func areEnough(_ patients: PatientCount?) -> Bool {
        switch patients {
        case .unknown: true
        case .exactly(let count): count >= minimumCell
        case .atLeastCap: minimumCell <= PatientCount.cap
        case nil: false
        }
    }

    /// Whether each leaf of a pool may have any count from 0 to `largestSmallCount`, for all that its total says.
    ///
    /// Either all of them may be small: there is room for the total while one leaf is empty and every line stays pooled,
    /// that is with at most `largestSmallCount` trips in a line, or in each leaf of a line of two. Or one of them may be
    /// large: the first or the second that would have joined, while the others share `largestSmallCount` trips.
    private func isSafe(_ pool: Set<LeafScope>, trips: Int, _ order: [LeafScope]) -> Bool {
        let lines = Dictionary(grouping: pool, by: line).values
        let room = lines.reduce(0) { $0 + largestSmallCount * ($1.count <= 2 ? $1.count : 1) } - largestSmallCount
        let mayHoldLarge = order.prefix(2).allSatisfy(pool.contains) && pool.count >= 3
        return trips <= room || (mayHoldLarge && trips >= minimumCell + largestSmallCount)
    }

    private func line(of leaf: LeafScope) -> UInt8 {
        switch keptMargin {
        case .region: leaf.region
        case .tripType: leaf.tripType
        }
    }

    /// Unassigned leaves first, then from the end of the configured lists: what readers miss least joins first, and in
    /// every month the same.
    private func joiningOrder(of leaves: [LeafScope]) -> [LeafScope] {
        func rank(_ leaf: LeafScope) -> (Int, Int, Int) {
            let unassigned =
                switch (leaf.region, leaf.tripType) {
                case (0, 0): 0
                case (0, _): 1
                case (_, 0): 2
                default: 3
                }
            let region = -Int(leaf.region), tripType = -Int(leaf.tripType)
            return keptMargin == .region ? (unassigned, region, tripType) : (unassigned, tripType, region)
        }
        return leaves.sorted { rank($0) < rank($1) }
    }
}
