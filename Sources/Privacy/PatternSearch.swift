/// A pattern on its way: what is hidden so far, and the worlds that speak for it.
struct PatternSearch {
    /// How many counts may be given another world for the sake of showing cells. It bounds the time, not the safety.
    private static let repairLimit = 20_000
    /// How many moves a world may be made of.
    private static let moveLimit = 10_000
    /// How many cells may be shown again together.
    private static let groupLimit = 16

    private let system: CountSystem
    private let minimumCell: Int
    /// For a class that changes alone: not where the sum of the classes is shown.
    private var alone: CellPrices
    /// For a class that changes against another, so that their sum stays; nil if the classes have no sum.
    private var against: CellPrices?
    private var world: OtherWorld
    private var ledger: WitnessLedger
    private let leaves: [Leaf]

    init(_ system: CountSystem, minimumCell: Int) {
        self.system = system
        self.minimumCell = minimumCell
        let leaves = system.lattice.leaves.map { Leaf($0, in: system.lattice) }
        self.leaves = leaves
        if let totalIsShown = system.totalIsShown {
            alone = CellPrices(system, leaves) { !totalIsShown[$0] }
            against = CellPrices(system, leaves) { _ in true }
        } else {
            alone = CellPrices(system, leaves) { _ in true }
        }
        world = OtherWorld(system)
        ledger = WitnessLedger(system)
        isHidden = system.isHidden
    }

    private(set) var isHidden: [Bool]

    private mutating func setPrice(_ cell: Int, to price: Int) {
        if system.totalIsShown?[cell] != true { alone.set(cell, to: price) }
        against?.set(cell, to: price)
    }

    private func price(_ cell: Int) -> Int { (against ?? alone).prices[cell] }

    var witnesses: [Witness] { ledger.witnesses }

    /// - Returns: false if some count cannot be protected.
    mutating func protectAll() -> Bool {
        while true {
            let waiting = waiting
            if waiting.isEmpty { return true }
            for target in waiting where !ledger.hasWitness(target) {
                guard let draft = draft(for: target) else { return false }
                for cell in draft.hidden {
                    isHidden[cell] = true
                    setPrice(cell, to: 0)
                }
                ledger.add(ledger.world(draft.changes), isAnswered)
            }
        }
    }

    /// The smallest counts first, as they are the hardest to protect; of equal ones the first in the table.
    private var waiting: [CountTarget] {
        var targets: [CountTarget] = []
        for (countClass, counts) in system.counts.enumerated() {
            for (cell, count) in counts.enumerated() where isHidden[cell] {
                let target = CountTarget(cell: cell, countClass: countClass, count: count)
                if system.needsWitness(target, minimumCell: minimumCell), !ledger.hasWitness(target) {
                    targets.append(target)
                }
            }
        }
        return Self.hardestFirst(targets)
    }

    private static func hardestFirst(_ targets: [CountTarget]) -> [CountTarget] {
        targets.sorted { ($0.count, $0.countClass, $0.cell) < ($1.count, $1.countClass, $1.cell) }
    }

    /// Whether a world in which counts differ by so much speaks for them: a copy, as the ledger changes meanwhile.
    private var isAnswered: (CountTarget, Int) -> Bool {
        { [system, minimumCell, isHidden] target, difference in
            isHidden[target.cell] && system.needsWitness(target, minimumCell: minimumCell)
                && system.isAnswered(target, by: target.count + difference, minimumCell: minimumCell)
        }
    }

    /// Another world for one count, and what it asks to be hidden.
    private struct Draft {
        var changes: [Witness.Change] = []
        var hidden: [Int] = []
        var cost = 0
    }

    /// Upwards to the minimum, or, where that is enough, down to 0: whichever hides less.
    private mutating func draft(for target: CountTarget) -> Draft? {
        let isLarge = target.count >= minimumCell
        let least = system.leastDifferences?[target.countClass][target.cell] ?? 1
        var best: Draft?
        for isLoss in [false, true] where !isLoss || isLarge || system.goal == .unknown {
            let need = isLarge ? least : isLoss ? target.count : minimumCell - target.count
            if let draft = draft(for: target, isLoss: isLoss, need: need, below: best?.cost) { best = draft }
            if best?.cost == 0 { break }
        }
        return best
    }

