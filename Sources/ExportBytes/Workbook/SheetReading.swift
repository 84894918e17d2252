/// The state of a sheet that is being read.
struct SheetReading: ~Copyable {
    /// The reader of records takes no more.
    private static let mostColumns = 4096
    /// As many rows as a spreadsheet can have.
    private static let mostRows = 1_048_576
    /// Of so many rows the widest says how many fields a record has; of fewer where they are longer than `measuredBytes`.
    private static let measuredRows = 64
    private static let measuredBytes = 1 << 22
    /// More merged cells are not remembered.
    private static let mostMerged = 1 << 20

    private var xml: XMLTokenizer
    private let strings: SharedStrings
    private let formats: NumberFormats
    private(set) var remarks = SheetRemarks()

    private var text = CSVBuffer()
    private var isAtEnd = false
    /// Rows that wait until the number of fields is known.
    private var waiting: [(fields: Int, end: Int)]? = []
    private var width = 0
    /// Cells behind it are left out.
    private let mostFields: Int

    private var row = 0
    private(set) var rows = SheetRows()
    /// The last row that is a record.
    private var lastRow = 0
    /// Merged cells of several rows.
    private var merged: [MergedCells] = []
    var refusedMerges: (columns: Set<Int>, header: Int) = ([], 0)
    /// Fields of the row that are written.
    private var fields = 0
    private var column = 0
    private var cell = Cell()
    private var isInSheetData = false
    private var isInRow = false
    private var isInCell = false
    private var isBehindRows = false

    private struct Cell {
        enum Kind { case number, shared, text, inline, boolean, error, date }
        enum CellPart { case outside, value, formula, inline, pronunciation, inlineText }
        var kind = Kind.number
        var style = 0
        var part = CellPart.outside
        var hasFormula = false
        var hasValue = false
        var isWritten = false
        /// A text that is written in the cell itself, with the runs of several fonts joined.
        var bytes: [UInt8] = []
    }

    init(
        _ sheet: any ByteStream, part: String, file: String, strings: SharedStrings, formats: NumberFormats,
        columns: Int?
    ) {
        xml = XMLTokenizer(sheet, part: part, file: file)
        self.strings = strings
        self.formats = formats
        mostFields = columns ?? .max
        if let columns {
            width = columns
            waiting = nil
        }
    }

    /// - Parameter room: the address of at least `count` bytes that are the caller's to write to.
    mutating func read(into room: UInt, count: Int) throws(ExportError) -> Int {
        guard let target = UnsafeMutablePointer<UInt8>(bitPattern: room) else { return 0 }
        while !isAtEnd, waiting != nil || text.count < count { try step() }
        try checkMerged()
        // `target` has room for `count` bytes.
        return text.take(into: target, count: count)
    }

    /// Reads one tag, text, or plain cell.
    private mutating func step() throws(ExportError) {
        if isInRow, !isInCell {
            var attributes = XMLTokenizer.CellAttributes()
            if let kind = xml.takePlainCell(&attributes) { return try takePlainCell(attributes, kind) }
        }
        switch try xml.next() {
        case .open: try open()
        case .empty: try empty()
        case .close: try close()
        case .text:
            switch cell.part {
            case .value: try takeValue()
            case .inlineText: xml.appendText(to: &cell.bytes)
            case .outside, .formula, .inline, .pronunciation: break
            }
        case .end:
            guard !isInSheetData else { throw xml.fault("it ends within its rows (truncated)") }
            isAtEnd = true
            settleWidth()
        }
    }

    private mutating func takePlainCell(
        _ attributes: XMLTokenizer.CellAttributes, _ kind: XMLTokenizer.PlainValue
    ) throws(ExportError) {
        try beginCell(attributes)
        let isEmpty = xml.text.isEmpty
        switch kind {
        case .value:
            noteText()
            if !isEmpty { try takeValue() }
        case .inlineText:
            cell.hasValue = true
            if !isEmpty { xml.appendText(to: &cell.bytes) }
        }
        try endCell()
    }

    private mutating func open() throws(ExportError) {
        if isBehindRows {
            noteMerged()
        } else if xml.isNamed("c") {
            try beginCell(xml.cellAttributes())
            isInCell = true
        } else if xml.isNamed("v") {
            cell.part = .value
            noteText()
        } else if xml.isNamed("f") {
            cell.part = .formula
            cell.hasFormula = true
        } else if xml.isNamed("is") {
            cell.part = .inline
            cell.hasValue = true
        } else if xml.isNamed("t"), cell.part == .inline {
            cell.part = .inlineText
        } else if xml.isNamed("rPh") {
            cell.part = .pronunciation
        } else if xml.isNamed("row") {
            try beginRow()
            isInRow = true
        } else if xml.isNamed("sheetData") {
            isInSheetData = true
        }
    }

