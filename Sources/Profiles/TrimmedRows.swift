import Trips

/// Whether an exporter has left out empty fields at the end of its rows.
package enum TrimmedRows {
    private static let leastShortRows = 2

    /// How many fields each row has at least; nil: rows have all their fields, or what is short is sooner damaged.
    ///
    /// Where fields are left out, no row ends with an empty one, and all that is there lies in its own column: dates where all others
    /// have dates, numbers where they have numbers. A row that a line break has cut in two does not look so.
    package static func leastFieldCount(_ rows: [[String]], fieldCount: Int) -> Int? {
        let short = rows.filter { $0.count < fieldCount }
        let whole = rows.filter { $0.count == fieldCount }
        guard short.count >= leastShortRows, whole.count >= leastShortRows, short.count + whole.count == rows.count,
            rows.allSatisfy({ $0.last?.trimmingBlanks().isEmpty == false })
        else { return nil }
        let least = short.map(\.count).min() ?? 0
        guard least > 1 else { return nil }
        let columns = (0..<least).filter { column in
            let values = whole.map { $0[column].trimmingBlanks() }.filter { !isNothing($0) }
            return values.count >= leastShortRows && values.count(where: TextShape.isData) * 10 >= values.count * 9
        }
        guard !columns.isEmpty else { return nil }
        let isSound = short.allSatisfy { row in
            let filled = columns.map { row[$0].trimmingBlanks() }.filter { !isNothing($0) }
            return !filled.isEmpty && filled.allSatisfy(TextShape.isData) && !row[0].trimmingBlanks().isEmpty
        }
        return isSound ? least : nil
    }

    private static func isNothing(_ text: String) -> Bool { text.isEmpty || DateDetection.isFiller(text) }
}
