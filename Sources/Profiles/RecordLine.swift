import Trips

/// Whether a line that is no row of a table may be a record all the same: of a file with another delimiter that was added below, or
/// in quotes as a whole.
package enum RecordLine {
    private static let leastFields = 3
    /// A text without a blank of more bytes than this is no sentence: text in another encoding looks so.
    private static let longestWord = 120

    /// - Parameters:
    ///   - fields: of the line, as the table's delimiter divides it.
    ///   - columns: of the table.
    package static func isOne(_ fields: [String], columns: Int) -> Bool {
        if fields.contains(where: isGarbled) { return true }
        let texts = fields.count > 1 ? fields + [fields.joined(separator: ",")] : fields
        return texts.contains { text in
            text.utf8.count > leastFields && divisions(text).contains { isRecord($0, columns: columns) }
        }
    }

    /// The fields that each usual delimiter makes of a text.
    private static func divisions(_ text: String) -> [[String]] {
        var divisions: [[String]] = []
        for delimiter: Character in [",", ";", "\t", "|", "^", "~"] where text.contains(delimiter) {
            divisions.append(text.split(separator: delimiter, omittingEmptySubsequences: false).map(bare))
        }
        if text.contains("  ") { divisions.append(text.split(separator: /\s{2,}/).map { bare($0) }) }
        return divisions
    }

    private static func bare(_ text: Substring) -> String {
        String(text).trimmingBlanks().trimmingPrefix("\"").description.trimmingBlanks()
    }

    /// Half of the table's fields or more, a date or time among them, and something else that is data or begins like an id.
    private static func isRecord(_ fields: [String], columns: Int) -> Bool {
        guard fields.count >= leastFields, fields.count * 2 >= columns, let first = fields.first,
            let date = fields.firstIndex(where: TextShape.isDateOrTime)
        else { return false }
        let isAfterID = date > 0 && !first.contains(" ") && TextShape.digitCount(first) > 0
        return isAfterID || fields.indices.contains { $0 != date && TextShape.isData(fields[$0]) }
    }

    /// Whether a row is one of totals, whose words are no values.
    static func isTotal(_ row: [String]) -> Bool {
        let filled = row.map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
        return filled.count * 2 <= row.count && !filled.contains(where: TextShape.isDateOrTime)
            && filled.contains { text in
                let bytes = Array(text.utf8)
                return NoTripID.isTotal(bytes.span) || NoTripID.isAggregate(bytes.span)
            }
    }

    private static func isGarbled(_ text: String) -> Bool {
        text.utf8.count > longestWord && !text.contains(where: \.isWhitespace)
            && text.utf8.contains { $0 >= 0x80 }
    }
}
