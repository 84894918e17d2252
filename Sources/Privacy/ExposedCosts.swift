import KPIs

/// Finds sums of a month's hidden costs that follow from what is shown, and that a `CostDominance` would hide.
///
/// Costs of regions × types are the edges of a network: what an unknown world has more of in a leaf flows from its region
/// to its type. A total that is shown asks that as much goes out of its node as comes in; one that is hidden is an edge to
/// the node of all regions, or all types. The sums of leaves that follow from what is shown are the cuts that only edges
/// of one direction cross. So none of them is nearly one provider's if there is a flow in which each leaf has more, by
/// what the provider has there too much, or less, at most by what the others have there enough (Hoffman's theorem); and
/// where there is none, the cut that stands in the way is such a sum.
struct ExposedCosts {
    private let rule: CostDominance
    private let lattice: CellLattice
    private let regionCount: Int
    private let tripTypeCount: Int
    private let leaves: [(cell: Int, region: Int, tripType: Int, costs: ProviderCosts, size: Int)]
    /// By cell.
    private let sizes: [Int]
    private let providers: [Int32]
    /// One or two providers who may have all of some leaves.
    private let fews: [Set<Int32>]

    /// - Parameter costs: by cell.
    /// - Returns: nil unless the cells are of one month.
    init?(rule: CostDominance, lattice: CellLattice, costs: [ProviderCosts]) {
        guard lattice.sizes.count == 3, lattice.sizes[0] == 2 else { return nil }
        self.rule = rule
        self.lattice = lattice
        regionCount = lattice.sizes[1] - 1
        tripTypeCount = lattice.sizes[2] - 1
        sizes = costs.map(Self.size)
        leaves = lattice.leaves.filter { Self.size(costs[$0]) > 0 }.map { leaf in
            (
                leaf, lattice.coordinate(1, of: leaf) - 1, lattice.coordinate(2, of: leaf) - 1, costs[leaf],
                Self.size(costs[leaf])
            )
        }
        providers = Set(leaves.flatMap { $0.costs.centsByProvider.filter { $0.value != 0 }.keys }).sorted()
        let few = Set(leaves.map { Set($0.costs.centsByProvider.filter { $0.value != 0 }.keys) })
            .filter { $0.count < 3 }
        let pairs = few.flatMap { one in few.map(one.union) }.filter { $0.count < 3 }
        fews = Set(pairs).sorted { $0.sorted().lexicographicallyPrecedes($1.sorted()) }
    }

    private static func size(_ costs: ProviderCosts) -> Int {
        costs.centsByProvider.values.reduce(abs(costs.unknownCents)) { $0 + abs($1) }
    }

    /// Of cells that are shown those that have to be hidden too: one for each sum that is found; of cells that are the
    /// same the widest. None if no sum is.
    func missing(_ isHidden: [Bool]) -> Set<Int> {
        var missing: Set<Int> = []
        let percent = rule.percent
        for provider in providers {
            let side = cut(isHidden) { costs, size in
                let own = abs(costs.centsByProvider[provider] ?? 0)
                let mine = own + abs(costs.unknownCents)
                // One more, since just the share is too much.
                return mine * (100 - percent) - (size - mine) * percent + (own > 0 ? 1 : 0)
            }
            if let side { missing.insert(cell(across: side, isHidden)) }
        }
        for few in fews {
            let side = cut(isHidden) { costs, _ in
                costs.centsByProvider.contains { $0.value != 0 && !few.contains($0.key) } ? nil : 1
            }
            if let side { missing.insert(cell(across: side, isHidden)) }
        }
        return missing
    }

    // MARK: - The network

    private var allRegions: Int { regionCount + tripTypeCount }
    private var allTypes: Int { allRegions + 1 }

    /// The edges of totals, and the cells they are.
    private var totals: [(from: Int, to: Int, cell: Int)] {
        let all = CellLattice.overall
        return (0..<regionCount).map { (allRegions, $0, lattice.moved(all, 1, to: $0 + 1)) }
            + (0..<tripTypeCount).map { (regionCount + $0, allTypes, lattice.moved(all, 2, to: $0 + 1)) }
            + [(allTypes, allRegions, all)]
    }

    /// The nodes on one side of a cut over which too much has to flow; nil if there is none.
    ///
    /// - Parameter least: by how much more a hidden leaf must have, given its costs and their size; nil: any more or less.
    private func cut(_ isHidden: [Bool], least: (ProviderCosts, Int) -> Int?) -> [Bool]? {
        var network = ExcessNetwork(nodes: allTypes + 1)
        for leaf in leaves where isHidden[leaf.cell] {
            let from = leaf.region, to = regionCount + leaf.tripType
            network.connect(from, to)
            if let least = least(leaf.costs, leaf.size) {
                network.move(least, from, to)
            } else {
                network.connect(to, from)
            }
        }
        for total in totals where isHidden[total.cell] {
            network.connect(total.from, total.to)
            network.connect(total.to, total.from)
        }
        return network.blockedSide()
    }

    /// A cell that is shown and crosses the cut: hidden, it makes another sum of it. One that is not too small, if there
    /// is one; parts before totals.
    private func cell(across side: [Bool], _ isHidden: [Bool]) -> Int {
        var candidates = totals.filter { side[$0.from] != side[$0.to] }.map(\.cell)
        var sum = 0
        for leaf in leaves where side[leaf.region] != side[regionCount + leaf.tripType] {
            if isHidden[leaf.cell] { sum += leaf.size } else { candidates.append(leaf.cell) }
        }
        let open = candidates.filter { !isHidden[$0] && sizes[$0] > 0 }.map { cell in
            (isTiny: sizes[cell] < rule.leastDifference(of: sum) ? 1 : 0, cell: cell)
        }
        let best = open.min {
            ($0.isTiny, lattice.level(of: $0.cell), sizes[$0.cell], $0.cell)
                < ($1.isTiny, lattice.level(of: $1.cell), sizes[$1.cell], $1.cell)
        }
        return lattice.widest(best?.cell ?? CellLattice.overall)
    }
}