    private mutating func empty() throws(ExportError) {
        if isBehindRows {
            noteMerged()
        } else if xml.isNamed("c") {
            try beginCell(xml.cellAttributes())
        } else if xml.isNamed("v") {
            noteText()
        } else if xml.isNamed("f") {
            cell.hasFormula = true
        } else if xml.isNamed("row") {
            try beginRow()
            endRow()
        } else if xml.isNamed("sheetData") {
            endRows()
        }
    }

    /// A value may be an empty text; an empty number is none.
    private mutating func noteText() {
        if cell.kind == .text { cell.hasValue = true }
    }

    private mutating func close() throws(ExportError) {
        if isBehindRows { return }
        if xml.isNamed("c") {
            try endCell()
        } else if xml.isNamed("v") || xml.isNamed("f") || xml.isNamed("is") {
            cell.part = .outside
        } else if xml.isNamed("t"), cell.part == .inlineText {
            cell.part = .inline
        } else if xml.isNamed("rPh") {
            cell.part = .inline
        } else if xml.isNamed("row") {
            endRow()
        } else if xml.isNamed("sheetData") {
            endRows()
        }
    }

    private mutating func endRows() {
        isInSheetData = false
        isBehindRows = true
        settleWidth()
    }

    private mutating func beginRow() throws(ExportError) {
        guard isInSheetData, !isInRow, !isInCell else { throw xml.fault("it has a row outside its rows") }
        let stated = xml.attribute("r")
        let number = if let stated { xml.number(stated) ?? 0 } else { row + 1 }
        guard number > row, number <= Self.mostRows else { throw xml.fault("its rows are not in order") }
        if let hidden = xml.attribute("hidden"), xml.isTrue(hidden) { remarks.hiddenRows += 1 }
        // A row that is not there is blank, and a blank line is no record.
        row = number
        fields = 0
        column = 0
    }

    private mutating func endRow() {
        isInRow = false
        if fields > 0 {
            lastRow = row
            rows.add(row)
        }
        if waiting != nil {
            if fields > 0 {
                width = max(width, fields)
                waiting?.append((fields: fields, end: text.count))
            }
            if waiting?.count == Self.measuredRows { settleWidth() }
        } else if fields > 0 {
            while fields < width { separate() }
            text.append(UInt8(ascii: "\n"))
        }
    }

    /// Ends the first rows, each with as many fields as the widest has. A row that has begun goes on.
    private mutating func settleWidth() {
        guard let rows = waiting else { return }
        waiting = nil
        let source = text.withBytes { Array($0) }
        text = CSVBuffer()
        var start = 0
        for row in rows {
            source[start..<row.end].withUnsafeBufferPointer { text.append($0) }
            text.append(UInt8(ascii: ","), count: width - row.fields)
            text.append(UInt8(ascii: "\n"))
            start = row.end
        }
        source[start...].withUnsafeBufferPointer { text.append($0) }
    }

    private mutating func separate() {
        if fields > 0 { text.append(UInt8(ascii: ",")) }
        fields += 1
    }

    private mutating func beginCell(_ attributes: XMLTokenizer.CellAttributes) throws(ExportError) {
        guard !isInCell else { throw xml.fault("it has a cell within a cell") }
        let number = if let reference = attributes.reference { try columnNumber(reference) } else { column + 1 }
        guard number > column else { throw xml.fault("its cells are not in order") }
        column = number
        cell.kind = try kind(attributes.type)
        cell.style = 0
        if let style = attributes.style {
            guard let number = xml.number(style) else { throw xml.fault("the style of a cell is no number") }
            cell.style = number
        }
        cell.part = .outside
        cell.hasFormula = false
        cell.hasValue = false
        cell.isWritten = false
        if !cell.bytes.isEmpty { cell.bytes.removeAll(keepingCapacity: true) }
    }

    private func columnNumber(_ reference: Range<Int>) throws(ExportError) -> Int {
        let number = CellReference.column(xml.written(reference)).number
        guard (1...16_384).contains(number) else { throw xml.fault("a cell of it has no column") }
        return number
    }

