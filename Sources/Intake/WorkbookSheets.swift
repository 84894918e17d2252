import ExportBytes
import Profiles
import Trips

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
    /// The sheet's row that names the columns; nil: none does.
    let headerRow: Int?
    /// Whether its days count from 1904.
    let is1904: Bool
    private let tables: [Table]

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
        /// Records above it.
        let recordsAbove: Int
        let headerRow: Int?

        /// What is compared with the columns of another sheet.
        var columns: [String] {
            header.map { name in
                let key = HeaderName(name).key
                return key.isEmpty ? name : key
            }
        }
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
        let chosen = try Self.withCommonColumns(named.isEmpty ? Self.chosen(tables) : tables, of: workbook, expected)
        let odd =
            chosen.count > 1 && named.isEmpty
            ? workbook.sheets.first { sheet in
                chosen.contains { $0.number == sheet.number } && CancellationColumn.status(of: sheet.name) != nil
            } : nil
        if let odd {
            throw Self.error(
                file,
                "sheet \(odd.number) seems to hold trips that did not take place, by its name, and all sheets of trips are read as one export",
                "name the sheets that are meant: in the profile `sheets: […]`, for `tripkpi map suggest` the option `--sheet`"
            )
        }
        guard let first = chosen.first else {
            throw Self.error(
                file, "none of its sheets has a table", "save it with a header row and a row for each trip")
        }
        guard chosen.allSatisfy({ $0.columns == first.columns }) else {
            let numbers = chosen.map { "\($0.number)" }.joined(separator: ", ")
            throw Self.error(
                file, "its sheets \(numbers) have different columns, and each may hold trips",
                "if only one does, name it, for example sheet \(first.number): in the profile `sheets: [\(first.number)]`, for "
                    + "`tripkpi map suggest` the option `--sheet \(first.number)`; if several do, give them the same columns"
            )
        }
        if named.isEmpty {
            let rest = tables.filter { table in !chosen.contains { $0.number == table.number } }
            try Self.refuseRecordsWithoutHeader(rest, beside: first, file)
            others += rest.map {
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
        self.tables = chosen
        headerRow = first.headerRow
        is1904 = workbook.is1904
        stream = JoinedStream(
            chosen.enumerated().map { place, table in
                PrefixedStream(
                    ahead: place == 0 ? table.head : Array(table.head[table.dataStart...]),
                    rest: ReadAheadStream(table.stream))
            })
    }

    /// A table whose first row is a record of trips continues that of another sheet, without its header.
    private static func refuseRecordsWithoutHeader(
        _ tables: [Table], beside first: Table, _ file: String
    ) throws(ExportError) {
        guard first.holdsTrips,
            let table = tables.first(where: { table in
                abs(table.header.count - first.header.count) <= 1
                    && RecordLine.isOne(table.header.filter { !$0.isEmpty }, columns: table.header.count)
            })
        else { return }
        throw error(
            file,
            "sheet \(table.number) seems to continue the records of sheet \(first.number): it has as many columns, and no row names "
                + "them",
            "copy the header into it, or name the sheets that are read: in the profile `sheets: [\(first.number)]`, for "
                + "`tripkpi map suggest` the option `--sheet \(first.number)`")
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

    /// Those that hold trips, or else all tables; of hidden sheets if no other has such.
    private static func chosen(_ tables: [Table]) -> [Table] {
        let shown = tables.filter { !$0.isHidden }, hidden = tables.filter(\.isHidden)
        let choices = [shown.filter(\.holdsTrips), hidden.filter(\.holdsTrips), shown, hidden]
        return choices.first { !$0.isEmpty } ?? []
    }

    /// Without columns that only some of the sheets have behind all others, such as one of notes, if no field is read from them.
    private static func withCommonColumns(
        _ tables: [Table], of workbook: Workbook, _ expected: Expectation
    ) throws(ExportError) -> [Table] {
        guard let common = tables.min(by: { $0.header.count < $1.header.count }) else { return [] }
        let stated = Set((expected.profile?.columns.values.joined()).map { Array($0) } ?? [])
        let areAlike = tables.allSatisfy { table in
            table.columns.starts(with: common.columns)
                && table.header.dropFirst(common.header.count).allSatisfy { name in
                    let fields =
                        (SynonymTable.standard.meaning(of: name).map { [$0.field] } ?? []) + LooseName.fields(of: name)
                    return fields.allSatisfy(\.isOnlyRemoved) && !stated.contains(name)
                }
        }
        guard areAlike else { return tables }
        var found: [Table] = []
        for table in tables {
            if table.header.count == common.header.count {
                found.append(table)
            } else if let sheet = workbook.sheets.first(where: { $0.number == table.number }),
                let shorter = try Self.table(sheet, of: workbook, expected, mostColumns: common.header.count)
            {
                found.append(shorter)
            }
        }
        return found
    }

    /// Nil: the sheet has no table.
    private static func table(
        _ sheet: Workbook.Sheet, of workbook: Workbook, _ expected: Expectation, mostColumns: Int = .max
    ) throws(ExportError) -> Table? {
        let hasComma = expected.profile?.decimalMark == .comma
        var own = try workbook.stream(of: sheet, hasDecimalComma: hasComma)
        var head = try Self.head(of: own)
        guard expected.hasHeader else {
            return head.rows.isEmpty
                ? nil
                : Table(
                    number: sheet.number, isHidden: sheet.isHidden, holdsTrips: false, stream: own, head: head.text,
                    header: [], dataStart: 0, recordsAbove: 0, headerRow: nil)
        }
        guard let columns = columns(of: head, expected.profile) else { return nil }
        // Again without what is written beside the table: a note is no part of a record.
        own = try workbook.stream(of: sheet, columns: min(columns, mostColumns), hasDecimalComma: hasComma)
        head = try Self.head(of: own)
        let top = TableTop(rows: head.rows.map(\.fields), profile: expected.profile)
        let last = top.header + max(top.unitsRows, (expected.profile?.headerRows ?? 1) - 1)
        guard head.rows.indices.contains(last) else { return nil }
        let header = head.rows[top.header].fields.trimmingBlankEnd()
        let holdsTrips = holdsTrips(header, expected.profile)
        let hasRows = head.rows.count > last + 1 && header.count { !$0.isEmpty } > 1
        guard holdsTrips || hasRows else { return nil }
        return Table(
            number: sheet.number, isHidden: sheet.isHidden, holdsTrips: holdsTrips, stream: own, head: head.text,
            header: header, dataStart: head.rows[last].next, recordsAbove: last + 1,
            headerRow: own.rows.row(ofRecord: top.header))
    }

    private static func head(of stream: SheetStream) throws(ExportError) -> CSVHead {
        var stream: any ByteStream = stream
        let bytes = try stream.take(headBytes)
        return CSVHead(
            head: bytes, isWhole: bytes.count < headBytes, delimiter: UInt8(ascii: ","), hasBackslashQuotes: false)
    }

    /// How many columns the table has: up to the last that has a name. Nil: there is no row that names any.
    private static func columns(of head: CSVHead, _ profile: Profile?) -> Int? {
        let top = TableTop(rows: head.rows.map(\.fields), profile: profile)
        guard head.rows.indices.contains(top.header) else { return nil }
        let count = head.rows[top.header].fields.trimmingBlankEnd().count
        return count > 0 ? count : nil
    }

    /// - Throws: what cannot be read right with this profile: days that count from another year, merged cells.
    func check(_ profile: Profile, _ header: [String], file: String) throws(ExportError) {
        let patterns = profile.datePatterns + profile.datePatternsByField.values.joined()
        if is1904, patterns.contains(where: { $0.number == .serial }) {
            throw Self.error(
                file, "its days count from 1904, and the profile says “serial”, which counts from 1900",
                "write serial-1904")
        }
        if !is1904, patterns.contains(where: { $0.number == .serial1904 }) {
            throw Self.error(
                file, "its days count from 1900, and the profile says “serial-1904”", "write serial")
        }
        try refuseMergedRecords(in: PHIColumnCheck.mappedColumns(of: profile, in: header))
    }

    /// Cells that are merged over several records are an error in these columns.
    private func refuseMergedRecords(in columns: Set<Int>) throws(ExportError) {
        for table in tables { try table.stream.refuseMergedRecords(in: columns, below: table.headerRow ?? 0) }
    }

    /// - Throws: if too many cells of a column that is read have lost their value: as no value they would make every total too low.
    ///
    /// - Parameter records: how many the sheets have.
    func checkLostValues(in uses: [ColumnUse], of records: Int, _ profile: Profile, file: String) throws(ExportError) {
        var lost: [Int: Int] = [:]
        for table in tables { lost.merge(table.stream.remarks.lostValues, uniquingKeysWith: +) }
        let failing = uses.filter { use in
            (lost[use.position ?? 0] ?? 0) * 1_000_000 > records * profile.maximumUnreadablePerMillion
                && !profile.acceptedUnreadable.contains(use.field)
        }
        guard !failing.isEmpty, records >= Self.leastRecords else { return }
        let list = failing.map { "\(lost[$0.position ?? 0] ?? 0) of \($0.field.rawValue)" }.joined(separator: ", ")
        throw ExportError(
            kind: .unreadableValues, file: file,
            problem:
                "cells have a formula without a stored value, or an error such as #REF!: \(list), in \(records) records",
            remedy:
                "open the workbook in a spreadsheet program, look at these columns, and save it, so that values are stored; to load it "
                + "without these values, write “accept_unreadable: [\(failing.map(\.field.rawValue).joined(separator: ", "))]” in the profile"
        )
    }

    /// Fewer show nothing of a column.
    private static let leastRecords = 10

    /// Whether two columns are known, of which one is an id, a date or a time: a summary has neither.
    private static func holdsTrips(_ header: [String], _ profile: Profile?) -> Bool {
        guard let profile, !profile.columns.isEmpty else {
            let known = header.filter { !$0.isEmpty }.compactMap { name in
                SynonymTable.standard.meaning(of: name)?.field
                    ?? LooseName.fields(of: name).first { needed.contains($0) }
            }
            return known.count >= fewestKnownNames && known.contains(where: needed.contains)
        }
        let index = HeaderIndex(header)
        func isThere(_ field: CanonicalField) -> Bool {
            (profile.columns[field] ?? []).contains { index.column(named: $0) != nil }
        }
        let named = Set(profile.columns.values.joined()).count { index.column(named: $0) != nil }
        return named >= fewestKnownNames && needed.contains(where: isThere)
    }

    /// What a trip has, and a summary has not.
    private static let needed = Set(
        TripEvent.allCases.map(\.field) + [.tripID, .legID, .incidentID, .serviceDate, .patientID, .invoiceNumber])

    /// What was odd about the rows. Complete once all is read.
    var remarks: [String] {
        let own = tables.map(\.stream.remarks)
        func total(_ part: (SheetRemarks) -> Int) -> Int { own.reduce(0) { $0 + part($1) } }
        let counts = [
            (
                total(\.formulasWithoutValue), "formula has no stored value; it counts",
                "formulas have no stored value; they count", "as no value"
            ),
            (total(\.errorValues), "cell is an error; it counts", "cells are errors; they count", "as no value"),
            (total(\.hiddenRows), "row is hidden; it is read", "rows are hidden; they are read", "as the others"),
            (
                total(\.cellsBeside), "cell is right of the named columns; it is",
                "cells are right of the named columns; they are", "left out"
            ),
        ]
        return counts.filter { $0.0 > 0 }.map { count, one, several, what in
            "\(count) \(count == 1 ? one : several) \(what)"
        }
    }

    /// Where a record of the export is, once all sheets are read.
    ///
    /// - Parameter number: from 1.
    func row(ofRecord number: Int) -> SheetRow? {
        var index = number - 1
        for table in tables {
            let rows = table.stream.rows, records = rows.count - table.recordsAbove
            if index < records {
                return rows.row(ofRecord: table.recordsAbove + index).map { SheetRow(sheet: table.number, row: $0) }
            }
            index -= records
        }
        return nil
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
