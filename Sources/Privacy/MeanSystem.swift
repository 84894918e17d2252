/// Decides which means may stay beside hidden counts.
///
/// A mean times its count is a sum, and sums add up over the lattice: with the counts unknown, each mean that is shown is
/// an equation for them. It says nothing of its count as long as the sum is free to be any number. The sums of the leaves
/// with hidden counts are free, and a cell's sum is that of its leaves; so the equations of the means that are shown must
/// be independent of each other, and of the sums that are known.
///
/// Independence is found over the field of two elements, where rows are bits: what is independent there is so in whole
/// numbers too.
struct MeanSystem {
    private let lattice: CellLattice
    /// By column: a leaf whose sum is free.
    private let free: [Int]
    /// By cell, which columns it holds.
    private var rows: [[UInt64]]
    private var basis: [(pivot: Int, row: [UInt64])] = []

    /// - Parameter isFree: by leaf, whether its sum is hidden with a count above 0.
    init(_ lattice: CellLattice, isFree: (Int) -> Bool) {
        self.lattice = lattice
        free = lattice.leaves.filter(isFree)
        let words = (free.count + 63) / 64
        rows = Array(repeating: Array(repeating: 0, count: words), count: lattice.count)
        for (column, leaf) in free.enumerated() {
            for cell in lattice.cells(holding: leaf) { rows[cell][column / 64] |= 1 << UInt64(column % 64) }
        }
    }

    /// The sum of the cell is known.
    mutating func know(_ cell: Int) { _ = insert(rows[cell]) }

    /// Shows the mean of the cell if that says nothing of counts.
    mutating func show(_ cell: Int) -> Bool { insert(rows[cell]) }

    /// Whether the row is independent of those before; it then is one of them.
    private mutating func insert(_ row: [UInt64]) -> Bool {
        var row = row
        for (pivot, other) in basis where row[pivot / 64] >> UInt64(pivot % 64) & 1 == 1 {
            for word in row.indices { row[word] ^= other[word] }
        }
        guard let word = row.firstIndex(where: { $0 != 0 }) else { return false }
        basis.append((word * 64 + row[word].trailingZeroBitCount, row))
        return true
    }
}
