import ExportBytes
import Keys
import Profiles
import Synchronization
import Trips

/// Makes trips of the records of an export whose records are parts of trips: charge lines, status changes.
///
/// All records of the export are put aside by their trip first (`gather`). Then each trip has one record, which is read as
/// the record of any other export is: `source` is the text of these records. So whatever reads trips knows nothing of their
/// parts, and a trip in a later export replaces the whole trip of an earlier one.
///
/// The records of a trip are taken in the order of the export, and trips in an order of their own: the text is the same for
/// any number of workers.
final class RecordComposer: Sendable {
    /// Of the composed records.
    let plan: ColumnPlan
    let layout: RecordLayout
    /// Where workers get them, once all records are gathered.
    let source: any BlockSource

    private let raw: ColumnPlan
    private let composition: TripComposition
    private let pages: SealedPages
    private let gathered: Gathered
    private let recordKind: RecordKind

    /// Of the records that were put aside. The lock is held for moments only.
    private final class Gathered: Sendable {
        struct State {
            /// By partition, then of each spool.
            var pages: [[Int]] = Array(repeating: [], count: RecordSpool.partitionCount)
            var findings = ReadFindings()
            /// The first record of each composed one, in their order.
            var origins: [RecordPlace] = []
            var remarks = CompositionRemarks()
        }

        let state = Mutex(State())
    }

    /// Nil where every record is a trip by itself.
    ///
    /// - Parameters:
    ///   - raw: of the export as it is.
    ///   - fields: what each slot of the plan holds.
    init?(
        plan raw: ColumnPlan, fields: [CanonicalField?], profile: Profile, file: ExportFile,
        request: ExportReader.Request
    ) {
        guard let slots = raw.composition else { return nil }
        let plan = raw.composed(), gathered = Gathered()
        let pages = SealedPages(
            folder: request.temporaryFolder, pagesInMemory: request.composedBytesInMemory / SealedPages.pageBytes)
        let composition = TripComposition(slots, raw: raw, composed: plan, fields: fields, profile: profile)
        layout = .rows(
            CSVDialect(
                delimiter: UInt8(ascii: ","), fieldCount: plan.slotCount, maximumRecordBytes: 1 << 28,
                scanLevel: request.methods.scan))
        let stream = ComposedText(slotCount: raw.slotCount, composition: composition, pages: pages) { partition in
            gathered.state.withLock { $0.pages[partition] }
        } note: { origins, remarks in
            gathered.state.withLock { state in
                state.origins += origins
                state.remarks = remarks
            }
        }
        source = layout.blocks(
            of: file, textOffset: 0, dataStart: 0, stream: stream, head: [], blockBytes: request.blockBytes)
        self.raw = raw
        self.plan = plan
        self.composition = composition
        self.pages = pages
        self.gathered = gathered
        recordKind = profile.records ?? .versions
    }

    /// Puts all records of the export aside, by their trip.
    func gather(_ reader: ExportReader, workers: Int) throws(ExportError) {
        let spools = try Workers.run(workers) { _ throws(ExportError) in
            var gatherer = RecordGatherer(reader, raw: raw, pages: pages)
            return try gatherer.run()
        }
        gathered.state.withLock { state in
            for (written, findings) in spools {
                for partition in written.indices { state.pages[partition] += written[partition] }
                state.findings.merge(findings)
            }
        }
    }

    /// What became of all records, when the trips have been read too: places are those of the export's own records.
    ///
    /// - Throws: if the records are not what the profile says.
    func findings(of trips: ReadFindings, file: String) throws(ExportError) -> ReadFindings {
        let (all, refusal) = gathered.state.withLock { state in
            let numbers = state.findings
            var all = state.findings
            all.settleRowsBelow()
            all.absorb(trips, origins: state.origins)
            all.note(state.remarks.currencies)
            let number = { (place: RecordPlace) in
                numbers.recordNumbers(of: [(place.block, place.recordInBlock)]).first ?? 0
            }
            all.notes = state.remarks.sentences(recordKind, recordNumber: number)
            let records = numbers.counts.read - numbers.counts.skipped - numbers.counts.rejected
            return (
                all, state.remarks.refusal(recordKind, records: records, file: file, recordNumber: number)
            )
        }
        if let refusal { throw refusal }
        return all
    }
}

/// One worker's part of gathering: it takes block after block of the export and puts its records aside.
private struct RecordGatherer {
    private let raw: ColumnPlan
    private let nextBlock: BlockReader
    private let window: RecordWindow
    private var spans: SpanFinder
    private let filter: RecordFilter?
    private let words: NoValueWords
    private let isJSON: Bool
    private let headerKeys: Set<String>
    private let around: RowsAroundTable?
    private let checksPoints: Bool
    private var spool: RecordSpool
    private var findings = ReadFindings()

    init(_ reader: ExportReader, raw: ColumnPlan, pages: SealedPages) {
        self.raw = raw
        nextBlock = reader.source?.makeBlockReader() ?? { _ in false }
        window = RecordWindow(
            capacity: reader.request.blockBytes + (1 << 16), lastSeparator: reader.layout.lastSeparator)
        spans = SpanFinder(reader.layout, columns: raw.slotColumns, names: raw.slotNames, rows: TripDecoder.rows)
        filter = reader.makeFilter()
        words = NoValueWords(adding: reader.profile.missingWords)
        isJSON = reader.layout.isJSON
        headerKeys = reader.headerKeys
        around = reader.rowsAroundTable
        checksPoints = reader.layout.dialect != nil && reader.checksPoints
        spool = RecordSpool(pages)
        window.clearRecords()
    }

