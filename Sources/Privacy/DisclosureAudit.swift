/// Checks with exact integers what complementary suppression claims. It shares no code with the search for a pattern:
/// it is given the counts, what is hidden, and for each hidden count a witness.
package struct DisclosureAudit: Sendable {
    let minimumCell: Int

    package init(minimumCell: Int) {
        self.minimumCell = minimumCell
    }

    /// Whether no count from 1 to one below the minimum is shown, or can be computed from what is shown, or can be
    /// bounded below the minimum by it.
    package func passes(_ system: CountSystem, _ witnesses: [Witness]) -> Bool {
        let lattice = system.lattice
        guard system.isHidden.count == lattice.count, system.counts.allSatisfy({ $0.count == lattice.count }) else {
            return false
        }
        guard showsNothingSmall(system), addsUp(system) else { return false }
        let byTarget = Dictionary(
            witnesses.map { (Target(cell: $0.cell, countClass: $0.countClass), $0) }, uniquingKeysWith: { $1 })
        for countClass in system.counts.indices {
            for cell in 0..<lattice.count where system.isHidden[cell] {
                let count = system.counts[countClass][cell]
                guard system.needsWitness(count, minimumCell: minimumCell) else { continue }
                guard let witness = byTarget[Target(cell: cell, countClass: countClass)],
                    holds(witness, in: system, for: count)
                else { return false }
            }
        }
        return true
    }

    private struct Target: Hashable {
        var cell: Int
        var countClass: Int
    }

    private func showsNothingSmall(_ system: CountSystem) -> Bool {
        system.counts.allSatisfy { counts in
            counts.indices.allSatisfy { system.isHidden[$0] || counts[$0] == 0 || counts[$0] >= minimumCell }
        }
    }

    /// Whether each "All" is the sum of its parts: what all else rests on.
    private func addsUp(_ system: CountSystem) -> Bool {
        let lattice = system.lattice
        for counts in system.counts {
            for axis in lattice.sizes.indices {
                for cell in 0..<lattice.count where lattice.coordinate(axis, of: cell) == 0 {
                    let parts = (1..<lattice.sizes[axis]).reduce(0) { $0 + counts[lattice.moved(cell, axis, to: $1)] }
                    if parts != counts[cell] { return false }
                }
            }
        }
        return true
    }

    private func holds(_ witness: Witness, in system: CountSystem, for count: Int) -> Bool {
        let lattice = system.lattice
        var differences: [Target: Int] = [:]
        for change in witness.changes {
            guard system.counts.indices.contains(change.countClass), (0..<lattice.count).contains(change.leaf),
                lattice.isLeaf(change.leaf)
            else { return false }
            for cell in lattice.cells(holding: change.leaf) {
                differences[Target(cell: cell, countClass: change.countClass), default: 0] += change.difference
            }
        }
        var totals: [Int: Int] = [:]
        for (target, difference) in differences {
            totals[target.cell, default: 0] += difference
            if difference != 0, !system.isHidden[target.cell] { return false }
            let count = system.counts[target.countClass][target.cell]
            if count + difference < (count == 0 ? 0 : system.leastCount) { return false }
        }
        if let shown = system.totalIsShown, totals.contains(where: { shown[$0.key] && $0.value != 0 }) { return false }
        let difference = differences[Target(cell: witness.cell, countClass: witness.countClass)] ?? 0
        return system.isAnswered(count, by: count + difference, minimumCell: minimumCell)
    }
}
