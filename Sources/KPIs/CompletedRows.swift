/// The completed trips of a batch, one after the other, so that no loop over them asks each row whether it is one.
struct CompletedRows: Sendable {
    /// Entries in use of `rows`, `cells` and `parts`.
    var count = 0
    private(set) var rows: [Int32] = []
    private(set) var cells: [Int] = []
    /// Of each row, its cell and sourcing: where its intervals are added up.
    private(set) var parts: [Int] = []

    mutating func reserve(_ capacity: Int) {
        guard rows.count < capacity else { return }
        rows = Array(repeating: 0, count: capacity)
        cells = Array(repeating: 0, count: capacity)
        parts = Array(repeating: 0, count: capacity)
    }

    @inline(__always)
    mutating func append(row: Int, cell: Int, part: Int) {
        rows[count] = Int32(truncatingIfNeeded: row)
        cells[count] = cell
        parts[count] = part
        count &+= 1
    }
}
