import ExportBytes
import Profiles
import Trips

/// Recognises the rows of a delimited export that are no trips and no damaged ones either: the header again, totals, lines of
/// pages, blank rows. It is asked about rejected rows only, so no row that could be a trip is ever skipped.
struct RowsAroundTable: Sendable {
    /// What a rejected row is.
    enum Kind: Equatable {
        case skipped(RowSkipReason)
        /// A header with other columns.
        case otherHeader
        /// It is rejected, unless it belongs to what is below the table: see `ReadFindings.settleRowsBelow`.
        case unknown(OddRow)
    }

    private let dialect: CSVDialect
    private let names: [String]
    private let keys: [String]
    private let known: Set<String>
    private let columns: FirstUse<TableColumns>
    /// The rows above the records that are no header.
    private let beside: [BesideRow]

    /// - Parameters:
    ///   - sample: the first records.
    ///   - beside: the rows above them that are no header.
    init(dialect: CSVDialect, names: [String], sample: [[String]], beside: [BesideRow]) {
        self.dialect = dialect
        // Few exports have a row that must be compared with the columns.
        columns = FirstUse { TableColumns(names: names, sample: sample) }
        self.beside = beside
        self.names = names
        keys = names.map { HeaderName($0).key }
        known = Set(keys)
    }

    /// - Parameters:
    ///   - position: where the row starts in the window; it ends there too.
    ///   - reason: why it is rejected.
    func kind(_ window: RecordWindow, at position: Int, reason: RejectReason) -> Kind? {
        guard reason == .fieldCount || reason == .missingTripID || reason == .noUsableDate || reason == .unknownStatus
        else { return nil }
        var ends: [Int] = []
        let outcome = CSVTokenizer(delimiter: dialect.delimiter).record(
            window.bytes, count: window.count, isAtEnd: true, start: position
        ) { ends.append($0) }
        guard case .complete = outcome else { return nil }
        let fields = CSVHeader.fields(window.bytes, from: position, ends: ends).map { $0.trimmingBlanks() }
        return kind(fields, reason: reason)
    }

    func kind(_ fields: [String], reason: RejectReason) -> Kind {
        let filled = fields.filter { !$0.isEmpty }
        if filled.isEmpty { return .skipped(.blankRow) }
        if let again = beside.first(where: { Self.filled($0.fields) == Self.filled(fields) }) {
            return .skipped(again.reason)
        }
        if let header = header(fields) { return header }
        // A status that is not known does not make a record less of a trip.
        if reason == .unknownStatus { return .unknown(OddRow(fields, isRecord: true, columns: dialect.fieldCount)) }
        let isShort = fields.count < dialect.fieldCount || filled.count <= 2
        let hasDate = filled.contains(where: TextShape.isDateOrTime)
        // A note may begin with the word: then the record has an id, or a date.
        let isTotal =
            Self.isTotal(filled[0]) || NoTripID.isAggregate(Array(filled[0].utf8).span)
            ? isShort || !hasDate || reason == .missingTripID
            : !hasDate && !OddRow.mayBeID(filled[0]) && filled.contains(where: Self.isTotal)
        if isTotal { return .skipped(.total) }
        if filled.count == 1, fields.count == dialect.fieldCount, fields.count > 3, Self.isGroupName(filled[0]) {
            return .skipped(.groupName)
        }
        if filled.count <= 2, isShort, dialect.fieldCount > 2, Self.isPageLine(filled.joined(separator: " ")) {
            return .skipped(.pageLine)
        }
        return .unknown(
            OddRow(fields, isRecord: fields.count == dialect.fieldCount, columns: dialect.fieldCount))
    }

    private static func filled(_ fields: [String]) -> [String] {
        Array(fields.map { $0.trimmingBlanks() }.reversed().drop(while: \.isEmpty))
    }

