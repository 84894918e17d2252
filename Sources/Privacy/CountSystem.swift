/// Counts of one kind over all cells of a lattice, and which cells hide them: what an outsider sees as equations, since
/// each "All" is the sum of its parts.
///
/// The counts may be split in classes (in-house, contracted, unclassified). Where a cell hides, it hides all of them.
package struct CountSystem: Sendable {
    /// What hiding has to achieve.
    package enum Goal: Sendable, Hashable {
        /// The counts are published. A hidden one may not be computed, nor be bounded inside 1 to the minimum less one.
        case unknown
        /// The counts are what published sums are made of (the trips of a cost). No sum over a small number of them
        /// may be computed; the counts themselves are not shown.
        case enough
        /// Both.
        case unknownAndEnough

        var isPublished: Bool { self != .enough }
    }

    package let lattice: CellLattice
    package let goal: Goal
    /// By class, then by cell.
    package let counts: [[Int]]
    /// By cell, whether the classes add up to a number that it shows: one of them can then change only against another.
    /// Nil if they have no total.
    package let totalIsShown: [Bool]?
    /// By cell, whether it must stay shown, since it was published before.
    package let isPinned: [Bool]
    /// By class, then by cell: of sums of money, by how much a hidden one has to be another in some other world; 0 where
    /// it need not. Leaves of money are known to lie between nothing and twice what they are. Nil: these are counts.
    package let leastDifferences: [[Int]]?
    /// By cell, what it is worth to show it.
    let worth: [Int]
    /// By cell. What is hidden from the start stays hidden; other cells join.
    package var isHidden: [Bool]

    /// - Parameters:
    ///   - mayHideOverall: whether even the overall cell may be hidden; if not, it is pinned.
    ///   - pinned: by cell; nil if none is.
    ///   - isKnown: by cell, whether readers know it, so that to hide it is of little use; nil if none is.
    ///   - leastDifferences: nil: these are counts.
    package init(
        _ lattice: CellLattice, _ goal: Goal, counts: [[Int]], totalIsShown: [Bool]? = nil,
        mayHideOverall: Bool = true, isPinned pinned: [Bool]? = nil, isKnown: [Bool]? = nil,
        leastDifferences: [[Int]]? = nil, hidden: [Bool]
    ) {
        var isPinned = pinned ?? Array(repeating: false, count: lattice.count)
        if !mayHideOverall { isPinned[CellLattice.overall] = true }
        self.isPinned = isPinned
        self.leastDifferences = leastDifferences
        self.lattice = lattice
        self.goal = goal
        self.counts = counts
        self.totalIsShown = totalIsShown
        isHidden = hidden
        worth = (0..<lattice.count).map { cell in
            let size = counts.reduce(0) { $0 + $1[cell] }
            let isMonth = lattice.level(of: cell) == 2 && lattice.coordinate(0, of: cell) != 0
            return Self.worth[lattice.level(of: cell)] * (isMonth ? 8 : 1)
                * (4 + Int.bitWidth - size.leadingZeroBitCount) * (isKnown?[cell] == true ? Self.knownWorth : 1)
        }
    }

    /// The least that a leaf with trips may have in another world: a cell that is hidden is known not to be 0, since 0
    /// is shown; of several classes one may be 0 all the same.
    var leastCount: Int { counts.count == 1 ? 1 : 0 }

    /// By how many axes are "All": a total of one axis is worth so many parts, the total of two so many totals. A month's
    /// total is what is looked at most: it is worth some totals of regions or types.
    private static let worth = [100, 1_600, 25_600, 400_000]

    /// A known cell is hidden only where no other way is found: it is worth more than a total of one axis.
    private static let knownWorth = 64

    /// The most that a leaf may have in another world.
    func mostCount(_ count: Int) -> Int { leastDifferences == nil ? .max : 2 * count }

    /// Whether a hidden count needs a witness.
    func needsWitness(_ target: CountTarget, minimumCell: Int) -> Bool {
        if let leastDifferences { return leastDifferences[target.countClass][target.cell] > 0 }
        return target.count > 0 && (goal.isPublished || target.count < minimumCell)
    }

    /// Whether a world in which a count is `other` speaks for it.
    func isAnswered(_ target: CountTarget, by other: Int, minimumCell: Int) -> Bool {
        if let leastDifferences {
            return abs(other - target.count) >= leastDifferences[target.countClass][target.cell]
        }
        guard target.count < minimumCell else { return other != target.count }
        return other >= minimumCell || (goal == .unknown && other == 0)
    }
}

/// Another world that an outsider cannot tell from the true one: what is shown is the same in both, and a hidden count
/// is another one.
///
/// A count that is large enough in the other world cannot be bounded below the minimum by what is shown; and since every
/// sum of hidden counts that can be computed is the same in both worlds, each that contains this count is large enough.
package struct Witness: Sendable, Hashable {
    /// The cell and class it speaks for.
    package let cell: Int
    package let countClass: Int
    package let changes: [Change]

    package init(cell: Int, countClass: Int, changes: [Change]) {
        self.cell = cell
        self.countClass = countClass
        self.changes = changes
    }

    /// What is different in a leaf.
    package struct Change: Sendable, Hashable {
        package var leaf: Int
        package var countClass: Int
        package var difference: Int
    }
}
