package import ExportBytes
package import Profiles
package import Trips

/// The records of an export as texts of some of their columns: for exports whose records are not trips.
///
/// In: a path, how it is written, and the names of the columns to read; no other byte of a record is decoded. Out: the texts,
/// record by record in the order of the file, and a count of what became of every record.
package struct RecordTexts {
    package let name: String
    /// The names that are read, in the order of the texts of a record. A CSV file may lack some of those asked for; a record
    /// of JSON may have any.
    package let columns: [String]
    private let file: ExportFile
    private let layout: RecordLayout
    private let source: (any BlockSource)?
    private let places: [Int]
    private let isCutOff: Bool
    private let around: RowsAroundTable?
    private let rowsBeside: [RowSkipReason]
    private static let blockBytes = 1 << 18

    /// - Parameters:
    ///   - profile: how the export is written.
    ///   - wanted: names of columns, or dotted keys of JSON.
    ///   - mustBeRegular: whether anything but a regular file is refused.
    package init(
        path: String, _ profile: Profile, columns wanted: [String], mustBeRegular: Bool = false
    ) throws(ExportError) {
        let file = try ExportFile(path: path, mustBeRegular: mustBeRegular)
        let opening = try ExportOpening(file: file, profile: profile)
        let request = ExportReader.Request(
            path: path, profile: profile, textNeeds: [], blockBytes: Self.blockBytes)
        let header = try ExportHeader(opening, file: file, request: request)
        self.file = file
        name = file.name
        let layout = header.layout(.best)
        self.layout = layout
        rowsBeside = header.rowsBeside.map(\.reason)
        if case .rows(let dialect) = layout {
            around = RowsAroundTable(
                dialect: dialect, names: header.names, sample: header.profile.hasHeader ? header.sample : [],
                beside: header.rowsBeside)
        } else {
            around = nil
        }
        source =
            header.isEmpty
            ? nil : try header.blocks(of: layout, opening, file: file, blockBytes: Self.blockBytes)
        isCutOff = source == nil || opening.stream != nil ? false : try layout.isCutOff(file)
        let index = HeaderIndex(header.names)
        let isJSON = header.isJSON
        let places = wanted.map { isJSON ? 0 : index.column(named: $0) }
        columns = zip(wanted, places).filter { $1 != nil }.map(\.0)
        self.places = places.compactMap(\.self)
    }

    /// Reads the file to its end.
    ///
    /// - Parameters:
    ///   - limit: parts of a million that may be rejected.
    ///   - take: gets the texts of a record, empty where it has none; says why it rejects the record, if it does.
    /// - Throws: if the file is cut off, has changed, or has more rejected records: nothing of it may be used.
    package func read(
        maximumRejectPerMillion limit: Int, _ take: (Sensitive<[String]>) -> RejectReason?
    ) throws(ExportError) -> ReadFindings {
        var findings = ReadFindings()
        let window = RecordWindow(capacity: Self.blockBytes + (1 << 16), lastSeparator: layout.lastSeparator)
        var spans = SpanFinder(layout, columns: places, names: columns, rows: 1)
        let nextBlock = source?.makeBlockReader() ?? { _ in false }
        let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        place.initialize(to: 0)
        defer { place.deallocate() }
        window.clearRecords()
        while try nextBlock(window) {
            spans.windowChanged()
            findings.add(window, around: around)
            for record in 0..<window.recordCount {
                let number = Int(window.recordNumbers[record])
                let found = spans.find(window, from: record, count: 1, records: place) { _, fault in
                    findings.reject(
                        window, at: window.recordStart(record), recordInBlock: number, reason: fault.rejectReason)
                }
                // The spans lie in the window: they were found in it just now.
                guard found == 1 else { continue }
                let texts = columns.indices.map {
                    FieldSpan(packed: spans.table.column($0)[0]).text(in: window.bytes)
                }
                if let reason = take(Sensitive(texts)) {
                    let position = window.recordStart(record)
                    findings.reject(
                        window, at: position, recordInBlock: number, reason: reason,
                        kind: around?.kind(window, at: position, reason: reason))
                }
            }
            window.clearRecords()
        }
        try file.checkUnchanged()
        guard !isCutOff else {
            throw ExportError(
                kind: .cutOff, file: name, problem: "it ends within a record: it is cut off",
                remedy: "have it sent again")
        }
        findings.settleRowsBelow()
        findings.skipBeside(rowsBeside)
        findings.addAccepted()
        findings.notes += findings.skipNotes
        try findings.check(file: name, maximumRejectPerMillion: limit, hasProfile: true)
        return findings
    }
}
