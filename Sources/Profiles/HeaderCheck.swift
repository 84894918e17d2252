/// Whether the first row of a file is a header.
///
/// In a file without one the first row is a person's record, and every "column name" would be PHI. So a row is a
/// header only if its names are known or made of the words column names are made of, and nothing in it looks like a
/// value. Only names of such a row may be printed.
package struct HeaderCheck: Sendable {
    package let isHeader: Bool
    /// Whether the row after it is a second header row.
    package let hasSecondRow: Bool
    private let printable: [Bool]

    /// `rows`: some rows that follow; a name that comes again as a value of its column is itself a value.
    package init(header: [String], rows: [[String]] = [], table: SynonymTable = .standard) {
        isHeader = Self.isHeader(header, rows: rows, table: table)
        hasSecondRow =
            rows.count > 1 && isHeader
            && Self.isHeader(rows[0], rows: Array(rows.dropFirst()), table: table) && rows[0] != header
            && rows.dropFirst().contains { $0.contains(where: TextShape.isData) }
        printable = header.map { [isHeader] name in isHeader && Self.isName(name) }
    }

    /// Whether the name of the column at this index may be shown.
    package func mayPrint(_ index: Int) -> Bool { printable.indices.contains(index) && printable[index] }

    private static func isHeader(_ header: [String], rows: [[String]], table: SynonymTable) -> Bool {
        var named = 0, known = 0, worded = 0, data = 0
        for (index, name) in header.enumerated() where !name.trimmingBlanks().isEmpty {
            named += 1
            if table.meaning(of: name) != nil {
                known += 1
            } else if TextShape.isData(name) && HeaderName(name).element == nil {
                data += 1
            }
            if !Set(HeaderName(name).words).isDisjoint(with: headerWords) { worded += 1 }
            let repeats = rows.contains { $0 != header && $0.indices.contains(index) && $0[index] == name }
            if repeats { data += 1 }
        }
        guard named > 0 else { return false }
        if data > 0 { return known >= 2 && known > data * 3 }
        return known >= 2 || worded * 2 >= named
    }

    private static func isName(_ text: String) -> Bool {
        !TextShape.isData(text) && text.count <= HeaderName.maximumLength
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    private static let headerWords = Set(
        words: """
            id ids number no num name date time at dt dttm datetime type code status address city state zip zipcode
            county phone email dob ssn mrn unit trip leg patient passenger member provider vendor contract invoice
            cost amount miles mileage distance odometer start end pickup dropoff origin destination notes comments
            priority call incident dispatch scene hospital facility region district station battalion area location
            flg flag level service vehicle minutes mins count reason description disposition structure created updated
            gender sex race birth birthdate first last prefix suffix latitude longitude box sequence
            run rec recd received dispatched notified enroute onscene arrived cleared dest amt charges
            borough zone datetime timestamp
            """)
}
