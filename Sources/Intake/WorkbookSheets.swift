import ExportBytes
import Profiles

/// The sheets of a workbook that are read as one export, one after the other: those that the profile names, else those that
/// hold trips.
///
/// A sheet holds trips if the row that names its columns has two of the profile's columns, or without a profile two known
/// names. If no sheet has them, every table counts. What is read must have the same columns; what is left out is said. Sheets
/// are named by their number: a name may be a person's.
struct WorkbookSheets: Sendable {
    /// All rows as CSV, with one header.
    let stream: any ByteStream
    /// What is said before the records are read.
    let notes: [String]
    private let sheets: [SheetStream]

    /// The first bytes of a sheet, which show its header.
    private static let headBytes = 1 << 16
    /// One known name may be a word of a title.
    private static let fewestKnownNames = 2
    private static let mostListed = 8

    /// What is known of the columns before a sheet is opened.
    struct Expectation {
        /// Names or numbers of sheets; empty: those that hold trips.
        var wanted: [String] = []
        /// Nil: known names count.
        var profile: Profile?
        var hasHeader = true
    }

    private struct Table {
        let number: Int
        let isHidden: Bool
        let holdsTrips: Bool
        let stream: SheetStream
        let head: [UInt8]
        /// Without the nameless columns at its end; empty: it has none.
        let header: [String]
        /// In `head`, where the rows after the header begin.
        let dataStart: Int
    }

    init(_ workbook: Workbook, file: String, _ expected: Expectation) throws(ExportError) {
        let named = try Self.sheets(named: expected.wanted, of: workbook, file)
        var tables: [Table] = [], others: [String] = []
        for sheet in workbook.sheets where named.isEmpty || named.contains(sheet) {
            if let table = try Self.table(sheet, of: workbook, expected) {
                tables.append(table)
            } else if named.isEmpty {
                others.append("\(sheet.number) (no table)")
            } else {
                throw Self.error(file, "sheet \(sheet.number) has no table", "name another sheet")
            }
        }
        let chosen = named.isEmpty ? Self.chosen(tables) : tables
        guard let first = chosen.first else {
            throw Self.error(
                file, "none of its sheets has a table", "save it with a header row and a row for each trip")
        }
        guard chosen.allSatisfy({ $0.header == first.header }) else {
            let numbers = chosen.map { "\($0.number)" }.joined(separator: ", ")
            throw Self.error(
                file, "its sheets \(numbers) have different columns, and each may hold trips",
                "name those that do, for example sheet \(first.number): in the profile `sheets: [\(first.number)]`, for "
                    + "`tripkpi map suggest` the option `--sheet \(first.number)`")
        }
        if named.isEmpty {
            others += tables.filter { table in !chosen.contains { $0.number == table.number } }.map {
                "\($0.number) (\($0.isHidden ? "a hidden table" : "a table without the columns of trips"))"
            }
        } else {
            others = workbook.sheets.filter { !named.contains($0) }.map { "\($0.number)" }
        }
        let read = chosen.map { "\($0.number)" }.joined(separator: ", ")
        let listed =
            others.prefix(Self.mostListed).joined(separator: ", ") + (others.count > Self.mostListed ? ", …" : "")
        notes = [
            chosen.count > 1 ? "sheets \(read) are read, one after the other" : nil,
            others.isEmpty
                ? nil : "left out: \(others.count == 1 ? "sheet" : "sheets") \(listed)",
        ].compactMap(\.self)
        sheets = chosen.map(\.stream)
        stream = JoinedStream(
            chosen.enumerated().map { place, table in
                PrefixedStream(
                    ahead: place == 0 ? table.head : Array(table.head[table.dataStart...]), rest: table.stream)
            })
    }

    /// The sheets that are named, each of which must be there. A name goes before a number.
    private static func sheets(
        named wanted: [String], of workbook: Workbook, _ file: String
    ) throws(ExportError) -> [Workbook.Sheet] {
        var found: [Workbook.Sheet] = []
        for (place, name) in wanted.enumerated() {
            guard
                let sheet = workbook.sheets.first(where: { $0.name == name })
                    ?? workbook.sheets.first(where: { "\($0.number)" == name })
            else {
                let numbers = workbook.sheets.map { "\($0.number)" }.joined(separator: ", ")
                throw error(
                    file,
                    "it does not have \(wanted.count == 1 ? "the sheet that is named" : "sheet name \(place + 1) of the \(wanted.count) that are given")",
                    "check the spelling, or give numbers: its sheets of rows are \(numbers)")
            }
            found.append(sheet)
        }
        return found
    }

    /// Of the sheets that are not hidden, or else of the hidden ones: those that hold trips, or else all.
    private static func chosen(_ tables: [Table]) -> [Table] {
        let shown = tables.filter { !$0.isHidden }
        let candidates = shown.isEmpty ? tables : shown
        let withTrips = candidates.filter(\.holdsTrips)
        return withTrips.isEmpty ? candidates : withTrips
    }

    /// Nil: the sheet has no table.
    private static func table(
        _ sheet: Workbook.Sheet, of workbook: Workbook, _ expected: Expectation
    ) throws(ExportError) -> Table? {
        let own = try workbook.stream(of: sheet)
        var stream: any ByteStream = own
        let bytes = try stream.take(headBytes)
        let head = CSVHead(
            head: bytes, isWhole: bytes.count < headBytes, delimiter: UInt8(ascii: ","), hasBackslashQuotes: false)
        func table(holdsTrips: Bool, header: [String], dataStart: Int) -> Table {
            Table(
                number: sheet.number, isHidden: sheet.isHidden, holdsTrips: holdsTrips, stream: own, head: bytes,
                header: header, dataStart: dataStart)
        }
        guard expected.hasHeader else {
            return head.rows.isEmpty ? nil : table(holdsTrips: false, header: [], dataStart: 0)
        }
        let top = TableTop(rows: head.rows.map(\.fields), profile: expected.profile)
        guard head.rows.indices.contains(top.header) else { return nil }
        let last = max(top.header + top.unitsRows, top.header + (expected.profile?.headerRows ?? 1) - 1)
        let header = head.rows[top.header].fields.trimmingBlankEnd()
        let holdsTrips = knownNames(of: header, expected.profile) >= fewestKnownNames
        let hasRows = head.rows.count > last + 1 && header.count { !$0.isEmpty } > 1
        guard holdsTrips || hasRows, head.rows.indices.contains(last) else { return nil }
        return table(holdsTrips: holdsTrips, header: header, dataStart: head.rows[last].next)
    }

    private static func knownNames(of header: [String], _ profile: Profile?) -> Int {
        guard let profile, !profile.columns.isEmpty else {
            return header.count { !$0.isEmpty && SynonymTable.standard.meaning(of: $0) != nil }
        }
        let index = HeaderIndex(header)
        return Set(profile.columns.values.joined()).count { index.column(named: $0) != nil }
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

    private static func error(_ file: String, _ problem: String, _ remedy: String) -> ExportError {
        ExportError(kind: .malformed, file: file, problem: problem, remedy: remedy)
    }
}

extension [String] {
    /// Without the empty texts at its end.
    fileprivate func trimmingBlankEnd() -> [String] {
        Array(self[..<(lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0)])
    }
}
