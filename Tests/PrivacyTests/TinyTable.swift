import Privacy
import TestSupport

/// Tables so small that every table which shows the same can be tried.
enum TinyTable {
    static let minimumCell = 4

    /// A small table of random counts, with its small cells hidden; nil if the overall count is small itself.
    ///
    /// - Parameter pinnedPercent: how many of the cells that are not small were published before.
    static func random(_ random: inout SplitMix64, pinnedPercent: Int = 0) -> CountSystem? {
        let lattice = CellLattice(parts: [Int.random(in: 1...2, using: &random), 2, 1])
        let counts = counts(in: lattice, of: [0, 1, 2, 3, 4, 6], &random)
        guard counts[0] >= minimumCell else { return nil }
        let isSmall = counts.map { (1..<minimumCell).contains($0) }
        let isPinned = isSmall.map { !$0 && Int.random(in: 0..<100, using: &random) < pinnedPercent }
        return CountSystem(
            lattice, .unknownAndEnough, counts: [counts], mayHideOverall: false, isPinned: isPinned, hidden: isSmall)
    }

    /// Random leaves, and each "All" as their sum.
    static func counts(in lattice: CellLattice, of sizes: [Int], _ random: inout SplitMix64) -> [Int] {
        var counts = Array(repeating: 0, count: lattice.count)
        for leaf in lattice.leaves {
            let count = sizes.randomElement(using: &random) ?? 0
            for cell in lattice.cells(holding: leaf) { counts[cell] += count }
        }
        return counts
    }

    /// The values that each cell takes in all tables of whole numbers that show what this one shows.
    static func possibleValues(_ system: CountSystem) -> [Set<Int>] {
        let lattice = system.lattice, counts = system.counts[0]
        var values = Array(repeating: Set<Int>(), count: lattice.count)
        var table = Array(repeating: 0, count: lattice.count)
        func fill(_ place: Int) {
            guard place < lattice.leaves.count else {
                let isLikeIt = table.indices.allSatisfy {
                    system.isHidden[$0] ? table[$0] > 0 : table[$0] == counts[$0]
                }
                if isLikeIt { for cell in table.indices { values[cell].insert(table[cell]) } }
                return
            }
            let leaf = lattice.leaves[place]
            for count in system.isHidden[leaf] ? 1...counts[0] : counts[leaf]...counts[leaf] {
                for cell in lattice.cells(holding: leaf) { table[cell] += count }
                if table[0] <= counts[0] { fill(place + 1) }
                for cell in lattice.cells(holding: leaf) { table[cell] -= count }
            }
        }
        fill(0)
        return values
    }

    /// Whether any pattern at all keeps the small counts: if not the one that hides all that may be hidden, none does.
    static func canBeProtected(_ system: CountSystem) -> Bool {
        var most = system
        let counts = system.counts[0]
        for cell in counts.indices where counts[cell] > 0 && !system.isPinned[cell] { most.isHidden[cell] = true }
        let values = possibleValues(most)
        return counts.indices.allSatisfy { cell in
            !system.isHidden[cell] || values[cell].contains { $0 >= minimumCell }
        }
    }
}
