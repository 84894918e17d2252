/// Which rows of a sheet are records: blank ones are none.
package struct SheetRows: Sendable {
    /// The first record after each gap, from 0, and its row.
    private var afterGaps: [(record: Int, row: Int)] = []
    package private(set) var count = 0

    package init() {}

    /// - Parameter row: of the next record, from 1; above that of the record before.
    package mutating func add(_ row: Int) {
        if self.row(ofRecord: count) != row { afterGaps.append((count, row)) }
        count += 1
    }

    /// The number of the row that a record is, from 1, or would be if no other gap came before it; nil: there is no record.
    package func row(ofRecord record: Int) -> Int? {
        // The first place that is behind the record.
        var low = 0, high = afterGaps.count
        while low < high {
            let middle = (low + high) / 2
            if afterGaps[middle].record <= record { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        return afterGaps[low - 1].row + record - afterGaps[low - 1].record
    }
}
