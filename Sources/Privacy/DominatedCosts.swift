import KPIs

/// Chooses the cells of a month that do not show a cost under a `CostDominance`, so that none that is nearly one
/// provider's can be computed.
///
/// Of each cost that the rule hides there must be another world that shows the same and in which it is another one by
/// `leastDifference`, with no leaf below nothing or above twice its cost. And no sum of hidden leaves that follows from
/// what is shown may be one that the rule would hide (`ExposedCosts`): else one provider's costs in two cells, or two
/// providers' in one each, could be had together. If that cannot be, no cell shows the cost.
struct DominatedCosts {
    let rule: CostDominance
    let lattice: CellLattice
    /// By class that a cell shows by itself, then by cell: in another world each class has its own sums.
    let costs: [[ProviderCosts]]
    /// By cell, of all classes.
    let all: [ProviderCosts]

    /// Few enough for sums and products of prices, and at most a dollar each where costs are of this world.
    private static let mostUnits = 1 << 30

    /// By cell.
    ///
    /// - Parameter isHidden: by cell, whether it says nothing of the cost for other reasons.
    func hidden(beside isHidden: [Bool]) -> [Bool] {
        let isSecret = all.map(rule.isAbout)
        guard isSecret.contains(true) else { return isHidden }
        let everything = all.indices.map { isHidden[$0] || all[$0] != ProviderCosts() }
        guard let exposed = ExposedCosts(rule: rule, lattice: lattice, costs: all) else { return everything }
        let units = self.units, leastDifferences = leastDifferences(of: units, isSecret)
        var mustHide = zip(isHidden, isSecret).map { $0 || $1 }
        while true {
            var system = CountSystem(
                lattice, .unknown, counts: units, leastDifferences: leastDifferences, hidden: mustHide)
            // No sum is small: what is few trips is looked at elsewhere.
            guard let witnesses = ComplementarySuppression(minimumCell: 1).protect(&system),
                DisclosureAudit(minimumCell: 1).passes(system, witnesses)
            else { return everything }
            let missing = exposed.missing(system.isHidden)
            if missing.isEmpty { return system.isHidden }
            let more = mustHide.indices.filter { missing.contains(lattice.widest($0)) && !mustHide[$0] }
            if more.isEmpty { return everything }
            for cell in more { mustHide[cell] = true }
        }
    }

    /// The costs of cells in whole units, by class: those of the leaves, and each "All" as their sum. A credit is as
    /// large as a bill.
    private var units: [[Int]] {
        let cents = costs.map { costs in lattice.leaves.map { abs(costs[$0].totalCents) } }
        let unit = max(100, cents.joined().reduce(0, +) / Self.mostUnits + 1)
        return cents.map { cents in
            var sums = Array(repeating: 0, count: lattice.count)
            for (leaf, cents) in zip(lattice.leaves, cents) where cents > 0 {
                for cell in lattice.cells(holding: leaf) { sums[cell] += max(1, cents / unit) }
            }
            return sums
        }
    }

    /// It is the larger class that has to be another one; then their sum is, too.
    private func leastDifferences(of units: [[Int]], _ isSecret: [Bool]) -> [[Int]] {
        var differences = units.map { $0.map { _ in 0 } }
        for cell in isSecret.indices where isSecret[cell] {
            let sizes = units.map { $0[cell] }
            guard let largest = sizes.max(), let place = sizes.firstIndex(of: largest) else { continue }
            // One more, for what is less than a unit; and a class can lose no more than it has.
            differences[place][cell] = min(largest, rule.leastDifference(of: sizes.reduce(1, +)))
        }
        return differences
    }
}
