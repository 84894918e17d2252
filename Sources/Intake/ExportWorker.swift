package import ExportBytes
import OutputScan
import Profiles
package import Trips

/// One thread's part of reading an export: it takes block after block and decodes the records in it.
package final class ExportWorker {
    private let reader: ExportReader
    private let nextBlock: BlockReader
    private let window: RecordWindow
    private var spans: SpanFinder
    private let decoder: TripDecoder
    private let records: UnsafeMutablePointer<Int32>
    /// The next record of the window to decode.
    private var nextRecord = 0
    private var isExhausted = false

    init(_ reader: ExportReader) {
        self.reader = reader
        nextBlock = (reader.composer?.source ?? reader.source)?.makeBlockReader() ?? { _ in false }
        window = RecordWindow(
            capacity: reader.request.blockBytes + (1 << 16),
            lastSeparator: (reader.composer?.layout ?? reader.layout).lastSeparator)
        spans = reader.makeSpanFinder()
        decoder = TripDecoder(reader)
        records = .allocate(capacity: TripDecoder.rows)
        records.initialize(repeating: 0, count: TripDecoder.rows)
    }

    deinit { records.deallocate() }

    /// What became of the records so far.
    var findings: ReadFindings {
        var findings = decoder.findings
        findings.trailingCommas = spans.trailingCommas
        findings.note(decoder.regionUse, of: .region)
        findings.note(decoder.tripTypeUse, of: .tripType)
        return findings
    }

    /// What this worker remembers of identifiers; nil unless the request asked for it.
    var gatherer: IdentifierGatherer? { decoder.gatherer }

    /// A batch of the right shape for `next`.
    ///
    /// - Parameters:
    ///   - hasVersions: whether to note each record's version, which takes a second pass over each row.
    ///   - hasTies: whether to note what shows which records nothing ranks.
    package func makeBatch(hasVersions: Bool = false, hasTies: Bool = false) -> TripBatch {
        TripBatch(
            capacity: TripDecoder.rows, textFields: reader.plan.text.map(\.field), hasVersions: hasVersions,
            hasTies: hasTies,
            hasRecordNumbers: reader.request.collectsRecordNumbers)
    }

    /// The rules' fields by code, as `TripBatch.text` refers to them.
    package var dictionaries: [TextDictionary] { decoder.dictionaries }

    /// Of the trips of the last batch, in its order, if the request asked for them; else there are none.
    package var identifiers: Sensitive<IdentifierBlock> { Sensitive(decoder.identifiers) }

    /// Fills `batch` with the next trips (perhaps none); false at the end of the export.
    package func next(into batch: inout TripBatch) throws(ExportError) -> Bool {
        while nextRecord >= window.recordCount {
            if isExhausted { return false }
            nextRecord = 0
            window.clearRecords()
            spans.windowChanged()
            guard try nextBlock(window) else {
                isExhausted = true
                return false
            }
            decoder.findings.add(window, around: decoder.around)
        }
        let count = min(TripDecoder.rows, window.recordCount - nextRecord)
        let rows = spans.find(window, from: nextRecord, count: count, records: records) { record, fault in
            decoder.reject(window, record: record, reason: fault.rejectReason)
        }
        nextRecord += count
        if spans.hasNewKeys { decoder.findings.note(spans.takeNewKeys(), window) }
        decoder.decode(
            window, spans.table, records: records, count: rows, fileTag: reader.request.fileIndex << 48, into: &batch)
        return true
    }
}
