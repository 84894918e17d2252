import ExportBytes
import Profiles
import Rules
import Trips

// The first rows of a delimited export.
extension ExportHeader {
    /// Records of the head that show whether rows may end early.
    private static var mostMeasured: Int { 400 }

    func dialect(_ scanLevel: ScanLevel) -> CSVDialect {
        var dialect = CSVDialect(
            delimiter: delimiter, fieldCount: names.count, maximumRecordBytes: profile.maximumRecordBytes,
            lastNameIsBlank: names.last == "", scanLevel: scanLevel)
        dialect.hasBackslashQuotes = hasBackslashQuotes
        dialect.leastFieldCount = leastFieldCount
        dialect.allowsTrailingDelimiter =
            sample.isEmpty
            || sample.contains { $0.count == names.count + 1 && $0.last == "" }
                && !sample.contains { $0.count == names.count }
        return dialect
    }

    mutating func readRows(
        _ opening: ExportOpening, file: ExportFile, request: ExportReader.Request
    ) throws(ExportError) {
        // What is written of a workbook has commas and doubled quotes, whatever its texts look like.
        let isSheet = opening.sheets != nil
        let fixed =
            isSheet ? UInt8(ascii: ",") : request.profile?.delimiter ?? (opening.format == .tsv ? 0x09 : nil)
        let head = CSVHead(
            head: opening.head, isWhole: opening.isWhole, delimiter: fixed,
            hasBackslashQuotes: isSheet ? false : request.profile?.hasBackslashQuotes)
        let top = profile.hasHeader ? TableTop(rows: head.rows.map(\.fields), profile: request.profile) : TableTop()
        let headerRows = (request.profile?.headerRows ?? 1) - 1
        let last = top.header + max(headerRows, top.unitsRows)
        guard head.rows.indices.contains(last) else {
            throw ExportError(
                kind: .malformed, file: file.name, offset: 0,
                problem: opening.head.isEmpty ? "it is empty" : "it has no header row that can be read",
                remedy: "export it again with a header row")
        }
        let header = profile.hasHeader ? head.rows[top.header].fields : Self.numbers(of: head.rows.map(\.fields))
        // Memory and time follow the number of columns: what has more is no export, or its line ends are not found.
        guard header.count <= Self.mostColumns else {
            throw ExportError(
                kind: .malformed, file: file.name, offset: 0,
                problem:
                    "its first row has \(header.count) columns, more than the \(Self.mostColumns) that an export may have",
                remedy: "check its delimiter and its line ends, or export fewer columns")
        }
        names = header
        delimiter = head.delimiter
        hasBackslashQuotes = head.hasBackslashQuotes
        dataStart = profile.hasHeader ? head.rows[last].next : head.rows[0].start
        rowsBeside =
            zip(head.rows, top.above).map { BesideRow(fields: $0.fields, reason: $1) }
            + head.rows[..<(last + 1)].suffix(max(0, top.unitsRows - headerRows))
            .map { BesideRow(fields: $0.fields, reason: .unitsRow) }
        isEmpty = opening.isWhole && dataStart >= opening.head.count
        let records = CSVHead.rows(
            head.text, from: dataStart, isWhole: opening.isWhole, delimiter: delimiter, most: Self.mostMeasured
        ).map(\.fields)
        sample = Array(records.prefix(Self.mostSampled))
        leastFieldCount = names.last == "" ? nil : TrimmedRows.leastFieldCount(records, fieldCount: names.count)
        dialectNotes = notes(head, headerStart: head.rows[top.header].start, opening.sheets?.headerRow)
        try checkThousands(file.name)
        try checkDivision(file.name)
        try checkTablesBeside(file.name)
    }

    /// Names for the columns of a file without a header: their numbers.
    private static func numbers(of rows: [[String]]) -> [String] {
        let counts = Dictionary(grouping: rows.map(\.count)) { $0 }.mapValues(\.count)
        let most = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
        return (0..<(most?.key ?? 0)).map(HeaderIndex.numberName)
    }

