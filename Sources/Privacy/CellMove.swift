/// What a move does along one axis.
struct MoveStep: Sendable {
    /// What changes, and what changes with it: another part, the other way round, or "All", the same way. As offsets
    /// in the lattice; 0 is "All".
    let offsets: (Int, Int)

    var isTransfer: Bool { offsets.1 != 0 }

    /// All steps that change the cell: from a part to another part or to "All"; from "All" to a part.
    static func options(on axis: Int, at cell: Int, in lattice: CellLattice) -> [MoveStep] {
        let own = lattice.coordinate(axis, of: cell)
        let parts = 1..<lattice.sizes[axis]
        if own == 0 { return parts.map { MoveStep(offsets: (lattice.offset(axis, $0), 0)) } }
        let offset = lattice.offset(axis, own)
        return parts.filter { $0 != own }.map { MoveStep(offsets: (offset, lattice.offset(axis, $0))) }
            + [MoveStep(offsets: (offset, 0))]
    }
}

/// A change of counts that leaves every cell but those it touches as it is: the product of a step on each axis.
///
/// The cells it touches are numbered by three bits: bit `k` says which of the two coordinates of step `k` is meant.
struct ProductMove: Sendable {
    static let cellCount = 8

    /// All cells that change.
    private(set) var cells = InlineArray<8, Int>(repeating: 0)
    /// Which of them are leaves, and which lose; the others gain.
    private var leafBits: UInt8 = 0
    private var lossBits: UInt8 = 0
    let countClass: Int
    /// The class that changes the other way round, so that the cells' totals stay.
    let other: Int?
    var amount = 0

    /// - Parameter isLoss: whether the cell that the steps start from loses.
    init(
        _ steps: (MoveStep, MoveStep, MoveStep), countClass: Int, against other: Int?, isLoss: Bool
    ) {
        self.countClass = countClass
        self.other = other
        for number in 0..<Self.cellCount {
            var cell = 0
            var isLeaf = true, isLoss = isLoss
            Self.place(steps.0, number & 1 != 0, &cell, &isLeaf, &isLoss)
            Self.place(steps.1, number & 2 != 0, &cell, &isLeaf, &isLoss)
            Self.place(steps.2, number & 4 != 0, &cell, &isLeaf, &isLoss)
            cells[number] = cell
            if isLeaf { leafBits |= 1 << number }
            if isLoss { lossBits |= 1 << number }
        }
    }

    @inline(__always)
    private static func place(
        _ step: MoveStep, _ isSecond: Bool, _ cell: inout Int, _ isLeaf: inout Bool, _ isLoss: inout Bool
    ) {
        let offset = isSecond ? step.offsets.1 : step.offsets.0
        cell += offset
        if offset == 0 { isLeaf = false }
        if isSecond, step.isTransfer { isLoss.toggle() }
    }

    @inline(__always)
    func isLeaf(_ number: Int) -> Bool { leafBits & (1 << number) != 0 }

    @inline(__always)
    func isLoss(_ number: Int) -> Bool { lossBits & (1 << number) != 0 }
}

/// A move as it is carried out.
struct CellMove: Sendable {
    /// All cells that change.
    let cells: [Int]
    /// What a change by one does to the leaves.
    let changes: [Witness.Change]
    var amount: Int

    init(_ move: ProductMove) {
        cells = (0..<ProductMove.cellCount).map { move.cells[$0] }
        amount = move.amount
        var changes: [Witness.Change] = []
        for number in 0..<ProductMove.cellCount where move.isLeaf(number) {
            let difference = move.isLoss(number) ? -1 : 1
            changes.append(
                Witness.Change(leaf: move.cells[number], countClass: move.countClass, difference: difference))
            if let other = move.other {
                changes.append(Witness.Change(leaf: move.cells[number], countClass: other, difference: -difference))
            }
        }
        self.changes = changes
    }

    /// What one leaf loses another gains.
    init(from losing: Int, to gaining: Int, _ pair: LeafPair, countClass: Int, amount: Int) {
        var cells: [Int] = []
        pair.forEachCell { cells.append($0) }
        self.cells = cells
        changes = [
            Witness.Change(leaf: losing, countClass: countClass, difference: -1),
            Witness.Change(leaf: gaining, countClass: countClass, difference: 1),
        ]
        self.amount = amount
    }
}

/// Two leaves.
struct LeafPair: Sendable {
    let left: Int
    let right: Int
    /// What each coordinate adds to the index of the one and of the other.
    private let offsets: ((Int, Int), (Int, Int), (Int, Int))

    init(_ left: Int, _ right: Int, in lattice: CellLattice) {
        self.left = left
        self.right = right
        func offsets(_ axis: Int) -> (Int, Int) {
            (
                lattice.offset(axis, lattice.coordinate(axis, of: left)),
                lattice.offset(axis, lattice.coordinate(axis, of: right))
            )
        }
        self.offsets = (offsets(0), offsets(1), offsets(2))
    }

    /// The cells that hold one of them and not the other.
    @inline(__always)
    func forEachCell(_ body: (Int) -> Void) {
        for number in 0..<ProductMove.cellCount {
            var left = 0, right = 0
            Self.place(offsets.0, number & 1 != 0, &left, &right)
            Self.place(offsets.1, number & 2 != 0, &left, &right)
            Self.place(offsets.2, number & 4 != 0, &left, &right)
            if left != right {
                body(left)
                body(right)
            }
        }
    }

    @inline(__always)
    private static func place(_ offsets: (Int, Int), _ isAll: Bool, _ left: inout Int, _ right: inout Int) {
        if isAll { return }
        left += offsets.0
        right += offsets.1
    }
}

/// Counts that differ from the true ones in a few leaves.
struct OtherWorld: Sendable {
    private let before: [[Int]]
    private var counts: [[Int]]
    private let least: Int
    private var touched: [(leaf: Int, countClass: Int)] = []

    init(_ system: CountSystem) {
        before = system.counts
        counts = system.counts
        least = system.leastCount
    }

    /// What the leaf can lose.
    @inline(__always)
    func spare(_ leaf: Int, _ countClass: Int) -> Int { counts[countClass][leaf] - least }

    /// By how much the move can be made, at most `need`; 0 if it cannot.
    func room(for move: ProductMove, need: Int) -> Int {
        var room = need
        for number in 0..<ProductMove.cellCount where move.isLeaf(number) {
            let leaf = move.cells[number]
            if move.isLoss(number) {
                room = min(room, spare(leaf, move.countClass))
            } else if let other = move.other {
                room = min(room, spare(leaf, other))
            } else if before[move.countClass][leaf] == 0 {
                // A leaf of 0 is shown as 0: it cannot gain.
                return 0
            }
            if room <= 0 { return 0 }
        }
        return room
    }

    mutating func apply(_ move: CellMove) {
        for change in move.changes {
            counts[change.countClass][change.leaf] += change.difference * move.amount
            touched.append((change.leaf, change.countClass))
        }
    }

    /// In the order of leaf and class.
    var changes: [Witness.Change] {
        var changes: [Witness.Change] = []
        for (leaf, countClass) in touched.sorted(by: <) {
            if let last = changes.last, (last.leaf, last.countClass) == (leaf, countClass) { continue }
            let difference = counts[countClass][leaf] - before[countClass][leaf]
            changes.append(Witness.Change(leaf: leaf, countClass: countClass, difference: difference))
        }
        return changes
    }
}
