/// The state of a sheet that is being read.
struct SheetReading: ~Copyable {
    /// The reader of records takes no more.
    private static let mostColumns = 4096
    /// As many rows as a spreadsheet can have.
    private static let mostRows = 1_048_576
    /// Of so many rows the widest says how many fields a record has.
    private static let measuredRows = 64
    /// So many rows are remembered by their number.
    private static let mostFirstRows = 128
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
    /// The numbers of the first rows that are records.
    private(set) var firstRows: [Int] = []
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

    /// Reads one tag or text.
    private mutating func step() throws(ExportError) {
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

    private mutating func open() throws(ExportError) {
        if isBehindRows {
            noteMerged()
        } else if xml.isNamed("c") {
            try beginCell()
        } else if xml.isNamed("v") {
            cell.part = .value
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
        } else if xml.isNamed("sheetData") {
            isInSheetData = true
        }
    }

    private mutating func empty() throws(ExportError) {
        if isBehindRows {
            noteMerged()
        } else if xml.isNamed("c") {
            try beginCell()
        } else if xml.isNamed("f") {
            cell.hasFormula = true
        } else if xml.isNamed("row") {
            try beginRow()
            endRow()
        }
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
            isInSheetData = false
            isBehindRows = true
            settleWidth()
        }
    }

    private mutating func beginRow() throws(ExportError) {
        guard isInSheetData else { throw xml.fault("it has a row outside its rows") }
        let number = xml.number("r") ?? row + 1
        guard number > row, number <= Self.mostRows else { throw xml.fault("its rows are not in order") }
        if let hidden = xml.attribute("hidden"), xml.isTrue(hidden) { remarks.hiddenRows += 1 }
        // A row that is not there is blank, and a blank line is no record.
        row = number
        fields = 0
        column = 0
    }

    private mutating func endRow() {
        if fields > 0 {
            lastRow = row
            if firstRows.count < Self.mostFirstRows { firstRows.append(row) }
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

    /// Ends the first rows, each with as many fields as the widest has.
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
    }

    private mutating func separate() {
        if fields > 0 { text.append(UInt8(ascii: ",")) }
        fields += 1
    }

    private mutating func beginCell() throws(ExportError) {
        let (reference, style, type) = xml.cellAttributes()
        let number = if let reference { try columnNumber(reference) } else { column + 1 }
        guard number > column else { throw xml.fault("its cells are not in order") }
        column = number
        cell.kind = kind(type)
        cell.style = style.flatMap { xml.number($0) } ?? 0
        cell.part = .outside
        cell.hasFormula = false
        cell.hasValue = false
        cell.isWritten = false
        if !cell.bytes.isEmpty { cell.bytes.removeAll(keepingCapacity: true) }
    }

    private func columnNumber(_ reference: Range<Int>) throws(ExportError) -> Int {
        let number = CellReference(UnsafeBufferPointer(rebasing: xml.allBytes[reference])).column
        guard (1...16_384).contains(number) else { throw xml.fault("a cell of it has no column") }
        return number
    }

    private func kind(_ type: Range<Int>?) -> Cell.Kind {
        guard let type, let first = type.first else { return .number }
        switch (xml.bytes[first], type.count) {
        case (UInt8(ascii: "s"), 1): return .shared
        case (UInt8(ascii: "s"), _): return .text
        case (UInt8(ascii: "i"), _): return .inline
        case (UInt8(ascii: "b"), _): return .boolean
        case (UInt8(ascii: "e"), _): return .error
        case (UInt8(ascii: "d"), _): return .date
        default: return .number
        }
    }

    /// Writes the value of a cell; a text is gathered until the cell ends.
    private mutating func takeValue() throws(ExportError) {
        // A program that does not calculate writes 0, and asks that the workbook be calculated when it is opened.
        if cell.hasFormula, formats.mustBeCalculated, xml.written.count == 1, xml.written[0] == UInt8(ascii: "0") {
            return
        }
        cell.hasValue = true
        switch cell.kind {
        case .text, .inline, .date: xml.appendText(to: &cell.bytes)
        case .error: remarks.errorValues += 1
        case .number:
            guard try beginField() else { return }
            formats.append(xml.written, style: cell.style, to: &text)
        case .boolean:
            guard try beginField() else { return }
            if xml.written.first == UInt8(ascii: "0") { text.append("FALSE") } else { text.append("TRUE") }
        case .shared:
            guard try beginField() else { return }
            guard let number = xml.number(xml.text), strings.with(number, { text.appendField($0) }) else {
                throw xml.fault("a cell names a text that the workbook does not have")
            }
        }
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
        cell.part = .outside
        if cell.hasFormula, !cell.hasValue { remarks.formulasWithoutValue += 1 }
        guard !cell.bytes.isEmpty else { return }
        XMLText.resolveEscapes(in: &cell.bytes, from: 0)
        guard try beginField() else { return }
        cell.bytes.withUnsafeBufferPointer { text.appendField($0) }
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