    /// - Parameter sheetRow: of a workbook, the row that names the columns.
    private func notes(_ head: CSVHead, headerStart: Int, _ sheetRow: Int?) -> [String] {
        let names: [UInt8: String] = [
            0x3B: "semicolons", 0x09: "tabs", 0x7C: "bars (|)", 0x5E: "carets (^)", 0x7E: "tildes (~)",
        ]
        let delimiter = names[head.delimiter].map { "fields between \($0)" }
        let lines = head.text[..<headerStart].count { $0 == CSVDialect.lineFeed }
        return [
            delimiter, head.statesDelimiter ? "as its sep= line says" : nil,
            head.hasBackslashQuotes ? "quotes written as \\\"" : nil,
            leastFieldCount != nil ? "empty fields at the end of rows left out" : nil,
            !profile.hasHeader
                ? "no header"
                : sheetRow.map { $0 > 1 ? "header in row \($0)" : nil }
                    ?? (headerStart > 0 && lines > 0 ? "header in line \(lines + 1)" : nil),
        ].compactMap { $0 }
    }

    /// - Throws: if the profile names a column by a name that several have.
    func checkRepeatedNames(_ file: String) throws(ExportError) {
        guard !isJSON else { return }
        let index = HeaderIndex(names)
        var uses: [(name: String, what: String)] = CanonicalField.allCases.compactMap { field in
            profile.columns[field]?.first { index.column(named: $0) != nil }.map { ($0, field.rawValue) }
        }
        uses += (profile.dateSource?.columns ?? []).map { ($0, "date") }
        uses += profile.dateColumns.sorted { $0.key.rawValue < $1.key.rawValue }.map {
            ($1, "date of \($0.rawValue)")
        }
        uses += TripInterval.allCases.compactMap { interval in
            profile.statedIntervals[interval].map { ($0.column, "interval \(interval.name)") }
        }
        uses += profile.lookups.map { ($0.column, "lookup") }
        uses += (profile.filter?.fields ?? []).map { ($0, "filter") }
        for (name, what) in uses {
            guard let columns = index.columns(repeating: name) else { continue }
            let list = columns.map { "\($0 + 1)" }.joined(separator: ", ")
            throw ExportError(
                kind: .missingColumns, file: file,
                problem: "columns \(list) have the one name that the profile gives for \(what)",
                remedy:
                    "name the column by its number, for example \"\(HeaderIndex.numberName(columns[0]))\""
            )
        }
    }

    /// - Throws: if the names come again as a whole: a table beside another, whose records would be left out.
    private func checkTablesBeside(_ file: String) throws(ExportError) {
        let named = names.enumerated().map { ($0, $1.trimmingBlanks().lowercased()) }.filter { !$0.1.isEmpty }
        guard profile.hasHeader, let place = Self.secondTable(named.map(\.1), columns: named.map(\.0)) else { return }
        throw ExportError(
            kind: .malformed, file: file, offset: 0,
            problem:
                "it has tables side by side: the names of columns \(named[0].0 + 1) to \(named[place - 1].0 + 1) come again from column "
                + "\(named[place].0 + 1) on",
            remedy: "put one table below the other, or save each as a file of its own")
    }

    /// Where the names of a second table begin: all names come again in the same order, or there is a gap, and what follows it are
    /// names from before it.
    private static func secondTable(_ names: [String], columns: [Int]) -> Int? {
        for length in 2..<max(2, names.count / 2 + 1) where names.count.isMultiple(of: length) {
            if names.indices.allSatisfy({ names[$0] == names[$0 % length] }) { return length }
        }
        return names.indices.dropFirst(2).dropLast().first { place in
            columns[place] > columns[place - 1] + 1 && Set(names[place...]).isSubset(of: names[..<place])
        }
    }

