/// The plainest reader of delimited text: one character at a time, for tests.
enum PlainTable {
    static func rows(of text: String, delimiter: Unicode.Scalar) -> [[String]] {
        var rows: [[String]] = [], row: [String] = [], field = String.UnicodeScalarView()
        var isQuoted = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"":
                // A doubled quote closes and opens again; the second one is text.
                if !isQuoted, !field.isEmpty { field.append(scalar) }
                isQuoted.toggle()
            case delimiter where !isQuoted:
                row.append(String(field))
                field = String.UnicodeScalarView()
            case "\n" where !isQuoted:
                rows.append(row + [String(field)])
                row = []
                field = String.UnicodeScalarView()
            default: field.append(scalar)
            }
        }
        return rows
    }
}
