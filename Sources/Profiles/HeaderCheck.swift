/// Whether the first row of a file is a header.
///
/// In a file without one the first row is a person's record, and every "column name" would be PHI. So a row is a
/// header only if its names are known, or one is and most are made of the words column names are made of, and nothing in it
/// looks like a value. Only names of such a row may be printed.
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
        let data = hasSecondRow ? rows.dropFirst() : rows[...]
        printable = header.indices.map { [isHeader] index in
            isHeader && Self.isName(header[index]) && !Self.isValue(header[index], of: index, in: data, header)
        }
    }

    /// Whether the name of the column at this index may be shown.
    package func mayPrint(_ index: Int) -> Bool { printable.indices.contains(index) && printable[index] }

    private static func isHeader(_ header: [String], rows: [[String]], table: SynonymTable) -> Bool {
        var named = 0, known = 0, suggested = 0, worded = 0, data = 0
        for (index, name) in header.enumerated() where !name.trimmingBlanks().isEmpty {
            named += 1
            let parts = HeaderName(name)
            if table.meaning(of: name) != nil {
                known += 1
            } else if TextShape.isData(name) && parts.element == nil {
                data += 1
            } else if SuggestedNames.standard.isKnown(parts) && !StandardValues.isStatus(name) {
                suggested += 1
            }
            if parts.words.count(where: headerWords.contains) * 2 >= parts.words.count { worded += 1 }
            if isValue(name, of: index, in: rows[...], header) { data += 1 }
        }
        guard named > 0 else { return false }
        if data > 0 { return known >= 2 && known > data * 3 }
        if known >= 2 { return true }
        // Half of the names may be of other words if two are known, fewer if one is.
        return known + suggested >= 2 ? worded * 2 >= named : known + suggested == 1 && worded * 2 > named
    }

    /// Whether a name comes again as a value of its column, in a row that is no copy of the header.
    private static func isValue(_ name: String, of index: Int, in rows: ArraySlice<[String]>, _ header: [String])
        -> Bool
    {
        !name.trimmingBlanks().isEmpty
            && rows.contains { $0.indices.contains(index) && $0[index] == name && $0 != header }
    }

    private static func isName(_ text: String) -> Bool {
        !TextShape.isData(text) && text.count <= HeaderName.maximumLength
            && !text.unicodeScalars.contains(where: \.isInvisible)
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