    /// Adds move to move until the count is what it has to be.
    private mutating func draft(for target: CountTarget, isLoss: Bool, need: Int, below limit: Int?) -> Draft? {
        var draft = Draft(), need = need, isComplete = true, moves = 0
        while need > 0 {
            moves += 1
            let search = MoveSearch(
                lattice: system.lattice, leaves: leaves, target: target, isLoss: isLoss, need: need)
            guard moves <= Self.moveLimit, let move = search.cheapest(in: world, ways(for: target)) else {
                isComplete = false
                break
            }
            for cell in move.cells where price(cell) != 0 {
                draft.cost += price(cell)
                draft.hidden.append(cell)
                setPrice(cell, to: 0)
            }
            world.apply(move)
            need -= move.amount
            if let limit, draft.cost >= limit {
                isComplete = false
                break
            }
        }
        draft.changes = world.takeChanges()
        for cell in draft.hidden { setPrice(cell, to: system.worth[cell]) }
        return isComplete ? draft : nil
    }

    private func ways(for target: CountTarget) -> [(other: Int?, prices: CellPrices)] {
        var ways: [(other: Int?, prices: CellPrices)] = [(nil, alone)]
        if let against {
            for other in system.counts.indices where other != target.countClass { ways.append((other, against)) }
        }
        return ways
    }

    /// Shows cells again, the most valuable first, as long as each count that remains hidden has a witness all the same.
    mutating func showNeedless() {
        for cell in isHidden.indices where !isHidden[cell] { setPrice(cell, to: CellPrices.forbidden) }
        let joined = isHidden.indices.filter { cell in
            isHidden[cell] && !system.isHidden[cell]
                && system.counts.allSatisfy { $0[cell] == 0 || $0[cell] >= minimumCell }
        }
        let mayShow = Set(joined)
        var repairs = 0
        for cell in joined.sorted(by: { (-system.worth[$0], $0) < (-system.worth[$1], $1) }) where isHidden[cell] {
            guard repairs < Self.repairLimit else { return }
            if let group = group(of: cell, within: mayShow) { show(group, &repairs) }
        }
    }

    /// The cell, and what would be all that is hidden in one of its sums without it, and so on: they can only be shown
    /// together. Nil if one of them has to stay hidden, or they are too many.
    private func group(of cell: Int, within mayShow: Set<Int>) -> [Int]? {
        let lattice = system.lattice
        var group = [cell], next = 0
        while next < group.count {
            let cell = group[next]
            next += 1
            for axis in lattice.sizes.indices {
                let hidden = (0..<lattice.sizes[axis]).lazy.map { lattice.moved(cell, axis, to: $0) }
                    .filter { isHidden[$0] && !group.contains($0) }
                guard let only = hidden.first, hidden.dropFirst().isEmpty,
                    system.counts.indices.contains(where: { countClass in
                        let target = CountTarget(
                            cell: only, countClass: countClass, count: system.counts[countClass][only])
                        return system.needsWitness(target, minimumCell: minimumCell)
                    })
                else { continue }
                guard mayShow.contains(only), group.count < Self.groupLimit else { return nil }
                group.append(only)
            }
        }
        return group
    }

    private mutating func show(_ group: [Int], _ repairs: inout Int) {
        var worlds: [Int] = []
        var targets: Set<CountTarget> = []
        for cell in group {
            let (changing, dependents) = ledger.dependents(on: cell)
            isHidden[cell] = false
            setPrice(cell, to: CellPrices.forbidden)
            // Of a world of an earlier cell all is told already.
            ledger.set(changing, areHeld: false)
            worlds += changing
            targets.formUnion(dependents)
        }
        let isAnswered = isAnswered
        let orphans = Self.hardestFirst(targets.filter { !group.contains($0.cell) })
        var found: [WitnessLedger.World] = []
        for target in orphans where ledger.answering(target, isAnswered) == nil {
            if found.contains(where: { $0.speaks(for: target, isAnswered) }) { continue }
            repairs += 1
            guard let draft = draft(for: target) else {
                ledger.set(worlds, areHeld: true)
                for cell in group {
                    setPrice(cell, to: 0)
                    isHidden[cell] = true
                }
                return
            }
            found.append(ledger.world(draft.changes))
        }
        ledger.drop(worlds)
        for world in found { ledger.add(world, isAnswered) }
        for target in orphans { ledger.find(target, isAnswered) }
    }
}
