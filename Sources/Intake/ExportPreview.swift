package import ExportBytes
package import Profiles
package import Trips

/// A sample of an export's records, spread over all of it: what `map suggest` works from.
///
/// In: a path; no profile is needed. Out: the header and some thousand decoded rows in the order of the file. Every
/// record is found, few are decoded, so it takes one pass at the scanner's speed and memory for the sample only.
package struct ExportPreview: Sendable {
    /// The header, which is a person's record where a file has none, and rows as wide as it.
    package struct Content: Sendable {
        package var header: [String]
        package var rows: [[String]]

        /// Whether it has bytes that its encoding does not have.
        package var hasUnreadableBytes: Bool {
            ([header] + rows).contains { $0.contains { $0.unicodeScalars.contains("\u{FFFD}") } }
        }
    }

    package let name: String
    package let isWorkbook: Bool
    package let format: ExportFormat
    package let encoding: TextEncoding
    /// `gzip` or `zstd`; nil: it is not compressed.
    package let compression: String?
    /// Where the records of a JSON document lie; empty: at the top.
    package let recordsPath: [String]
    /// Whether they are in a list within others that a profile must name, and its name may not be shown.
    package let hidesRecordsPath: Bool
    package let content: Sensitive<Content>
    /// Records that can be read as such.
    package let recordCount: Int
    package let rowCount: Int

    private static let fewestRows = 100
    private static let mostFields = 200_000

    /// - Parameters:
    ///   - minimumRows: at least this many rows are taken if there are so many, at most twice as many; fewer of an export of
    ///     more than 200 columns.
    ///   - sheets: names or numbers of the sheets of a workbook; empty: those that hold trips.
    ///   - encoding: of a text without a byte-order mark; nil: UTF-8, or UTF-16 if it looks so.
    package init(
        path: String, minimumRows: Int = 1000, hasHeader: Bool = true, sheets: [String] = [],
        encoding: TextEncoding? = nil, blockBytes: Int = 1 << 18
    ) throws(ExportError) {
        let file = try ExportFile(path: path)
        let opening = try ExportOpening(
            file: file, profile: nil, encoding: encoding,
            sheets: WorkbookSheets.Expectation(wanted: sheets, hasHeader: hasHeader), opensInnerLists: true)
        // With a profile given, the header need not say what it means: the caller works that out.
        var profile = Profile(source: "preview")
        profile.hasHeader = hasHeader
        // A path that may not be shown need not be: it is found again.
        recordsPath = JSONRecordsPath.usable(opening.recordsPath) ?? []
        hidesRecordsPath = recordsPath.isEmpty && opening.recordsPath.contains { $0.hasSuffix("[]") }
        let request = ExportReader.Request(path: path, profile: profile, textNeeds: [], blockBytes: blockBytes)
        let header = try ExportHeader(opening, file: file, request: request)
        name = file.name
        isWorkbook = opening.sheets != nil
        format = opening.format
        self.encoding = opening.encoding
        compression = opening.compression
        // Of many columns fewer rows: as many as are needed to count values.
        let rows = min(minimumRows, max(Self.fewestRows, Self.mostFields / max(1, header.names.count)))
        var sample = SpreadSample(minimum: rows)
        if !header.isEmpty {
            let layout = header.layout(.best)
            let source = try header.blocks(of: layout, opening, file: file, blockBytes: blockBytes)
            try sample.read(
                source.makeBlockReader(), layout: layout, names: header.names, blockBytes: blockBytes)
        }
        try file.checkUnchanged()
        content = Sensitive(Content(header: header.names, rows: sample.rows))
        recordCount = sample.met
        rowCount = sample.rows.count
    }
}

/// Every n-th of the records of an export of unknown length, thinned out as it goes on.
private struct SpreadSample {
    private(set) var rows: [[String]] = []
    /// Records that are sound, as far as they were decoded.
    private(set) var met = 0
    private var stride = 1
    private let minimum: Int

    init(minimum: Int) {
        self.minimum = max(1, minimum)
    }

    mutating func read(
        _ nextBlock: BlockReader, layout: RecordLayout, names: [String], blockBytes: Int
    ) throws(ExportError) {
        let window = RecordWindow(capacity: blockBytes + (1 << 13), lastSeparator: layout.lastSeparator)
        var spans = SpanFinder(layout, columns: Array(names.indices), names: names, rows: 1)
        let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        place.initialize(to: 0)
        defer { place.deallocate() }
        window.clearRecords()
        while try nextBlock(window) {
            spans.windowChanged()
            for record in 0..<window.recordCount {
                if met % stride != 0 {
                    met += 1
                } else if spans.find(window, from: record, count: 1, records: place, fault: { _, _ in }) == 1 {
                    // The spans lie in the window: they were found in it just now.
                    take(names.indices.map { FieldSpan(packed: spans.table.column($0)[0]).text(in: window.bytes) })
                }
            }
            window.clearRecords()
        }
    }

    private mutating func take(_ row: [String]) {
        rows.append(row)
        met += 1
        guard rows.count > 2 * minimum else { return }
        rows = rows.indices.filter { $0 % 2 == 0 }.map { rows[$0] }
        stride *= 2
    }
}
