package import ExportBytes
import Profiles
package import Trips

/// Reads single records of a plain export again, by the offsets at which they were met: to compare the versions of a
/// trip exactly, and to subtract the older ones from the tallies.
///
/// In: offsets of records that were decoded before. Out: keys and versions to compare, and batches of trips. It holds
/// the records of one call only.
package final class RecordRereader {
    private let reader: ExportReader
    private let window: RecordWindow
    private let decoder: TripDecoder
    private var spans: SpanFinder
    private let records: UnsafeMutablePointer<Int32>
    private var offsets: [Int] = []
    /// Entries of the window's separators in use.
    private var noted = 0

    /// Most records a call may ask for.
    package static let maximumRecords = TripDecoder.rows
    private static let enoughBytes = 1 << 22

    package init(_ reader: ExportReader) {
        self.reader = reader
        window = RecordWindow(capacity: 1 << 16, lastSeparator: reader.layout.lastSeparator)
        spans = reader.makeSpanFinder()
        decoder = TripDecoder(reader, isRereading: true)
        records = .allocate(capacity: TripDecoder.rows)
        records.initialize(repeating: 0, count: TripDecoder.rows)
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
    package func load(_ wanted: [Int]) throws(ExportError) -> Int {
        window.clearRecords()
        window.count = 0
        window.quotesAreListed = false
        spans.windowChanged()
        noted = 0
        offsets.removeAll(keepingCapacity: true)
        for offset in wanted.prefix(Self.maximumRecords) where window.count < Self.enoughBytes {
            try append(offset)
            offsets.append(offset)
        }
        var broken: Int?
        _ = spans.find(window, from: 0, count: window.recordCount, records: records) { record, _ in
            broken = broken ?? record
        }
        if let broken { throw .changed(reader.name, offset: offsets[broken]) }
        return window.recordCount
    }

    /// What to compare, in the order of the offsets loaded.
    func candidates() -> [VersionCandidate] {
        offsets.indices.map { row in
            if decoder.plan.hasRecordKeys {
                let key = decoder.recordKey(window, row, offset: offsets[row])
                return VersionCandidate(
                    key: Sensitive(key), keyCheck: decoder.hash(of: key, seed: ~decoder.keySeed),
                    version: decoder.version(window, spans.table, row: row), contentHash: window.contentHash(row),
                    offset: offsets[row])
            }
            return VersionCandidate(
                key: Sensitive(decoder.key(window, spans.table, row: row)),
                keyCheck: decoder.keyCheck(window, spans.table, row: row),
                version: decoder.version(window, spans.table, row: row), contentHash: window.contentHash(row),
                offset: offsets[row])
        }
    }

    /// Decodes the loaded records to `batch`.
    ///
    /// - Throws: if one of them is no longer a trip.
    package func decode(into batch: inout TripBatch) throws(ExportError) {
        let rejected = decoder.findings.counts.rejected
        decoder.decode(
            window, spans.table, records: records, count: window.recordCount, fileTag: 0, into: &batch)
        guard decoder.findings.counts.rejected == rejected else { throw .changed(reader.name) }
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
            let next = reader.layout.appendRecord(
                at: start, of: start + length, isAtEnd: isAtEnd, to: window, noted: &noted)
            if let next {
                window.count = next
                return
            }
            if isAtEnd || length > reader.profile.maximumRecordBytes + 2 {
                throw .changed(reader.name, offset: offset)
            }
            chunk = length
        }
    }
}
