/// Finds where the needed fields of a window's records lie, in whatever layout the export has. One worker owns it.
package struct SpanFinder {
    /// The spans found last: row `r` is the `r`th record that is sound.
    package let table: SpanTable
    private let columns: [Int]
    private let fieldCount: Int
    private var parser: JSONRecordParser?
    private let names: [String]
    /// Keys that were met since they were last taken.
    private var newKeys: [NewKey] = []
    private var keysMet = 0
    private var index: JSONBlockIndex
    private var indexEntry = 0
    private var isIndexed = false

    /// A key of JSON that no field is read from, in the first record that has it.
    package struct NewKey: Sendable {
        /// Nested ones are dotted.
        package let name: String
        /// Of the window.
        package let record: Int
        /// The needed names that have no value there.
        package let absent: Set<String>
    }

    /// - Parameters:
    ///   - columns: place of each needed field in a row of CSV.
    ///   - names: of the needed fields; in JSON the keys that lead to each, with dots between them.
    ///   - rows: most records of one call.
    package init(_ layout: RecordLayout, columns: [Int], names: [String], rows: Int) {
        table = SpanTable(slots: names.count, rows: rows)
        self.columns = columns
        self.names = names
        index = JSONBlockIndex(level: layout.scanLevel)
        if case .rows(let dialect) = layout {
            fieldCount = dialect.fieldCount
        } else {
            fieldCount = 0
            parser = JSONRecordParser(
                paths: names.map { $0.split(separator: ".").map(String.init) }, level: layout.scanLevel)
        }
    }

    /// Commas with nothing after them in the records found so far.
    package var trailingCommas: Int { parser?.trailingCommas ?? 0 }

    /// Whether a record had keys that no field is read from and that no record before it had.
    package var hasNewKeys: Bool { !newKeys.isEmpty }

    package mutating func takeNewKeys() -> [NewKey] {
        defer { newKeys.removeAll() }
        return newKeys
    }

    /// The window holds other records from now on.
    package mutating func windowChanged() {
        isIndexed = false
        indexEntry = 0
    }

    /// Finds the fields of `count` records of the window; calls of one window go upwards.
    ///
    /// - Parameters:
    ///   - records: gets the record of each row; it has room for `count`.
    ///   - fault: told the records that are not what they should be; they get no row.
    /// - Returns: the number of rows.
    package mutating func find(
        _ window: RecordWindow, from: Int, count: Int, records: UnsafeMutablePointer<Int32>,
        fault: (_ record: Int, JSONFault) -> Void
    ) -> Int {
        if parser == nil {
            table.gather(window, from: from, count: count, columns: columns, fieldCount: fieldCount)
            for row in 0..<count { records[row] = Int32(truncatingIfNeeded: from &+ row) }
            return count
        }
        if !isIndexed, window.recordCount > 0 {
            index.build(window.bytes, from: window.recordStart(0), to: window.count)
            isIndexed = true
        }
        var rows = 0
        for record in from..<from + count {
            let start = window.recordStart(record)
            let end = window.recordEnd(record)
            indexEntry = index.entry(atOrAfter: start, hint: indexEntry)
            let found = parser?.parse(
                window.bytes, from: start, to: end, entry: indexEntry, index: index, spans: table.spans + rows,
                stride: table.rows)
            indexEntry = parser?.nextEntry ?? indexEntry
            if parser?.unneededKeyCount ?? 0 > keysMet { noteKeys(of: record, row: rows) }
            if let found {
                fault(record, found)
            } else {
                records[rows] = Int32(truncatingIfNeeded: record)
                rows += 1
            }
        }
        return rows
    }

    @inline(never)
    private mutating func noteKeys(of record: Int, row: Int) {
        guard let parser else { return }
        let absent = Set(names.indices.filter { table.column($0)[row] == 0 }.map { names[$0] })
        for name in parser.unneededKeys[keysMet...] {
            newKeys.append(NewKey(name: name, record: record, absent: absent))
        }
        keysMet = parser.unneededKeyCount
    }
}
