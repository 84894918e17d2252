package import Profiles
package import Trips

/// A sample of an export's records, spread over all of it: what `map suggest` looks at.
///
/// In: a path; no profile is needed. Out: the header and some thousand decoded rows in the order of the file. Every
/// record is found, few are decoded, so it takes one pass at the scanner's speed and memory for the sample only.
package struct ExportPreview: Sendable {
    /// The header, which is a person's record where a file has none, and rows as wide as it.
    package struct Content: Sendable {
        package var header: [String]
        package var rows: [[String]]
    }

    package let name: String
    package let format: ExportFormat
    package let encoding: TextEncoding
    package let isCompressed: Bool
    package let content: Sensitive<Content>
    /// Records that can be read as such.
    package let recordCount: Int
    package let rowCount: Int

    /// - Parameter minimumRows: at least this many rows are taken if there are so many, at most twice as many.
    package init(path: String, minimumRows: Int = 1000, blockBytes: Int = 1 << 18) throws(ExportError) {
        let file = try ExportFile(path: path)
        let opening = try ExportOpening(file: file, profile: nil)
        // With a profile given, the header need not speak for itself: telling what it says is the caller's work.
        let request = ExportReader.Request(
            path: path, profile: Profile(source: "preview"), textNeeds: [], blockBytes: blockBytes)
        let header = try ExportHeader(opening, file: file, request: request)
        name = file.name
        format = opening.format
        encoding = opening.encoding
        isCompressed = opening.isCompressed
        var walk = PreviewWalk(header: header, format: opening.format, blockBytes: blockBytes, minimumRows: minimumRows)
        try walk.run(ExportReader.source(opening, header: header, file: file, request: request))
        try file.checkUnchanged()
        content = Sensitive(Content(header: header.names, rows: walk.sample.rows))
        recordCount = walk.sample.met
        rowCount = walk.sample.rows.count
    }
}

/// Every so-manieth of a row of unknown length, thinned out as it goes on.
private struct SpreadSample {
    private(set) var rows: [[String]] = []
    private(set) var met = 0
    private var stride = 1
    let minimum: Int

    init(minimum: Int) {
        self.minimum = max(1, minimum)
    }

    var wantsNext: Bool { met % stride == 0 }

    mutating func pass() { met += 1 }

    mutating func take(_ row: [String]) {
        rows.append(row)
        met += 1
        guard rows.count > 2 * minimum else { return }
        rows = rows.indices.filter { $0 % 2 == 0 }.map { rows[$0] }
        stride *= 2
    }
}

/// Goes through all blocks of an export and decodes the records that the sample wants.
private struct PreviewWalk {
    private(set) var sample: SpreadSample
    private let window: RecordWindow
    private let table: SpanTable
    private let fieldCount: Int
    /// Places of the fields that every row has.
    private let columns: [Int]
    private let isJSON: Bool
    private var rowScanner: CSVBlockScanner
    private var lineScanner: LineScanner
    private var parser: JSONRecordParser

    init(header: ExportHeader, format: ExportFormat, blockBytes: Int, minimumRows: Int) {
        sample = SpreadSample(minimum: minimumRows)
        window = RecordWindow(capacity: blockBytes + (1 << 13))
        fieldCount = header.names.count
        table = SpanTable(slots: fieldCount, rows: 1)
        isJSON = format == .json || format == .ndjson
        let dialect = CSVDialect(
            delimiter: header.delimiter, fieldCount: fieldCount, lastNameIsBlank: header.names.last == "")
        window.lastSeparator = isJSON ? 0 : max(0, fieldCount - (dialect.lastNameIsBlank ? 2 : 1))
        columns = Array(0..<min(fieldCount, window.lastSeparator + 1))
        rowScanner = CSVBlockScanner(dialect: dialect, blockBytes: blockBytes)
        lineScanner = LineScanner(maximumRecordBytes: dialect.maximumRecordBytes, blockBytes: blockBytes)
        parser = JSONRecordParser(paths: header.names.map { $0.split(separator: ".").map(String.init) })
    }

    mutating func run(_ source: ExportReader.Source) throws(ExportError) {
        window.clearRecords()
        while try nextBlock(source) {
            for record in 0..<window.recordCount {
                guard sample.wantsNext else {
                    sample.pass()
                    continue
                }
                if let row = row(record) { sample.take(row) }
            }
            window.clearRecords()
        }
    }

    private mutating func nextBlock(_ source: ExportReader.Source) throws(ExportError) -> Bool {
        switch source {
        case .rowsOfFile(let source): try source.nextBlock(window, &rowScanner)
        case .rowsOfStream(let source): try source.nextBlock(window, &rowScanner)
        case .linesOfFile(let source): try source.nextBlock(window, &lineScanner)
        case .linesOfStream(let source): try source.nextBlock(window, &lineScanner)
        case .elements(let source): try source.nextBlock(window)
        case .nothing: false
        }
    }

    /// Nil for an element that is not an object.
    private mutating func row(_ record: Int) -> [String]? {
        if isJSON {
            let fault = parser.parse(
                window.bytes, from: window.recordStart(record), to: window.recordEnd(record), spans: table.spans,
                stride: table.rows)
            if fault != nil { return nil }
        } else {
            // The slot of a blank last name is never filled: it stays absent.
            table.gather(window, from: record, count: 1, columns: columns, fieldCount: fieldCount)
        }
        return (0..<fieldCount).map { slot in
            // The span lies in the window: it was made of it just now.
            let span = FieldSpan(packed: table.column(slot)[0])
            return SpanText.text(window.bytes + span.start, span.end - span.start, span.escaping)
        }
    }
}
