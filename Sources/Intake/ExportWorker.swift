package import OutputScan
import Profiles
package import Trips

/// One thread's share of an export: it takes block after block and decodes what lies in it.
package final class ExportWorker {
    private let reader: ExportReader
    private let window: RecordWindow
    private let table: SpanTable
    private let decoder: TripDecoder
    private let records: UnsafeMutablePointer<Int32>
    private var rowScanner: CSVBlockScanner
    private var lineScanner: LineScanner
    private var parser: JSONRecordParser
    private var index = JSONBlockIndex()
    private var indexEntry = 0
    /// The next record of the window to decode.
    private var nextRecord = 0
    private var isExhausted = false

    /// Records met so far, and what became of those that are no trips.
    package private(set) var counts = ReadCounts()
    /// Rejections by reason.
    package private(set) var rejectsByReason: [RejectReason: Int] = [:]
    /// The first rejections this worker met; `numberedRejections` numbers them.
    private var details: [TripDecoder.PendingRejection] = []
    /// Lines inside quoted fields that look like records of their own.
    package private(set) var swallowedLines = 0
    /// The first records with such lines that this worker met; `numberedSwallowings` numbers them.
    private var swallowings: [(block: Int, byteOffset: Int, found: SwallowedLines)] = []
    /// Records by block, to number the rejections of later blocks.
    package private(set) var recordsByBlock: [Int: Int] = [:]

    /// How many rejections are kept in detail; all are counted.
    package static let maximumDetails = 100

    init(_ reader: ExportReader) {
        self.reader = reader
        window = RecordWindow(capacity: reader.request.blockBytes + (1 << 16))
        table = SpanTable(slots: reader.plan.slotCount, rows: TripDecoder.rows)
        window.lastSeparator = reader.lastSeparator
        decoder = TripDecoder(
            plan: reader.plan, profile: reader.profile, filter: reader.filterMachine, zones: reader.zones,
            checksVersions: reader.request.checksVersions, pseudonyms: reader.request.pseudonyms,
            collectsIdentifiers: reader.request.collectsIdentifiers, gatherer: reader.request.gatherer)
        records = .allocate(capacity: TripDecoder.rows)
        records.initialize(repeating: 0, count: TripDecoder.rows)
        rowScanner = CSVBlockScanner(dialect: reader.dialect, blockBytes: reader.request.blockBytes)
        lineScanner = LineScanner(
            maximumRecordBytes: reader.profile.maximumRecordBytes, blockBytes: reader.request.blockBytes)
        parser = JSONRecordParser(paths: reader.plan.slotNames.map { $0.split(separator: ".").map(String.init) })
    }

    deinit { records.deallocate() }

    /// What this worker remembers of identifiers; nil unless the request asked for it.
    package var gatherer: IdentifierGatherer? { decoder.gatherer }

    /// A batch of the right shape for `next`.
    ///
    /// - Parameter hasVersions: whether to note each record's version, which costs a second look at each row.
    package func makeBatch(hasVersions: Bool = false) -> TripBatch {
        TripBatch(capacity: TripDecoder.rows, textFields: reader.plan.text.map(\.field), hasVersions: hasVersions)
    }

    /// The rules' fields by code, as `TripBatch.text` refers to them.
    package var dictionaries: [TextDictionary] { decoder.dictionaries }

    /// Of the trips of the last batch, in its order, if the request asked for them; else there are none.
    package var identifiers: Sensitive<IdentifierBlock> { Sensitive(decoder.identifiers) }

    /// Fills `batch` with the next trips (perhaps none); false at the end of the export.
    package func next(into batch: inout TripBatch) throws(ExportError) -> Bool {
        while nextRecord >= window.recordCount {
            if isExhausted { return false }
            guard try nextBlock() else {
                isExhausted = true
                return false
            }
        }
        let count = min(TripDecoder.rows, window.recordCount - nextRecord)
        let rows = fillSpans(from: nextRecord, count: count)
        nextRecord += count
        let fileTag = reader.request.fileIndex << 48
        counts.skipped += decoder.decode(
            window, table, records: records, count: rows, fileTag: fileTag, into: &batch)
        note(decoder.takeRejections())
        return true
    }

    private func nextBlock() throws(ExportError) -> Bool {
        nextRecord = 0
        window.clearRecords()
        let found =
            switch reader.source {
            case .rowsOfFile(let source): try source.nextBlock(window, &rowScanner)
            case .rowsOfStream(let source): try source.nextBlock(window, &rowScanner)
            case .linesOfFile(let source): try source.nextBlock(window, &lineScanner)
            case .linesOfStream(let source): try source.nextBlock(window, &lineScanner)
            case .elements(let source): try source.nextBlock(window)
            case .nothing: false
            }
        guard found else { return false }
        counts.read += window.recordsMet
        if window.recordsMet > 0 { recordsByBlock[window.ordinal] = window.recordsMet }
        note(
            window.faults.map { fault in
                TripDecoder.PendingRejection(
                    block: window.ordinal, recordInBlock: fault.recordInBlock,
                    byteOffset: window.baseOffset + fault.position, field: nil, reason: fault.reason, shape: nil)
            })
        for found in window.swallowed {
            swallowedLines += found.lines
            swallowings.append((window.ordinal, window.baseOffset + found.position, found))
        }
        if swallowings.count >= 2 * Self.maximumDetails {
            swallowings.sort { $0.byteOffset < $1.byteOffset }
            swallowings.removeLast(swallowings.count - Self.maximumDetails)
        }
        if reader.isJSON, window.recordCount > 0 {
            index.build(window.bytes, from: window.recordStart(0), to: window.count, lines: false)
            indexEntry = 0
        }
        return true
    }

    /// Where the needed fields of `count` records lie; the records that are fit to decode are listed in `records`.
    private func fillSpans(from: Int, count: Int) -> Int {
        guard reader.isJSON else {
            table.gather(
                window, from: from, count: count, columns: reader.plan.slotColumns,
                fieldCount: reader.dialect.fieldCount)
            for row in 0..<count { records[row] = Int32(truncatingIfNeeded: from &+ row) }
            return count
        }
        var rows = 0
        for record in from..<from + count {
            let start = window.recordStart(record)
            let end = window.recordEnd(record)
            indexEntry = index.entry(atOrAfter: start, hint: indexEntry)
            let fault = parser.parse(
                window.bytes, from: start, to: end, entry: indexEntry, index: index, spans: table.spans + rows,
                stride: table.rows)
            if let fault {
                decoder.reject(window, record: record, field: nil, reason: fault.rejectReason, shape: nil)
            } else {
                records[rows] = Int32(truncatingIfNeeded: record)
                rows += 1
            }
        }
        return rows
    }

    private func note(_ rejections: [TripDecoder.PendingRejection]) {
        for rejection in rejections {
            counts.rejected += 1
            rejectsByReason[rejection.reason, default: 0] += 1
            details.append(rejection)
            if details.count >= 2 * Self.maximumDetails { keepFirstDetails() }
        }
    }

    /// Rejections of a block do not come in order; the first by place are kept, whatever the blocks.
    private func keepFirstDetails() {
        details.sort { $0.byteOffset < $1.byteOffset }
        details.removeLast(max(0, details.count - Self.maximumDetails))
    }

    /// The kept rejections with their record numbers, once all workers have finished and their blocks are known.
    package var numberedRejections: @Sendable ([Int: Int]) -> [Rejection] {
        let details = details
        let file = reader.name
        return { recordsByBlock in
            let before = Self.recordsBefore(recordsByBlock)
            return details.map { detail in
                Rejection(
                    file: file, recordNumber: (before[detail.block] ?? 0) + detail.recordInBlock + 1,
                    byteOffset: detail.byteOffset, field: detail.field, reason: detail.reason, shape: detail.shape)
            }
        }
    }

    /// The kept records with swallowed lines, once all workers have finished and their blocks are known.
    package var numberedSwallowings: @Sendable ([Int: Int]) -> [SwallowingRecord] {
        let swallowings = swallowings
        return { recordsByBlock in
            let before = Self.recordsBefore(recordsByBlock)
            return swallowings.map { place in
                SwallowingRecord(
                    recordNumber: (before[place.block] ?? 0) + place.found.recordInBlock + 1,
                    byteOffset: place.byteOffset, lines: place.found.lines)
            }
        }
    }

    /// How many records come before each block.
    private static func recordsBefore(_ recordsByBlock: [Int: Int]) -> [Int: Int] {
        var before: [Int: Int] = [:]
        var total = 0
        for block in recordsByBlock.keys.sorted() {
            before[block] = total
            total += recordsByBlock[block] ?? 0
        }
        return before
    }
}