    private func header(_ fields: [String]) -> Kind? {
        let named = fields.indices.filter { !fields[$0].isEmpty }
        guard named.count > 1 else { return nil }
        let isSame = named.allSatisfy { keys.indices.contains($0) && HeaderName(fields[$0]).key == keys[$0] }
        if isSame { return .skipped(.repeatedHeader) }
        guard named.count > 2 else { return nil }
        if fields.count == dialect.fieldCount {
            return TableColumns.mayBeHeader(fields) && columns.value.isHeader(fields) ? .otherHeader : nil
        }
        let isOther = named.allSatisfy {
            known.contains(HeaderName(fields[$0]).key) || SynonymTable.standard.meaning(of: fields[$0]) != nil
        }
        return isOther ? .otherHeader : nil
    }

    /// A few words without a digit. Capitals without a blank may be an id.
    private static func isGroupName(_ text: String) -> Bool {
        TextShape.digitCount(text) == 0 && text.split(separator: " ").count <= 4 && !text.contains(":")
            && text.contains(where: \.isLetter) && (text.contains(" ") || text.contains(where: \.isLowercase))
    }

    private static func isTotal(_ text: String) -> Bool { NoTripID.isTotal(Array(text.utf8).span) }

    /// `Page 3 of 7`, `Page -1`, `(240 rows affected)`, `240 records`, `Printed on …`, `End of report`.
    static func isPageLine(_ text: String) -> Bool {
        let line = text.lowercased().trimmingBlanks()
        guard line.utf8.count <= 120 else { return false }
        if line.wholeMatch(of: /[-– ]*page:? *-?[0-9]*( *(of|\/) *-?[0-9]+)?[-– .]*/) != nil { return true }
        if line.wholeMatch(of: /\(?[0-9,.]+ +(rows?|records?|trips?|lines?|rides?|results?)( +\w+){0,2}\)?[.!]?/) != nil
        {
            return true
        }
        if line.wholeMatch(of: /(number of |total |)(rows?|records?|trips?|rides?|lines?)( \w+)? *[:=] *[0-9,.]+/)
            != nil
        {
            return true
        }
        if line.wholeMatch(of: /[-=*_~# ]{3,}/) != nil { return true }
        return line.wholeMatch(
            of:
                /[-=*# ]*(end of (the )?(report|file|data|export|list)|(report |data |)?(printed|generated|created|exported|run) (on|by|at|from)\b.*|(run|print|report) date\b.*|confidential\b.*|copyright\b.*|©.*)/
        ) != nil
    }
}

/// The shape of a rejected row, with nothing of its text.
struct OddRow: Sendable, Equatable {
    /// Whether it may be a record, or the start of one: it has a date or begins like an id, or it is as wide as one.
    var mayBeRecord: Bool
    /// How many fields it has, and how many of them hold something.
    var fields: Int
    var filled: Int
    /// Whether all that it holds are words.
    var isOfWords: Bool
    /// Whether it says that rows are missing: a limit, a fault of the program that wrote them.
    var saysRowsAreMissing: Bool

    /// - Parameter columns: of the table.
    init(_ texts: [String], isRecord: Bool, columns: Int) {
        let filled = texts.filter { !$0.isEmpty }
        fields = texts.count
        self.filled = filled.count
        saysRowsAreMissing = filled.count <= 4 && Self.saysRowsAreMissing(filled.joined(separator: " "))
        isOfWords = !filled.contains { TextShape.digitCount($0) > 0 }
        let isLine = filled.count == 1 && filled[0].contains(" ") && filled[0].count > 8
        mayBeRecord =
            filled.contains(where: TextShape.isDateOrTime) || isRecord && !isLine
            || filled.first.map(Self.mayBeID) ?? false || RecordLine.isOne(filled, columns: columns)
    }

    private static func saysRowsAreMissing(_ text: String) -> Bool {
        let line = text.lowercased()
        return line.utf8.count <= 400
            && line.firstMatch(
                of:
                    /limited to|truncated|not shown|more (rows|records|lines|results)|fatal error|ora-[0-9]{5}|time(d)? ?out|exception|aborted|connection (lost|reset)/
            ) != nil
    }

    /// Whether a text is one word with a digit in it.
    static func mayBeID(_ text: String) -> Bool { !text.contains(" ") && TextShape.digitCount(text) > 0 }
}

/// A row above the records of a delimited export that is not its header.
struct BesideRow: Sendable {
    var fields: [String]
    var reason: RowSkipReason
}