    /// ECMA-376 part 1, 18.18.11.
    private func kind(_ type: Range<Int>?) throws(ExportError) -> Cell.Kind {
        guard let type else { return .number }
        if type.count == 1 {
            switch xml.bytes[type.lowerBound] {
            case UInt8(ascii: "n"): return .number
            case UInt8(ascii: "s"): return .shared
            case UInt8(ascii: "b"): return .boolean
            case UInt8(ascii: "e"): return .error
            case UInt8(ascii: "d"): return .date
            default: break
            }
        }
        if xml.isWritten("str", at: type) { return .text }
        if xml.isWritten("inlineStr", at: type) { return .inline }
        throw xml.fault("a cell of it has a type that is not known")
    }

    /// Writes the value of a cell; a text is gathered until the cell ends.
    private mutating func takeValue() throws(ExportError) {
        switch cell.kind {
        case .text, .inline, .date:
            cell.hasValue = true
            return xml.appendText(to: &cell.bytes)
        case .error:
            cell.hasValue = true
            remarks.errorValues += 1
            if !xml.isWritten("#N/A", at: xml.value) { remarks.lostValues[column, default: 0] += 1 }
            return
        case .number, .boolean, .shared: break
        }
        let range = xml.value
        guard !range.isEmpty else { return }
        let value = xml.written(range)
        // A program that does not calculate writes 0, and asks that the workbook be calculated when it is opened.
        if cell.hasFormula, formats.mustBeCalculated, xml.isWritten("0", at: range) { return }
        cell.hasValue = true
        guard !value.contains(UInt8(ascii: "&")) else { throw xml.fault("a number of it is written as an entity") }
        switch cell.kind {
        case .boolean:
            let isTrue = try boolean(range)
            if try beginField() { text.append(isTrue ? "TRUE" : "FALSE") }
        case .shared:
            guard let number = xml.number(range), strings.has(number) else {
                throw xml.fault("a cell names a text that the workbook does not have")
            }
            // An empty text is no value, as in the other forms of a text.
            if !strings.isEmpty(number), try beginField() { strings.with(number) { text.appendField($0) } }
        case .number, .text, .inline, .date, .error:
            if try beginField() { formats.append(value, style: cell.style, to: &text) }
        }
    }

    private func boolean(_ range: Range<Int>) throws(ExportError) -> Bool {
        if xml.isWritten("1", at: range) || xml.isWritten("true", at: range) { return true }
        if xml.isWritten("0", at: range) || xml.isWritten("false", at: range) { return false }
        throw xml.fault("a truth value of it is neither true nor false")
    }

    /// - Returns: whether the cell is in a column of the records.
    private mutating func beginField() throws(ExportError) -> Bool {
        guard !cell.isWritten else { throw xml.fault("a value of it is in several parts") }
        cell.isWritten = true
        guard column <= mostFields else {
            remarks.cellsBeside += 1
            return false
        }
        guard column <= Self.mostColumns else {
            throw xml.fault("it has values in more than \(Self.mostColumns) columns; no export has so many")
        }
        while fields < column { separate() }
        return true
    }

    private mutating func endCell() throws(ExportError) {
        isInCell = false
        cell.part = .outside
        if cell.hasFormula, !cell.hasValue {
            remarks.formulasWithoutValue += 1
            remarks.lostValues[column, default: 0] += 1
        }
        if !cell.bytes.isEmpty {
            XMLText.resolveEscapes(in: &cell.bytes, from: 0)
            if try beginField() { cell.bytes.withUnsafeBufferPointer { text.appendField($0) } }
        }
        if waiting != nil, text.count > Self.measuredBytes { settleWidth() }
    }

    // MARK: - Merged cells

    private mutating func noteMerged() {
        guard xml.isNamed("mergeCell"), let range = xml.attribute("ref"), merged.count < Self.mostMerged else { return }
        let cells = MergedCells(UnsafeBufferPointer(rebasing: xml.allBytes[range]))
        if let cells, cells.rows.count > 1 { merged.append(cells) }
    }

    func checkMerged() throws(ExportError) {
        guard isAtEnd, !merged.isEmpty, !refusedMerges.columns.isEmpty else { return }
        // What is merged below the last record is empty.
        let records = refusedMerges.header + 1..<max(refusedMerges.header, lastRow) + 1
        let lost = merged.filter {
            refusedMerges.columns.contains($0.columns.lowerBound - 1) && $0.rows.clamped(to: records).count > 1
        }
        guard let first = lost.first else { return }
        let rows = first.rows.clamped(to: records)
        throw xml.error(
            "column \(first.columns.lowerBound) has merged cells (\(lost.count) of them, the first in rows "
                + "\(rows.lowerBound) to \(rows.upperBound - 1)), of which only the first row has the value",
            "unmerge the cells in a spreadsheet program and fill in their values, or have the export made without merged cells"
        )
    }
}