    /// - Throws: if the first row is one field that holds many: no profile can name its columns.
    private func checkDivision(_ file: String) throws(ExportError) {
        let hasOtherLineEnds = names.contains {
            $0.unicodeScalars.contains { $0.value == 0x2028 || $0.value == 0x2029 }
        }
        guard profile.hasHeader, let name = names.first,
            hasOtherLineEnds || names.count == 1 && !sample.isEmpty && sample.allSatisfy({ $0.count == 1 })
        else { return }
        let problem: String, remedy: String
        if hasOtherLineEnds {
            problem = "its lines end with a character (U+2028 or U+2029) that ends no line of a CSV file"
            remedy = "have it exported with usual line ends"
        } else if CSVHeader.delimiters.contains(where: { sign in name.utf8.count { $0 == sign } > 1 }) {
            problem = "each row is in quotes as a whole, so that it is one field"
            remedy = "open it in a spreadsheet or an editor, take these quotes away, and save it as CSV again"
        } else if name.utf8.count(where: { !isOfWord($0) }) > 1, TextShape.digitCount(name) == 0 {
            problem = "its first row is one field: nothing that divides fields is in it"
            remedy = "have it exported with commas, semicolons, tabs or bars (|) between the fields"
        } else {
            return
        }
        throw ExportError(kind: .malformed, file: file, offset: 0, problem: problem, remedy: remedy)
    }

    private func isOfWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80
            || [0x20, 0x5F, 0x2D, 0x2E, 0x28, 0x29].contains(byte)
    }

    /// What the cents of every row may be; other digits that are always the same are another column.
    private static let usualCents: Set<String> = ["00", "25", "50", "75", "90", "95", "99"]

    /// Whether nearly all amounts of a column have a point and two digits in the first records, but for those that an unquoted comma
    /// has divided.
    func hasCents(column: Int) -> Bool {
        var amounts = 0, withCents = 0
        for row in sample where row.indices.contains(column) {
            let amount = row[column].trimmingBlanks(), next = row.indices.contains(column + 1) ? row[column + 1] : ""
            let isDivided =
                amount.wholeMatch(of: /\$?[0-9]{1,3}/) != nil && next.wholeMatch(of: /[0-9]{3}\.[0-9]{2}/) != nil
            if amount.isEmpty || isDivided { continue }
            amounts += 1
            if amount.firstMatch(of: /\.[0-9]{2}$/) != nil { withCents += 1 }
        }
        return amounts > 0 && withCents * 10 >= amounts * 9
    }

    /// - Throws: if an amount is written as `1,234.56` without quotes, and a blank last column hides it.
    private func checkThousands(_ file: String) throws(ExportError) {
        let isBlankName = names.last == "", count = names.count
        let longer = sample.filter { isBlankName ? $0.count == count : $0.count == count + 1 && $0.last == "" }
        // A nameless last column holds something in some rows, and others lack it.
        let isShifted = isBlankName && longer.contains { $0.last != "" } && sample.contains { $0.count == count - 1 }
        guard isShifted || longer.count == sample.count && !longer.isEmpty else { return }
        let divided = (0..<max(0, count - 1)).first { column in
            let parts = longer.map { ($0[column], $0[column + 1]) }
            let isMoney = parts.allSatisfy { first, second in
                first.wholeMatch(of: /[^0-9]{0,5}[0-9]{1,3}/) != nil
                    && second.wholeMatch(of: /(?:[0-9]{3}\.[0-9]{2}|[0-9]{3}|[0-9]{2})[ )]*/) != nil
            }
            guard isMoney else { return false }
            // Two numbers may also be two columns: few rows show it only by the point.
            return parts.allSatisfy { $0.1.contains(".") }
                || longer.count >= Self.enoughRows
                    && (Set(parts.map(\.1)).count > 1 || Self.usualCents.contains(parts[0].1))
        }
        guard isShifted || divided != nil else { return }
        throw ExportError(
            kind: .malformed, file: file, offset: dataStart,
            problem:
                divided.map {
                    "its rows have one field more than the header, as if column \($0 + 1) had unquoted commas"
                }
                ?? "its last column has no name, and only some of its rows have a value there: values have unquoted delimiters",
            remedy: "have it exported with quotes around values that have a comma, or without commas in numbers")
    }
}
