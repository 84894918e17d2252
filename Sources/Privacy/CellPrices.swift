/// What it costs that cells change in another world: nothing where they are hidden, else what it is worth to show them.
struct CellPrices: Sendable {
    /// What must not be hidden. More than any sum of worths, and little enough to be added up and multiplied.
    static let forbidden = 1 << 40
    /// How many numbers `transferCosts` has for a leaf.
    static let costsPerLeaf = 8

    /// By cell.
    private(set) var prices: [Int]
    /// By leaf, in the order of `leaves`, then by axes as bits: what it costs to change the leaf and all its totals but
    /// those it shares with a leaf that lies elsewhere on these axes. At 0 the least of them.
    private(set) var transferCosts: [Int]
    private let leaves: [Leaf]
    private let lattice: CellLattice

    /// - Parameter mayChange: by cell.
    init(_ system: CountSystem, _ leaves: [Leaf], mayChange: (Int) -> Bool) {
        self.leaves = leaves
        lattice = system.lattice
        prices = system.worth.indices.map { cell in
            // A cell of 0 is shown as 0.
            let isZero = system.counts.allSatisfy { $0[cell] == 0 }
            if isZero || system.isPinned[cell] || !mayChange(cell) { return Self.forbidden }
            return system.isHidden[cell] ? 0 : system.worth[cell]
        }
        transferCosts = Array(repeating: 0, count: leaves.count * Self.costsPerLeaf)
        for number in leaves.indices { setTransferCosts(number) }
    }

    mutating func set(_ cell: Int, to price: Int) {
        guard prices[cell] != price else { return }
        prices[cell] = price
        for number in lattice.leafNumbers(in: cell) { setTransferCosts(number) }
    }

    private mutating func setTransferCosts(_ number: Int) {
        let leaf = leaves[number], first = number * Self.costsPerLeaf
        var all = 0
        for axes in 0..<7 { all += prices[leaf.total(over: axes)] }
        func price(_ axes: Int) -> Int { prices[leaf.total(over: axes)] }
        let own = price(0)
        let single = (
            own + price(2) + price(4) + price(6), own + price(1) + price(4) + price(5),
            own + price(1) + price(2) + price(3)
        )
        transferCosts[first] = min(single.0, single.1, single.2)
        transferCosts[first + 1] = single.0
        transferCosts[first + 2] = single.1
        transferCosts[first + 4] = single.2
        for axes in [3, 5, 6] { transferCosts[first + axes] = all - price(axes) }
        transferCosts[first + 7] = all
    }
}
