/// Counts that differ from the true ones in a few leaves.
struct OtherWorld: Sendable {
    /// By class, then by cell: what it can still lose. Only leaves have a bound.
    private(set) var lossRoom: [[Int]]
    /// By class, then by cell: what it can gain if no other class loses it. A leaf of 0 is shown as 0: it cannot gain.
    private(set) var gainRoom: [[Int]]
    private let before: [[Int]]
    /// Nil where leaves may gain without end.
    private let gainBefore: [[Int]]?
    private var touched: [(leaf: Int, countClass: Int)] = []

    init(_ system: CountSystem) {
        let isLeaf = (0..<system.lattice.count).map(system.lattice.isLeaf)
        before = system.counts.map { counts in
            counts.indices.map { isLeaf[$0] ? counts[$0] - system.leastCount : Int.max }
        }
        lossRoom = before
        let room = system.counts.map { counts in
            counts.indices.map { cell in
                !isLeaf[cell] ? Int.max : counts[cell] == 0 ? 0 : system.mostCount(counts[cell]) - counts[cell]
            }
        }
        gainRoom = room
        gainBefore = system.leastDifferences == nil ? nil : room
    }

    mutating func apply(_ move: CellMove) {
        for change in move.changes {
            lossRoom[change.countClass][change.leaf] += change.difference * move.amount
            if gainBefore != nil { gainRoom[change.countClass][change.leaf] -= change.difference * move.amount }
            touched.append((change.leaf, change.countClass))
        }
    }

    /// Makes it the true world again.
    ///
    /// - Returns: what was different, in the order of leaf and class.
    mutating func takeChanges() -> [Witness.Change] {
        var changes: [Witness.Change] = []
        for (leaf, countClass) in touched.sorted(by: <) {
            let difference = lossRoom[countClass][leaf] - before[countClass][leaf]
            guard difference != 0 else { continue }
            changes.append(Witness.Change(leaf: leaf, countClass: countClass, difference: difference))
            lossRoom[countClass][leaf] = before[countClass][leaf]
            if let gainBefore { gainRoom[countClass][leaf] = gainBefore[countClass][leaf] }
        }
        touched.removeAll(keepingCapacity: true)
        return changes
    }
}
