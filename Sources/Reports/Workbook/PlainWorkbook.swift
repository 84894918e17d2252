/// What accessible workbooks share: a cover that names the sheets, one table a sheet below a title, its notes and the stamp
/// or the promise, and a sheet of notes.
struct PlainWorkbook {
    var title: String
    var isInternal: Bool
    /// What stands on every sheet that may be released.
    var promise: String

    private var standing: String { isInternal ? SummaryReport.internalStamp : promise }

    /// - Parameter facts: sentences about the whole of it.
    func cover(of sheets: [PlainSheet], facts: [String]) -> PlainSheet {
        let count =
            sheets.count == 1
            ? "This workbook has one more worksheet, with one table:"
            : "This workbook has \(sheets.count) more worksheets, each with one table:"
        return PlainSheet(
            name: "Cover", title: title,
            lines: [standing] + facts + [count] + sheets.map { "\($0.name): \($0.title)." })
    }

    func sheet(
        _ name: String, _ title: String, table: String, notes: [any SheetNote], headers: [String],
        rows: [[PlainSheet.Content]]
    ) -> PlainSheet {
        PlainSheet(
            name: name, title: title, lines: lines(notes), tableName: table, headers: headers, rows: rows)
    }

    /// What stands between the title and the table.
    func lines(_ notes: [any SheetNote]) -> [String] {
        let numbers = notes.map { String($0.rawValue) }
        let refers =
            switch numbers.count {
            case 0: ""
            case 1: " Note \(numbers[0]) on the Notes worksheet belongs to it."
            default: " Notes \(numbers.joined(separator: ", ")) on the Notes worksheet belong to it."
            }
        return ["This worksheet contains one table.\(refers)", standing]
    }

    func notes(_ words: [(note: any SheetNote, subject: String, text: String)]) -> PlainSheet {
        sheet(
            "Notes", "What to know before figures are compared or added up", table: "Notes", notes: [],
            headers: ["Note", "Subject", "Text"],
            rows: words.map { [.text("note \($0.note.rawValue)"), .text($0.subject), .text($0.text)] })
    }
}

/// A note of a workbook; its number is its place on the Notes sheet.
protocol SheetNote {
    var rawValue: Int { get }
}

extension SheetNote {
    /// How a header refers to it.
    var mark: String { "[note \(rawValue)]" }
}
