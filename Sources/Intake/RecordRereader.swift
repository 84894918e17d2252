import Profiles
package import Trips

/// Reads single records of a plain export again, by the offsets at which they were met: to compare the versions of a
/// trip exactly, and to take the older ones back out.
///
/// In: offsets of records that were decoded before. Out: keys and versions to compare, and batches of trips. It holds
/// the records of one call only.
package final class RecordRereader {
    /// What decides between two records whose keys have one hash.
    package struct Candidate: Sendable {
        /// The exact key; compared, never kept or printed.
        package var key: Sensitive<[UInt8]>
        /// `TripVersionStamp.keyCheck` of the same key, to compare with records that cannot be read again.
        package var keyCheck: UInt64
        package var version: TripVersion
        /// Hash of all bytes of the record: equal records are one version, repeated.
        package var contentHash: UInt64
    }

    private let reader: ExportReader
    private let window: RecordWindow
    private let decoder: TripDecoder
    private let table: SpanTable
    private let records: UnsafeMutablePointer<Int32>
    private let tokenizer: CSVTokenizer
    private var parser: JSONRecordParser
    private var noted = 0

    /// Most records a call may ask for.
    package static let maximumRecords = TripDecoder.rows
    private static let enoughBytes = 1 << 22

    package init(_ reader: ExportReader) {
        self.reader = reader
        window = RecordWindow(capacity: 1 << 16)
        table = SpanTable(slots: reader.plan.slotCount, rows: TripDecoder.rows)
        decoder = TripDecoder(
            plan: reader.plan, profile: reader.profile, filter: nil, zones: reader.zones,
            pseudonyms: reader.request.pseudonyms)
        records = .allocate(capacity: TripDecoder.rows)
        records.initialize(repeating: 0, count: TripDecoder.rows)
        window.lastSeparator = reader.lastSeparator
        tokenizer = CSVTokenizer(delimiter: reader.dialect.delimiter)
        parser = JSONRecordParser(paths: reader.plan.slotNames.map { $0.split(separator: ".").map(String.init) })
    }

    deinit { records.deallocate() }

    package var dictionaries: [TextDictionary] { decoder.dictionaries }

    package func makeBatch() -> TripBatch {
        TripBatch(capacity: TripDecoder.rows, textFields: reader.plan.text.map(\.field))
    }

    /// Loads the records at the first of these offsets of the file: at most `maximumRecords`, and no more than a few
    /// MiB of long ones.
    ///
    /// - Returns: how many, at least one unless there are none.
    package func load(_ offsets: [Int]) throws(ExportError) -> Int {
        window.clearRecords()
        window.count = 0
        window.sawQuote = true
        noted = 0
        for offset in offsets.prefix(Self.maximumRecords) where window.count < Self.enoughBytes { try append(offset) }
        if reader.isJSON {
            for row in 0..<window.recordCount {
                let fault = parser.parse(
                    window.bytes, from: window.recordStart(row), to: window.recordEnd(row), spans: table.spans + row,
                    stride: table.rows)
                if fault != nil { throw changed(offsets[row]) }
            }
        } else {
            table.gather(
                window, from: 0, count: window.recordCount, columns: reader.plan.slotColumns,
                fieldCount: reader.dialect.fieldCount)
        }
        return window.recordCount
    }

    /// What to compare, in the order of the offsets loaded.
    package func candidates() -> [Candidate] {
        (0..<window.recordCount).map { row in
            Candidate(
                key: Sensitive(decoder.key(window, table, row: row)),
                keyCheck: decoder.keyCheck(window, table, row: row),
                version: decoder.version(window, table, row: row),
                contentHash: window.contentHash(row))
        }
    }

    /// Decodes the loaded records with these places (ascending) to `batch`. Spans are used up: load again afterwards.
    ///
    /// - Throws: if one of them is no trip any more.
    package func decode(_ rows: [Int], into batch: inout TripBatch) throws(ExportError) {
        for (index, row) in rows.enumerated() { records[index] = Int32(truncatingIfNeeded: row) }
        table.select(records, count: rows.count)
        _ = decoder.decode(window, table, records: records, count: rows.count, fileTag: 0, into: &batch)
        guard decoder.takeRejections().isEmpty else { throw .changed(reader.name) }
    }

    /// Appends the record at `offset` to the window. It was read before: if it is no record now, the file has changed.
    private func append(_ offset: Int) throws(ExportError) {
        let start = window.count
        var length = 0
        var chunk = 1024
        while true {
            window.reserve(start + length + chunk)
            // The window has room for `chunk` bytes after what was read.
            let got = try reader.file.read(into: window.bytes + start + length, count: chunk, at: offset + length)
            length += got
            let isAtEnd = got < chunk
            if let next = recordEnd(start: start, count: start + length, isAtEnd: isAtEnd) {
                window.count = next
                return
            }
            if isAtEnd || length > reader.profile.maximumRecordBytes + 2 { throw changed(offset) }
            chunk = length
        }
    }

    /// Notes the separators of the record at `start`; where the next byte after it is; nil if it is not whole, or not
    /// one that the first reading can have taken: the window's invariant holds for those only.
    private func recordEnd(start: Int, count: Int, isAtEnd: Bool) -> Int? {
        let separators = window.separators
        var at = noted
        separators[at] = UInt32(truncatingIfNeeded: start) &- 1
        at += 1
        let first = at
        if reader.isJSON {
            guard let end = JSONObjectEnd.find(window.bytes, from: start, to: count) else { return nil }
            separators[at] = UInt32(truncatingIfNeeded: end)
            noted = at + 1
            window.appendRecord(first: first)
            return end
        }
        let outcome = tokenizer.record(window.bytes, count: count, isAtEnd: isAtEnd, start: start) { position in
            separators[at] = UInt32(truncatingIfNeeded: position)
            at += 1
        }
        guard case .complete(let next) = outcome else { return nil }
        // A row may have one field more if it is empty, and one fewer where the header's last name is blank.
        guard (window.lastSeparator + 1...reader.dialect.fieldCount + 1).contains(at - first) else { return nil }
        noted = at
        window.appendRecord(first: first)
        return next
    }

    private func changed(_ offset: Int) -> ExportError {
        .changed(reader.name, offset: offset)
    }
}
