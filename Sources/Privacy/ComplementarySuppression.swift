/// Chooses which further cells to hide, so that what is hidden cannot be worked out from what is shown (SPEC §5).
///
/// For each hidden count it looks for another world with the same shown numbers in which the count is another one
/// (`Witness`), and hides what stands in the way, at the least cost: small cells before large ones, parts before totals.
/// Worlds are made of moves: along each axis a move either takes from one part what it gives to another, so that the
/// total stays, or changes a part and its total together. So a move touches two cells on each axis; all it touches must
/// be hidden. Cells of 0 are shown as 0 and never take part.
///
/// The order of the work and of the choices is fixed: the same table gives the same pattern. Everything is whole numbers.
package struct ComplementarySuppression: Sendable {
    let minimumCell: Int

    package init(minimumCell: Int) {
        self.minimumCell = minimumCell
    }

    /// Hides more of the system until every hidden count has a witness.
    ///
    /// - Returns: the witnesses; nil if some count cannot be protected: nothing may be published then.
    package func protect(_ system: inout CountSystem) -> [Witness]? {
        var witnesses: [Witness] = []
        var isDone = system.counts.map { _ in Array(repeating: false, count: system.lattice.count) }
        while true {
            let waiting = targets(of: system, isDone)
            if waiting.isEmpty { return witnesses }
            for target in waiting {
                guard let witness = witness(for: target, in: &system) else { return nil }
                witnesses.append(witness)
                isDone[target.countClass][target.cell] = true
            }
        }
    }

    private struct Target {
        var cell: Int
        var countClass: Int
        var count: Int
    }

    /// The smallest counts first, as they are the hardest to protect; of equal ones the first in the table.
    private func targets(of system: CountSystem, _ isDone: [[Bool]]) -> [Target] {
        var targets: [Target] = []
        for countClass in system.counts.indices {
            for cell in 0..<system.lattice.count where system.isHidden[cell] && !isDone[countClass][cell] {
                let count = system.counts[countClass][cell]
                if system.needsWitness(count, minimumCell: minimumCell) {
                    targets.append(Target(cell: cell, countClass: countClass, count: count))
                }
            }
        }
        return targets.sorted { ($0.count, $0.countClass, $0.cell) < ($1.count, $1.countClass, $1.cell) }
    }

    /// Which way a count is changed.
    private enum Direction: CaseIterable {
        case up, down
    }

    /// Upwards to the minimum, or, where that is enough, down to 0: whichever hides less.
    private func witness(for target: Target, in system: inout CountSystem) -> Witness? {
        let isLarge = target.count >= minimumCell
        var best: (cost: Int, draft: Draft)?
        for direction in Direction.allCases where direction == .up || isLarge || system.goal == .unknown {
            let need = isLarge ? 1 : direction == .up ? minimumCell - target.count : target.count
            guard let draft = draft(for: target, direction, need: need, in: system) else { continue }
            if best.map({ draft.cost < $0.cost }) ?? true { best = (draft.cost, draft) }
            if draft.cost == 0 { break }
        }
        guard let draft = best?.draft else { return nil }
        for cell in draft.hidden { system.isHidden[cell] = true }
        return Witness(cell: target.cell, countClass: target.countClass, changes: draft.world.changes)
    }

    /// A world on its way, and what it asks to be hidden.
    private struct Draft {
        var world: OtherWorld
        var hidden: [Int] = []
        var cost = 0
    }

    /// Adds move to move until the count is what it has to be.
    private func draft(for target: Target, _ direction: Direction, need: Int, in system: CountSystem) -> Draft? {
        var system = system
        var draft = Draft(world: OtherWorld(system))
        var need = need
        while need > 0 {
            let move = bestMove(for: target, direction, need: need, in: draft.world, of: system)
            guard let move else { return nil }
            for cell in move.cells where !system.isHidden[cell] {
                draft.cost += cost(of: cell, in: system)
                draft.hidden.append(cell)
                system.isHidden[cell] = true
            }
            draft.world.apply(move)
            need -= move.amount
        }
        return draft
    }

    private func bestMove(
        for target: Target, _ direction: Direction, need: Int, in world: OtherWorld, of system: CountSystem
    ) -> CellMove? {
        let lattice = system.lattice
        let options = lattice.sizes.indices.map { MoveStep.options(on: $0, at: target.cell, in: lattice) }
        var best: (cost: Int, move: ProductMove)?
        // Against another class the cells' totals stay; alone the class changes them.
        let others = system.totalIsShown == nil ? [] : system.counts.indices.filter { $0 != target.countClass }
        for other in [nil] + others.map(Optional.some) {
            if other == nil, system.totalIsShown?[target.cell] == true { continue }
            for first in options[0] {
                for second in options[1] {
                    for third in options[2] {
                        var move = ProductMove(
                            (first, second, third), countClass: target.countClass, against: other,
                            isLoss: direction == .down)
                        move.amount = world.room(for: move, need: need)
                        guard move.amount > 0 else { continue }
                        guard let cost = cost(of: move, in: system, need: need, below: best?.cost) else { continue }
                        best = (cost, move)
                        // Nothing can be cheaper than what hides nothing and goes all the way.
                        if cost == 0 { return CellMove(move) }
                    }
                }
            }
        }
        let transfer = bestTransfer(for: target, direction, need: need, in: world, of: system, below: best?.cost)
        return transfer ?? best.map { CellMove($0.move) }
    }

    /// What the move would hide, for what it brings; nil if that may not be hidden, or is not below `limit`.
    private func cost(of move: ProductMove, in system: CountSystem, need: Int, below limit: Int?) -> Int? {
        var cost = 0
        for number in 0..<ProductMove.cellCount {
            let cell = move.cells[number]
            if move.other == nil, system.totalIsShown?[cell] == true { return nil }
            if system.isHidden[cell] { continue }
            if cell == CellLattice.overall, !system.mayHideOverall { return nil }
            cost += self.cost(of: cell, in: system)
        }
        // Where much is needed, half a step is dear.
        let whole = move.amount == need ? cost : (cost + 1) * need / move.amount
        return limit.map { whole < $0 } ?? true ? whole : nil
    }

    private func cost(of cell: Int, in system: CountSystem) -> Int {
        system.worth[cell]
    }

    /// From one leaf to any other: it touches all that holds the one and not the other. Dearer than a product of steps,
    /// unless most of that is hidden anyway.
    private func bestTransfer(
        for target: Target, _ direction: Direction, need: Int, in world: OtherWorld, of system: CountSystem,
        below limit: Int?
    ) -> CellMove? {
        guard system.totalIsShown == nil else { return nil }
        let lattice = system.lattice
        let counts = system.counts[target.countClass]
        var best: (cost: Int, pair: LeafPair, amount: Int)?
        for own in lattice.leaves where counts[own] > 0 && lattice.holds(target.cell, own) {
            for partner in lattice.leaves where counts[partner] > 0 && !lattice.holds(target.cell, partner) {
                let amount = min(need, world.spare(direction == .up ? partner : own, target.countClass))
                guard amount > 0 else { continue }
                let pair = LeafPair(own, partner, in: lattice)
                var cost = 0
                pair.forEachCell { if !system.isHidden[$0] { cost += self.cost(of: $0, in: system) } }
                let whole = amount == need ? cost : (cost + 1) * need / amount
                if whole < best?.cost ?? limit ?? Int.max { best = (whole, pair, amount) }
            }
        }
        guard let best else { return nil }
        let (losing, gaining) = direction == .up ? (best.pair.right, best.pair.left) : (best.pair.left, best.pair.right)
        return CellMove(from: losing, to: gaining, best.pair, countClass: target.countClass, amount: best.amount)
    }
}
