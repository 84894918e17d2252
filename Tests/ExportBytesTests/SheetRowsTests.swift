import ExportBytes
import Testing

@Suite struct SheetRowsTests {
    /// Beside a plain list.
    @Test(arguments: [[], [1], [4], [1, 2, 3], [2, 3, 7, 8, 10, 1000, 1001], Array(stride(from: 1, to: 300, by: 3))])
    func eachRecordHasItsRow(rows: [Int]) {
        var found = SheetRows()
        for row in rows { found.add(row) }
        #expect(found.count == rows.count)
        #expect(rows.indices.map(found.row(ofRecord:)) == rows.map(Optional.some))
        #expect(found.row(ofRecord: -1) == nil)
    }
}
