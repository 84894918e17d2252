import TestSupport

/// A random table of typed values, and the CSV that a reader of its sheet must give.
struct RandomSheet {
    enum Kind: CaseIterable { case shared, inline, formula, isoDate, number, boolean, error, formulaWithoutValue }

    struct Value {
        var kind: Kind
        var style = 0
        /// As the sheet has it, before it is written as XML.
        var written: String
        /// As a reader gives it; empty: no value.
        var shown: String
    }

    struct Row {
        var number: Int
        var isHidden: Bool
        var cells: [(column: Int, value: Value)]
    }

    private(set) var rows: [Row] = []
    let is1904: Bool
    private var numbers: RandomNumbers

    init(_ random: inout SplitMix64) {
        is1904 = Int.random(in: 0..<4, using: &random) == 0
        numbers = RandomNumbers(random: random)
        let columns = Int.random(in: 1...7, using: &random)
        let isLong = Int.random(in: 0..<60, using: &random) == 0
        var number = 0
        for _ in 0..<Int.random(in: 0...(isLong ? 90 : 8), using: &random) {
            number += Int.random(in: 0..<6, using: &random) == 0 ? Int.random(in: 1...500, using: &random) : 1
            var row = Row(number: number, isHidden: Int.random(in: 0..<9, using: &random) == 0, cells: [])
            var column = 0
            for _ in 0..<Int.random(in: 0...columns, using: &random) {
                column += Int.random(in: 0..<6, using: &random) == 0 ? Int.random(in: 1...40, using: &random) : 1
                guard Int.random(in: 0..<7, using: &random) > 0 else { continue }
                row.cells.append((column, value(&random)))
            }
            rows.append(row)
        }
    }

    private mutating func value(_ random: inout SplitMix64) -> Value {
        let kind = Kind.allCases.randomElement(using: &random) ?? .number
        switch kind {
        case .shared, .inline, .formula:
            let text = Self.text(&random)
            return Value(kind: kind, written: text, shown: text)
        case .isoDate: return Value(kind: kind, written: "2025-03-09T01:30:00", shown: "2025-03-09T01:30:00")
        case .boolean:
            let isTrue = Bool.random(using: &random), isWord = Int.random(in: 0..<8, using: &random) == 0
            return Value(
                kind: kind, written: isWord ? "\(isTrue)" : isTrue ? "1" : "0", shown: isTrue ? "TRUE" : "FALSE")
        case .error: return Value(kind: kind, written: "#N/A", shown: "")
        case .formulaWithoutValue: return Value(kind: kind, written: "", shown: "")
        case .number:
            let style = Int.random(in: 0..<SheetStyle.all.count, using: &random)
            let (written, shown) = numbers.pair(SheetStyle.all[style].kind, is1904: is1904)
            return Value(kind: kind, style: style, written: written, shown: shown)
        }
    }

    private static let pieces = [
        "a", "Smith & Sons", "<b>", "\"", "'", ",", ";", "\n", "\r", "\r\n", "\t", "é", "漢字", "😀", "\u{301}", "_",
        "__", "_x000D_", "_x0041", "x0041_", "_x+041_", "]]", "]]>", "&amp;", "\u{B}", "\u{1F}", "_xD83D_", " ", "  ",
        "\u{A0}", "0123", "=A1", "N/A", "T-100",
    ]

    private static func text(_ random: inout SplitMix64) -> String {
        let isLong = Int.random(in: 0..<3000, using: &random) == 0
        let count = Int.random(in: 0...(isLong ? 80_000 : 5), using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    /// The records, each with as many fields as the widest of the first 64 has.
    var csv: String { Self.csv(rows.map { $0.cells.map { ($0.column, $0.value.shown) } }) }

    /// Rows as CSV: a row without a value is none.
    static func csv(_ rows: [[(column: Int, shown: String)]]) -> String {
        let filled = rows.map { $0.filter { !$0.shown.isEmpty } }.filter { !$0.isEmpty }
        let width = filled.prefix(64).map { $0.last?.column ?? 0 }.max() ?? 0
        return filled.map { cells in
            var fields = [String](repeating: "", count: max(width, cells.last?.column ?? 0))
            for cell in cells { fields[cell.column - 1] = field(cell.shown) }
            return fields.joined(separator: ",") + "\n"
        }.joined()
    }

    private static func field(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
        // By scalars: a quotation mark and the accent behind it are one character.
        let doubled = text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
        return needsQuotes ? "\"" + doubled + "\"" : text
    }

    /// In the order of the cells.
    var sharedStrings: [String] {
        rows.flatMap { $0.cells.filter { $0.value.kind == .shared }.map(\.value.written) }
    }

    func count(_ kind: Kind) -> Int { rows.reduce(0) { $0 + $1.cells.count { $0.value.kind == kind } } }
}

/// The styles of the cells of random sheets.
struct SheetStyle {
    enum Kind { case general, date, hoursAndMinutes, time, dateAndTime, elapsed, digits }

    /// Of a number format: up to 163 those that every workbook has.
    var format: Int
    var code = ""
    var kind: Kind

    static let all = [
        SheetStyle(format: 0, kind: .general), SheetStyle(format: 14, kind: .date),
        SheetStyle(format: 22, kind: .dateAndTime), SheetStyle(format: 20, kind: .hoursAndMinutes),
        SheetStyle(format: 46, kind: .elapsed), SheetStyle(format: 4, kind: .general),
        SheetStyle(format: 164, code: "yyyy\\-mm\\-dd hh:mm:ss", kind: .dateAndTime),
        SheetStyle(format: 165, code: "[$-409]d\\-mmm\\-yy;@", kind: .date),
        SheetStyle(format: 166, code: "h:mm AM/PM", kind: .hoursAndMinutes),
        SheetStyle(format: 167, code: "[h]:mm:ss", kind: .elapsed),
        SheetStyle(format: 168, code: "00000", kind: .digits),
        SheetStyle(format: 169, code: "#,##0.00 \"m/d\"", kind: .general),
        SheetStyle(format: 170, code: "[Red]m/d/yyyy h:mm", kind: .dateAndTime),
        SheetStyle(format: 171, code: "mm:ss", kind: .time), SheetStyle(format: 0, kind: .general),
    ]
}
