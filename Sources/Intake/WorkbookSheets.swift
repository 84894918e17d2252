import ExportBytes
import Trips

/// The sheets of a workbook that are read as one export, one after the other.
///
/// A sheet without a table, such as one of notes, is left out. Several tables are one export if their headers are the same; of
/// different ones the profile says which are meant. Sheets are named by their number: a name may be a person's.
struct WorkbookSheets: Sendable {
    /// All rows as CSV, with one header.
    let stream: any ByteStream
    /// What is said before the records are read.
    let notes: [String]
    private let sheets: [SheetStream]

    /// The first bytes of a sheet, which show its header.
    private static let headBytes = 1 << 16
    private static let comma = UInt8(ascii: ",")

    private struct Table {
        let number: Int
        let name: String
        let isHidden: Bool
        let stream: SheetStream
        let head: [UInt8]
        let header: [String]
        /// In `head`, where the rows after the header begin.
        let dataStart: Int
    }

    /// - Parameter wanted: names or numbers of sheets; empty: all that hold a table with the same header and are not hidden.
    init(_ workbook: Workbook, file: String, wanted: [String]) throws(ExportError) {
        var tables: [Table] = []
        for (place, sheet) in workbook.sheets.enumerated() {
            let isWanted = wanted.contains(sheet.name) || wanted.contains("\(place + 1)")
            guard wanted.isEmpty || isWanted else { continue }
            let stream = try workbook.stream(of: sheet)
            let head = try Self.head(of: stream)
            guard let (header, dataStart) = Self.header(head) else {
                if isWanted { throw Self.error(file, "sheet \(place + 1) has no table", "name another sheet") }
                continue
            }
            tables.append(
                Table(
                    number: place + 1, name: sheet.name, isHidden: sheet.isHidden, stream: stream, head: head,
                    header: header, dataStart: dataStart))
        }
        let hidden = wanted.isEmpty ? tables.filter(\.isHidden) : []
        if tables.count > hidden.count { tables.removeAll { wanted.isEmpty && $0.isHidden } }
        guard let first = tables.first else {
            throw Self.error(
                file,
                wanted.isEmpty
                    ? "none of its sheets has a table" : "it does not have the sheets that the profile names",
                wanted.isEmpty
                    ? "save it with a header row and a row for each trip" : "give their names or numbers: sheets: [1]")
        }
        guard tables.allSatisfy({ $0.header == first.header }) else {
            let numbers = tables.map { "\($0.number)" }.joined(separator: ", ")
            throw Self.error(
                file, "its sheets \(numbers) hold tables with different columns",
                "name those with trips in the profile, by name or number: sheets: [\(first.number)]")
        }
        var notes = tables.count > 1 ? ["\(tables.count) sheets are read, one after the other"] : []
        let left = workbook.sheets.count - tables.count
        if left > 0 {
            notes.append(
                "\(left) of \(workbook.sheets.count) sheets "
                    + (left == 1 ? "is left out" : "are left out")
                    + (hidden.isEmpty || tables.contains(where: \.isHidden)
                        ? "" : " (hidden ones hold a table: \(hidden.count))"))
        }
        self.notes = notes
        sheets = tables.map(\.stream)
        stream = JoinedStream(
            tables.enumerated().map { place, table in
                PrefixedStream(
                    ahead: place == 0 ? table.head : Array(table.head[table.dataStart...]), rest: table.stream)
            })
    }

    /// What was odd about the rows. Complete once all is read.
    var remarks: [String] {
        let own = sheets.map(\.remarks)
        func total(_ part: (SheetRemarks) -> Int) -> Int { own.reduce(0) { $0 + part($1) } }
        return [
            (
                total(\.formulasWithoutValue), "formula has no stored value", "formulas have no stored value",
                "count as no value"
            ),
            (total(\.errorValues), "cell is an error", "cells are errors", "count as no value"),
            (total(\.hiddenRows), "row is hidden", "rows are hidden", "are read as the others"),
        ].filter { $0.0 > 0 }.map { count, one, several, what in
            count == 1 ? "1 \(one); such cells and rows \(what)" : "\(count) \(several); they \(what)"
        }
    }

    private static func head(of stream: SheetStream) throws(ExportError) -> [UInt8] {
        var stream: any ByteStream = stream
        return try stream.take(headBytes)
    }

    /// The first row with as many filled fields as any of the first rows has; nil: there is no table.
    private static func header(_ head: [UInt8]) -> (names: [String], dataStart: Int)? {
        var best: (names: [String], dataStart: Int, filled: Int)?
        var at = 0, rows = 0
        while rows < 64, at < head.count,
            let (fields, next) = CSVHeader.row(
                head, from: at, isWhole: head.count < headBytes, delimiter: comma)
        {
            let filled = fields.count { !$0.isEmpty }
            if filled > best?.filled ?? 1 { best = (fields, next, filled) }
            rows += 1
            at = next
        }
        return best.flatMap { rows > 1 ? ($0.names, $0.dataStart) : nil }
    }

    private static func error(_ file: String, _ problem: String, _ remedy: String) -> ExportError {
        ExportError(kind: .malformed, file: file, problem: problem, remedy: remedy)
    }
}
