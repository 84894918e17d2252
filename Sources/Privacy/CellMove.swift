/// A way to change counts that leaves every cell but those it touches as it is.
struct CellMove: Sendable {
    /// All cells that may change: what must be hidden.
    private(set) var cells: [Int] = []
    /// What a change by one does to the leaves.
    private(set) var changes: [Witness.Change] = []
    let amount: Int
    private let countClass: Int
    private let other: Int?

    /// - Parameter other: the class that changes the other way round, so that the cells' totals stay.
    private init(countClass: Int, against other: Int?, amount: Int) {
        self.countClass = countClass
        self.other = other
        self.amount = amount
    }

    /// The product of a step on each axis: every combination of steps made and not made.
    ///
    /// - Parameter isLoss: whether the cell that the steps start from loses.
    init(
        from cell: Int, _ steps: (MoveStep, MoveStep, MoveStep), isLoss: Bool, countClass: Int, against other: Int?,
        amount: Int, in lattice: CellLattice
    ) {
        self.init(countClass: countClass, against: other, amount: amount)
        for number in 0..<8 {
            var place = cell, isLoss = isLoss
            for (bit, step) in [steps.0, steps.1, steps.2].enumerated() where number & (1 << bit) != 0 {
                place += step.offset
                if step.isTransfer { isLoss.toggle() }
            }
            cells.append(place)
            if lattice.isLeaf(place) { change(place, by: isLoss ? -1 : 1) }
        }
    }

    /// What one leaf loses another gains: all that holds the one and not the other changes.
    init(
        from losing: Int, to gaining: Int, countClass: Int, against other: Int?, amount: Int, in lattice: CellLattice
    ) {
        self.init(countClass: countClass, against: other, amount: amount)
        let left = lattice.cells(holding: losing), right = lattice.cells(holding: gaining)
        for (left, right) in zip(left, right) where left != right { cells += [left, right] }
        change(losing, by: -1)
        change(gaining, by: 1)
    }

    private mutating func change(_ leaf: Int, by difference: Int) {
        changes.append(Witness.Change(leaf: leaf, countClass: countClass, difference: difference))
        if let other { changes.append(Witness.Change(leaf: leaf, countClass: other, difference: -difference)) }
    }
}

/// From one coordinate of an axis to another one: what the cell there does together with the cell here.
struct MoveStep: Sendable {
    /// What it adds to the index of a cell.
    let offset: Int
    /// Between two parts, of which one gains what the other loses; else between a part and "All", which change alike.
    let isTransfer: Bool
    /// Of the cell that the step leads to, from where the move starts.
    let price: Int
}
