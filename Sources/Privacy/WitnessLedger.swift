/// One count of one class in one cell.
struct CountTarget: Sendable, Hashable {
    var cell: Int
    var countClass: Int
    var count: Int
}

/// The other worlds that were found, and which of them speaks for which hidden count. One world speaks for all counts
/// that it changes by enough.
struct WitnessLedger {
    private let counts: [[Int]]
    private let lattice: CellLattice
    private var worlds: [World] = []
    /// By class, then by cell: the number of the world; nil as long as there is none.
    private var worldOf: [[Int?]]
    /// By cell, the worlds in which it is different.
    private var worldsChanging: [[Int]]

    /// Another world, and where it differs from the true one, in all cells.
    struct World {
        fileprivate let changes: [Witness.Change]
        fileprivate let differences: [(target: CountTarget, difference: Int)]
        fileprivate var isHeld = true

        /// - Parameter isAnswered: whether a world with this difference speaks for the count.
        func speaks(for target: CountTarget, _ isAnswered: (CountTarget, Int) -> Bool) -> Bool {
            differences.contains { $0.target == target && isAnswered(target, $0.difference) }
        }
    }

    init(_ system: CountSystem) {
        counts = system.counts
        lattice = system.lattice
        worldOf = counts.map { $0.map { _ in nil } }
        worldsChanging = Array(repeating: [], count: lattice.count)
    }

    /// In the order of class and cell.
    var witnesses: [Witness] {
        var witnesses: [Witness] = []
        for (countClass, worldOf) in worldOf.enumerated() {
            for (cell, world) in worldOf.enumerated() {
                guard let world else { continue }
                witnesses.append(Witness(cell: cell, countClass: countClass, changes: worlds[world].changes))
            }
        }
        return witnesses
    }

    func hasWitness(_ target: CountTarget) -> Bool { worldOf[target.countClass][target.cell] != nil }

    /// Keeps a world for all counts without a witness that it speaks for.
    mutating func add(_ world: World, _ isAnswered: (CountTarget, Int) -> Bool) {
        let number = worlds.count
        worlds.append(world)
        var last: Int?
        for (target, difference) in world.differences {
            if target.cell != last { worldsChanging[target.cell].append(number) }
            last = target.cell
            if !hasWitness(target), isAnswered(target, difference) { worldOf[target.countClass][target.cell] = number }
        }
    }

    func world(_ changes: [Witness.Change]) -> World {
        World(changes: changes, differences: differences(changes))
    }

    /// What is different in all cells, by cell and class.
    private func differences(_ changes: [Witness.Change]) -> [(target: CountTarget, difference: Int)] {
        var parts: [(cell: Int, countClass: Int, difference: Int)] = []
        for change in changes {
            for cell in lattice.cells(holding: change.leaf) {
                parts.append((cell, change.countClass, change.difference))
            }
        }
        parts.sort { ($0.cell, $0.countClass) < ($1.cell, $1.countClass) }
        var sums: [(target: CountTarget, difference: Int)] = []
        for part in parts {
            if let last = sums.last, last.target.cell == part.cell, last.target.countClass == part.countClass {
                sums[sums.count - 1].difference += part.difference
            } else {
                let target = CountTarget(
                    cell: part.cell, countClass: part.countClass, count: counts[part.countClass][part.cell])
                sums.append((target, part.difference))
            }
        }
        return sums.filter { $0.difference != 0 }
    }

    /// The worlds in which the cell is different, and the counts that only they speak for.
    func dependents(on cell: Int) -> (worlds: [Int], targets: [CountTarget]) {
        let changing = worldsChanging[cell].filter { worlds[$0].isHeld }
        let targets = changing.flatMap { world in
            worlds[world].differences.map(\.target).filter { worldOf[$0.countClass][$0.cell] == world }
        }
        return (changing, targets)
    }

    /// Worlds that are not held are not looked at, but speak for what they spoke for until they are dropped.
    mutating func set(_ numbers: [Int], areHeld: Bool) {
        for number in numbers { worlds[number].isHeld = areHeld }
    }

    /// Lets go of worlds for good; the counts they spoke for are without a witness.
    mutating func drop(_ numbers: [Int]) {
        set(numbers, areHeld: false)
        for number in numbers {
            for (target, _) in worlds[number].differences where worldOf[target.countClass][target.cell] == number {
                worldOf[target.countClass][target.cell] = nil
            }
        }
    }

    /// The first world held that speaks for the count.
    func answering(_ target: CountTarget, _ isAnswered: (CountTarget, Int) -> Bool) -> Int? {
        worldsChanging[target.cell].first { worlds[$0].isHeld && worlds[$0].speaks(for: target, isAnswered) }
    }

    /// Gives the count the first world that speaks for it, if it has none.
    mutating func find(_ target: CountTarget, _ isAnswered: (CountTarget, Int) -> Bool) {
        if hasWitness(target) { return }
        worldOf[target.countClass][target.cell] = answering(target, isAnswered)
    }
}
