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
        guard system.isHidden.count == lattice.count, system.isPinned.count == lattice.count,
            system.counts.allSatisfy({ $0.count == lattice.count }),
            system.leastDifferences?.map(\.count) ?? system.counts.map(\.count) == system.counts.map(\.count)
        else { return false }
        guard showsNothingSmall(system), showsWhatIsPinned(system), addsUp(system) else { return false }
        let byTarget = Dictionary(
            witnesses.map { (Target(cell: $0.cell, countClass: $0.countClass), $0) }, uniquingKeysWith: { $1 })
        var differences = Differences(system)
        for countClass in system.counts.indices {
            for cell in 0..<lattice.count where system.isHidden[cell] {
                let target = CountTarget(
                    cell: cell, countClass: countClass, count: system.counts[countClass][cell])
                guard system.needsWitness(target, minimumCell: minimumCell) else { continue }
                guard let witness = byTarget[Target(cell: cell, countClass: countClass)],
                    differences.hold(witness, for: target, minimumCell: minimumCell)
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

    private func showsWhatIsPinned(_ system: CountSystem) -> Bool {
        !zip(system.isPinned, system.isHidden).contains { $0 && $1 }
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

    /// What is different in the world of a witness: room for all cells, so that none is asked for witness by witness.
    private struct Differences {
        private let system: CountSystem
        /// By class, then by cell; all 0 between two witnesses.
        private var byClass: [[Int]]

        init(_ system: CountSystem) {
            self.system = system
            byClass = system.counts.map { _ in Array(repeating: 0, count: system.lattice.count) }
        }

        /// Whether the world could be the true one, for all that is shown, and its count is large enough.
        mutating func hold(_ witness: Witness, for target: CountTarget, minimumCell: Int) -> Bool {
            let lattice = system.lattice
            let isWellFormed = witness.changes.allSatisfy { change in
                byClass.indices.contains(change.countClass) && (0..<lattice.count).contains(change.leaf)
                    && lattice.isLeaf(change.leaf)
            }
            guard isWellFormed else { return false }
            let touched = witness.changes.flatMap { lattice.cells(holding: $0.leaf) }
            for (place, cell) in touched.enumerated() {
                // Each change touches as many cells.
                let change = witness.changes[place * witness.changes.count / touched.count]
                byClass[change.countClass][cell] += change.difference
            }
            defer { for cell in touched { for countClass in byClass.indices { byClass[countClass][cell] = 0 } } }
            guard touched.allSatisfy(isPossible) else { return false }
            let other = target.count + byClass[witness.countClass][witness.cell]
            return system.isAnswered(target, by: other, minimumCell: minimumCell)
        }

        /// Whether the cell could hold these counts, for all that is shown.
        private func isPossible(_ cell: Int) -> Bool {
            var total = 0
            for countClass in byClass.indices {
                let difference = byClass[countClass][cell], count = system.counts[countClass][cell]
                if difference != 0, !system.isHidden[cell] { return false }
                if count + difference < (count == 0 ? 0 : system.leastCount) { return false }
                if system.lattice.isLeaf(cell), count + difference > system.mostCount(count) { return false }
                // The only count of a cell of 0 is shown as 0.
                if count == 0, difference != 0, byClass.count == 1 { return false }
                total += difference
            }
            return total == 0 || system.totalIsShown?[cell] != true
        }
    }
}