    mutating func run() throws(ExportError) -> (written: [[Int]], findings: ReadFindings) {
        let records = UnsafeMutablePointer<Int32>.allocate(capacity: TripDecoder.rows)
        records.initialize(repeating: 0, count: TripDecoder.rows)
        defer { records.deallocate() }
        while try nextBlock(window) {
            spans.windowChanged()
            findings.add(window, around: around)
            var next = 0
            while next < window.recordCount {
                let count = min(TripDecoder.rows, window.recordCount - next)
                try putAside(from: next, count: count, records)
                next += count
            }
            window.clearRecords()
        }
        try spool.finish()
        return (spool.written, findings)
    }

    private mutating func putAside(
        from first: Int, count: Int, _ records: UnsafeMutablePointer<Int32>
    ) throws(ExportError) {
        let window = window
        var faults: [(record: Int, JSONFault)] = []
        let found = spans.find(window, from: first, count: count, records: records) { faults.append(($0, $1)) }
        if spans.hasNewKeys { findings.note(spans.takeNewKeys(), window) }
        for (record, fault) in faults {
            reject(record, fault.rejectReason)
            findings.countRecords(within: window, record: record, reason: fault.rejectReason, isBare: false)
        }
        let rows = filter?.apply(window.bytes, spans.table, records: records, count: found) ?? found
        findings.skip(found - rows, .filter)
        if let cost = raw.cost, checksPoints {
            for row in 0..<rows where !findings.points.hasFractions {
                findings.points.add(FieldSpan(packed: spans.table.column(cost)[row]), window.bytes)
            }
        }
        for row in 0..<rows {
            let record = Int(records[row])
            let trip = FieldSpan(packed: spans.table.column(raw.tripID)[row])
            // The spans lie in the window: they were found in it just now.
            let tripID = trip.value(in: window.bytes)
            if mayBeHeader(tripID) {
                let position = window.recordStart(record), number = Int(window.recordNumbers[record])
                if case .skipped(let reason) = around?.kind(window, at: position, reason: .missingTripID) {
                    findings.skip(window, at: position, recordInBlock: number, reason)
                    continue
                }
                if isHeader(row: row) { findings.noteOtherHeader(window, at: position, recordInBlock: number) }
            }
            if mayBeOtherHeader(tripID) {
                let position = window.recordStart(record), number = Int(window.recordNumbers[record])
                if around?.kind(window, at: position, reason: .missingTripID) == .otherHeader {
                    findings.noteOtherHeader(window, at: position, recordInBlock: number)
                }
            }
            var key = words.hold(tripID) ? [] : Array(tripID)
            if TripDecoder.isSummary(window.bytes, trip) {
                findings.skip(
                    window, at: window.recordStart(record), recordInBlock: Int(window.recordNumbers[record]), .total)
                continue
            }
            let fault: RejectReason? =
                key.isEmpty ? .missingTripID : TripDecoder.isRounded(window.bytes, trip) ? .roundedTripID : nil
            if let fault {
                reject(record, fault, .tripID)
                if isJSON {
                    let isBare = (0..<raw.slotCount).allSatisfy { spans.table.column($0)[row] == 0 }
                    findings.countRecords(within: window, record: record, reason: fault, isBare: isBare)
                }
                continue
            }
            key.append(0)
            if let leg = raw.legID {
                let legID = FieldSpan(packed: spans.table.column(leg)[row]).value(in: window.bytes)
                if !words.hold(legID) { key += legID }
            }
            let place = RecordPlace(
                block: window.ordinal, recordInBlock: Int(window.recordNumbers[record]),
                byteOffset: window.baseOffset + window.recordStart(record))
            let packed = SpooledRecord.pack(
                window.bytes, spans.table, row: row, slots: raw.slotCount, words: words, place: place)
            try spool.append(packed, to: ComposedText.partition(of: key))
        }
    }

    /// Few ids are names of columns.
    private func mayBeHeader(_ tripID: ArraySlice<UInt8>) -> Bool {
        guard !isJSON, let first = tripID.first, first >= UInt8(ascii: "A"), tripID.count < 40 else { return false }
        return headerKeys.contains(HeaderName(String(decoding: tripID, as: UTF8.self)).key)
    }

    /// Few ids have no digit.
    private func mayBeOtherHeader(_ tripID: ArraySlice<UInt8>) -> Bool {
        !isJSON && (1..<48).contains(tripID.count) && !tripID.contains { (0x30...0x39).contains($0) }
    }

    /// Whether the row is a header with other columns, so that files were joined.
    private func isHeader(row: Int) -> Bool {
        OtherHeader.isOne(window, spans.table, row: row, slotNames: raw.slotNames, headerKeys: headerKeys)
    }

    private mutating func reject(_ record: Int, _ reason: RejectReason, _ field: CanonicalField? = nil) {
        let position = window.recordStart(record)
        findings.reject(
            window, at: position, recordInBlock: Int(window.recordNumbers[record]), field: field, reason: reason,
            kind: around?.kind(window, at: position, reason: reason))
    }
}
