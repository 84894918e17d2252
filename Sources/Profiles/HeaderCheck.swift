internal import Trips

/// Whether the first row of a file is a header.
///
/// In a file without one the first row is a person's record, and every "column name" would be PHI. So a row is a
/// header only if nothing in it looks like a value, and one of these holds: its names are known; one is, and most are made of
/// the words column names are made of; or several are words above columns of dates, times and numbers. A person can say
/// that it is one. Only names of a header may be printed.
package struct HeaderCheck: Sendable {
    package let isHeader: Bool
    /// Whether the row after it is a second header row.
    package let hasSecondRow: Bool
    private let printable: [Bool]

    /// - Parameters:
    ///   - rows: some rows that follow; a name that comes again as a value of its column is itself a value.
    ///   - areKeys: the names are keys of JSON records: what their values are proves nothing.
    ///   - isConfirmed: a person says that it is a header.
    package init(
        header: [String], rows: [[String]] = [], areKeys: Bool = false, isConfirmed: Bool = false,
        table: SynonymTable = .standard
    ) {
        let isSure = isConfirmed || Self.isHeader(header, rows: rows, table: table)
        isHeader = isSure || (!areKeys && Self.isAboveValues(header, rows))
        hasSecondRow =
            rows.count > 1 && isHeader
            && Self.isHeader(rows[0], rows: Array(rows.dropFirst()), table: table) && rows[0] != header
            && rows.dropFirst().contains { $0.contains(where: TextShape.isData) }
        let data = hasSecondRow ? rows.dropFirst() : rows[...]
        printable = header.indices.map { [isHeader] index in
            isHeader && Self.isName(header[index]) && !Self.isValue(header[index], of: index, in: data, header)
                && (isSure || Self.areData(index, in: rows) || Self.isKnown(header[index], table))
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

    /// Whether a name is known, or is made of the words that column names are made of.
    private static func isKnown(_ name: String, _ table: SynonymTable) -> Bool {
        let parts = HeaderName(name)
        return table.meaning(of: name) != nil || SuggestedNames.standard.isKnown(parts)
            || parts.words.count(where: headerWords.contains) * 2 >= max(1, parts.words.count)
    }

    /// Whether all names are words, and at least three of them, or two of four, are above values that no word is: dates, times,
    /// numbers. A record has such values itself, or nothing, or a word such as “cancelled”.
    private static func isAboveValues(_ header: [String], _ rows: [[String]]) -> Bool {
        let names = header.map { $0.trimmingBlanks() }
        let named = names.filter { !$0.isEmpty }
        guard rows.count >= 2, named.count * 10 >= header.count * 9, named.allSatisfy(mayBeWords),
            Set(named.map { $0.lowercased() }).count == named.count, !named.contains(where: StandardValues.isStatus)
        else { return false }
        var above = 0
        for (index, name) in names.enumerated() where !name.isEmpty {
            if isValue(header[index], of: index, in: rows[...], header) { return false }
            if TextShape.digitCount(name) == 0, areData(index, in: rows) { above += 1 }
        }
        return above >= 3 || (above == 2 && named.count <= 4)
    }

    private static let mostValues = 50

    /// Whether nearly all of the first values of a column are dates, times or numbers.
    private static func areData(_ index: Int, in rows: [[String]]) -> Bool {
        var values = 0, data = 0
        for row in rows where row.indices.contains(index) && values < mostValues {
            let value = row[index].trimmingBlanks()
            if value.isEmpty || DateDetection.isFiller(value) { continue }
            values += 1
            if TextShape.isData(value) { data += 1 }
        }
        return data >= 2 && data * 10 >= values * 9
    }

    /// Whether a text may be a name of words: no value, no house number, no `Doe, Jane`.
    private static func mayBeWords(_ text: String) -> Bool {
        !TextShape.isData(text) && !DateDetection.isFiller(text) && !text.contains(",") && text.count <= 60
            && text.first.map { !$0.isNumber } ?? false
    }

    /// Whether a name comes again as a value of its column, in a row that is no copy of the header.
    private static func isValue(_ name: String, of index: Int, in rows: ArraySlice<[String]>, _ header: [String])
        -> Bool
    {
        !name.trimmingBlanks().isEmpty
            && rows.contains {
                $0.indices.contains(index) && $0[index] == name && $0 != header && !isHeaderAgain($0, header)
            }
    }

    /// Whether half of a row and more are names of the header, in any order: another header.
    private static func isHeaderAgain(_ row: [String], _ header: [String]) -> Bool {
        let filled = row.filter { !$0.trimmingBlanks().isEmpty }
        let names = Set(header)
        return filled.count > 2 && filled.count(where: names.contains) * 2 > filled.count
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
