import ExportBytes
import Keys
import OutputScan
import Profiles
import Rules
import Trips

/// Makes trips of the fields of a few thousand records at a time, column by column.
///
/// A worker owns one; its memory is allocated once. What enters are spans in a window, what leaves are the rows of a
/// `TripBatch` and the rejections; no row leaves any other trace.
final class TripDecoder {
    static let rows = 2048

    let plan: ColumnPlan
    let profile: Profile
    /// Whether records have keys of their own, so that no header names their columns.
    let isJSON: Bool
    let columns: DecodingColumns
    /// Of the rules' fields, in the order of `plan.text`.
    var dictionaries: [TextDictionary]

    var findings = ReadFindings()
    var textColumns: [CodedColumn]
    var statusColumn = CodedColumn()
    var tripTypeColumn = CodedColumn()
    var regionColumn = CodedColumn()
    var regionUse = ListUse()
    var tripTypeUse = ListUse()
    var lookupColumns: [CodedColumn]
    private let filter: RecordFilter?
    /// By `TripEvent.rawValue`.
    var timeReaders: [TimeReader]
    var serviceDateReader: TimeReader
    let updatedAtReader: TimeReader
    let dateParts: DateParts
    let zones: SourceZones
    let keySeed: UInt64
    /// Of all columns of the file.
    let headerKeys: Set<String>
    /// Nil: its records are no rows.
    let around: RowsAroundTable?
    /// Nil: trips are known by hashes that mean something in this process only.
    var pseudonyms: WorkerPseudonyms?
    /// Nil: identifiers are not remembered.
    var gatherer: IdentifierGatherer?
    private let checksVersions: Bool
    let hashesContents: Bool
    /// The words for no value, of the table and of the profile.
    let words: NoValueWords
    /// Whether a point before three digits is in doubt in costs.
    let checksPoints: Bool
    /// Whether a cost with an unquoted comma may have left a row with a right number of fields.
    let mayHideCommas: Bool
    /// Whether the readers of plain amounts and times may decide first: not where a word for no value looks like one.
    let readsPlainly: Bool
    private let collectsIdentifiers: Bool
    /// Of the batch at hand, values that cannot be read.
    var unread: [UnreadCell] = []
    /// Of rows without a date that can be read, the first time that cannot.
    var undatedCells: [Int: UnreadCell] = [:]
    /// Events whose times are dates, as bits.
    let dateEvents: UInt8
    /// Codes of which more places are to be noted, as bits of `DecodingColumns.warnings`.
    var wantedWarnings: UInt32
    /// Of the last batch.
    var identifiers = IdentifierBlock()
    var monthOfDay = MonthCache()
    var versionSegment = ZoneSegment(nil, near: 0)

    deinit { identifiers.wipe(SecretBytes.wipe) }

    /// - Parameter isRereading: whether the records were read before: then none is filtered, and no identifier is kept.
    init(_ reader: ExportReader, isRereading: Bool = false) {
        plan = reader.composer?.plan ?? reader.plan
        profile = reader.profile
        isJSON = reader.layout.isJSON || reader.composer != nil
        headerKeys = reader.headerKeys
        around = isRereading ? nil : reader.rowsAroundTable
        zones = reader.zones
        words = NoValueWords(adding: reader.profile.missingWords)
        readsPlainly = !words.mayBeNumbers
        checksPoints = reader.layout.dialect != nil && reader.composer == nil && reader.checksPoints
        mayHideCommas = reader.composer == nil && reader.mayHideCommas
        checksVersions = reader.request.checksVersions
        hashesContents = reader.request.hashesContents
        gatherer = isRereading ? nil : reader.request.identifiers?.gatherer()
        collectsIdentifiers = !isRereading && reader.request.collectsIdentifiers
        wantedWarnings = !isRereading && reader.request.collectsWarnings ? Self.everyWarning : 0
        // Where records are composed, the composer has filtered them.
        filter = isRereading || reader.composer != nil ? nil : reader.makeFilter()
        dateEvents = reader.dateEvents
        let profile = reader.profile
        columns = DecodingColumns(rows: Self.rows)
        dictionaries = plan.text.map { _ in TextDictionary() }
        textColumns = plan.text.map { _ in CodedColumn() }
        lookupColumns = plan.lookups.map { _ in CodedColumn() }
        let timeReader = { (field: CanonicalField) in TimeReader(profile.timeForms(of: field)) }
        timeReaders = TripEvent.allCases.map { timeReader(profile.records == .events ? .eventAt : $0.field) }
        serviceDateReader = timeReader(.serviceDate)
        updatedAtReader = timeReader(.updatedAt)
        dateParts = DateParts(languages: profile.languages)
        pseudonyms = reader.request.pseudonyms.map {
            WorkerPseudonyms(pseudonymizer: Pseudonymizer(key: $0, source: profile.tripSource))
        }
        regionUse.sign = reader.signOfPersons(in: .region)
        tripTypeUse.sign = reader.signOfPersons(in: .tripType)
        if let zone = zones.tables[0] { versionSegment = ZoneSegment(zone, near: 0) }
        var source = Array(profile.tripSource.utf8)
        let length = source.count
        source += Array(repeating: 0, count: 32)
        keySeed = source.withUnsafeBufferPointer { buffer in
            // 16 bytes can be read beyond `length`: 32 zeros follow it.
            buffer.baseAddress.map { TextHash.of($0, count: length) } ?? TextHash.start
        }
    }

    func reject(
        _ window: RecordWindow, record: Int, field: CanonicalField? = nil, reason: RejectReason, shape: String? = nil
    ) {
        findings.reject(
            window, at: window.recordStart(record), recordInBlock: Int(window.recordNumbers[record]), field: field,
            reason: reason, shape: shape)
        findings.countRecords(within: window, record: record, reason: reason, isBare: false)
    }

    /// Decodes `count` records whose spans are in `table`; row `r` is record `records[r]` of the window. The filter may
    /// change both.
    func decode(
        _ window: RecordWindow, _ table: SpanTable, records: UnsafeMutablePointer<Int32>, count: Int, fileTag: Int,
        into batch: inout TripBatch
    ) {
        let rows = filter?.apply(window.bytes, table, records: records, count: count) ?? count
        findings.skip(count - rows, .filter)
        batch.count = rows
        if collectsIdentifiers { identifiers.wipe(SecretBytes.wipe) }
        guard rows > 0 else { return }
        columns.clear(rows)
        let bytes = UnsafePointer(window.bytes)
        if gatherer != nil { gatherIdentifiers(bytes, table, count: rows) }
        decodeKeys(window, table, records: records, count: rows, fileTag: fileTag, into: &batch)
        if !batch.tieHashes.isEmpty, !plan.hasRecordKeys { decodeTies(bytes, table, count: rows, into: &batch) }
        decodeStatus(bytes, table, count: rows, into: &batch)
        decodeLists(bytes, table, count: rows, into: &batch)
        decodeTimes(bytes, table, count: rows)
        decodeMonths(bytes, table, count: rows, into: &batch)
        decodeIntervals(bytes, table, count: rows, into: &batch)
        decodeAmounts(bytes, table, count: rows, into: &batch)
        decodeText(bytes, table, count: rows, into: &batch)
        if checksVersions { checkVersions(bytes, table, count: rows) }
        if !unread.isEmpty { noteUnread(window, table, records: records) }
        if findings.versionsSeen != .several { noteVersions(bytes, table, count: rows) }
        decodeVersions(window, table, records: records, count: rows, into: &batch)
        decodeRecordNumbers(window, records: records, count: rows, into: &batch)
        if collectsIdentifiers { collectIdentifiers(bytes, table, count: rows) }
        finish(window, table, records: records, count: rows, into: &batch)
    }

    // MARK: - Keys

    private func decodeKeys(
        _ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int, fileTag: Int,
        into batch: inout TripBatch
    ) {
        let bytes = UnsafePointer(window.bytes)
        if plan.hasRecordKeys {
            return decodeRecordKeys(window, table, records: records, count: count, fileTag: fileTag, into: &batch)
        }
        let trips = table.column(plan.tripID)
        let legs = plan.legID.map { table.column($0) }
        let patients = plan.patientID.map { table.column($0) }
        batch.offsets.withUnsafeMutableBufferPointer { offsets in
            guard let first = offsets.baseAddress else { return }
            window.offsets(of: records, count: count, fileTag: fileTag, into: first)
        }
        judgeIDs(bytes, trips, count: count)
        if pseudonyms != nil { return decodePseudonyms(bytes, table, count: count, into: &batch) }
        batch.keyHashes.withUnsafeMutableBufferPointer { hashes in
            for row in 0..<count {
                guard var hash = hash(bytes, FieldSpan(packed: trips[row]), seed: keySeed) else {
                    columns.verdicts[row] = DecodingColumns.code(of: .missingTripID)
                    continue
                }
                if let legs, let leg = self.hash(bytes, FieldSpan(packed: legs[row]), seed: hash) { hash = leg }
                hashes[row] = hash
            }
        }
        decodePatients(bytes, patients, count: count, into: &batch)
    }

    func decodePatients(
        _ bytes: UnsafePointer<UInt8>, _ patients: UnsafeMutablePointer<UInt64>?, count: Int,
        into batch: inout TripBatch
    ) {
        guard let patients else { return }
        batch.patientHashes.withUnsafeMutableBufferPointer { hashes in
            for row in 0..<count {
                let hash = self.hash(bytes, FieldSpan(packed: patients[row]), seed: keySeed)
                hashes[row] = hash.map { max($0, 1) } ?? 0
            }
        }
    }

    /// Takes out the records whose id is not that of a trip: a number that a spreadsheet has rounded, or a word for a total.
    private func judgeIDs(_ bytes: UnsafePointer<UInt8>, _ spans: UnsafePointer<UInt64>, count: Int) {
        for row in 0..<count {
            let span = FieldSpan(packed: spans[row])
            if Self.isRounded(bytes, span) { columns.verdicts[row] = DecodingColumns.code(of: .roundedTripID) }
            if Self.isSummary(bytes, span) { columns.verdicts[row] = DecodingColumns.totalsRow }
        }
    }

    /// See `NoTripID.isRounded`. Nearly all other ids are told by the places where an `E` may be: third to fifth from the end.
    @inline(__always)
    static func isRounded(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> Bool {
        if span.isLiteral { return isOne(bytes, span, NoTripID.isUnclearNumber) }
        guard span.length >= 5 else { return false }
        let e = UInt8(ascii: "E"), end = bytes + span.end
        guard (end[-3] & 0xDF) == e || (end[-4] & 0xDF) == e || (end[-5] & 0xDF) == e else { return false }
        return isOne(bytes, span, NoTripID.isRounded)
    }

    /// Whether an id is that of a row of totals or means.
    @inline(__always)
    static func isSummary(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> Bool {
        isTotal(bytes, span) || isAggregate(bytes, span)
    }

    /// See `NoTripID.isAggregate`. Nearly all other ids end with a digit, or are longer.
    @inline(__always)
    static func isAggregate(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> Bool {
        let length = span.length
        guard length < 15, length > 2, bytes[span.end &- 1] > 0x39, bytes[span.start &+ 2] > 0x40 else { return false }
        return isOne(bytes, span, NoTripID.isAggregate)
    }

    /// See `NoTripID.isTotal`. Nearly all other ids are told by their first two letters and their last one.
    @inline(__always)
    static func isTotal(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> Bool {
        guard span.length >= 5 else { return false }
        switch (bytes[span.start] & 0xDF, bytes[span.start &+ 1] & 0xDF, bytes[span.end &- 1] & 0xDF) {
        case (UInt8(ascii: "T"), UInt8(ascii: "O"), _), (UInt8(ascii: "S"), UInt8(ascii: "U"), _),
            (UInt8(ascii: "G"), UInt8(ascii: "R"), _), (_, _, UInt8(ascii: "L")):
            return isOne(bytes, span, NoTripID.isTotal)
        default: return false
        }
    }

    @inline(never)
    private static func isOne(
        _ bytes: UnsafePointer<UInt8>, _ span: FieldSpan, _ isOne: (Span<UInt8>) -> Bool
    ) -> Bool {
        if span.isEscaped { return isOne(Array(span.value(in: bytes)).span) }
        // The span lies in the window.
        return isOne(UnsafeBufferPointer(start: bytes + span.start, count: span.length).span)
    }

    /// Hash of an id as it is meant: see `identifier`; nil if there is none.
    @inline(__always)
    func hash(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan, seed: UInt64) -> UInt64? {
        let length = span.end &- span.start
        if length == 0 { return nil }
        if !isPlain(bytes, span) { return slowHash(bytes, span, seed: seed) }
        return TextHash.of(bytes + span.start, count: length, seed: seed)
    }

    /// Whether an id is meant as it is written: nothing escaped, nothing to take off its ends, no word for no value. An
    /// empty one is.
    @inline(__always)
    func isPlain(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> Bool {
        if span.end == span.start { return true }
        let first = bytes[span.start], last = bytes[span.end &- 1], length = span.length
        return !span.isEscaped && ValueEdges.arePlain(first, last)
            && !(words.mayBegin(with: first, length: length) && words.hold(bytes + span.start, length: length))
    }

    /// An id as it is meant: unescaped, without what is invisible around it and without the marks of spreadsheets; empty if
    /// it is a word for no value. All hashes and comparisons of ids are made of these bytes.
    func identifier(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan) -> ArraySlice<UInt8> {
        let value = span.value(in: bytes)
        return words.hold(value) ? [] : value
    }

    @inline(never)
    private func slowHash(_ bytes: UnsafePointer<UInt8>, _ span: FieldSpan, seed: UInt64) -> UInt64? {
        let value = identifier(bytes, span)
        if value.isEmpty { return nil }
        // 16 bytes can be read beyond the value: 32 zeros follow it.
        return (Array(value) + Array(repeating: 0, count: 32)).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { TextHash.of($0, count: value.count, seed: seed) }
        }
    }

    // MARK: - End

    /// Turns the verdicts into rejections and takes their rows out.
    private func finish(
        _ window: RecordWindow, _ table: SpanTable, records: UnsafePointer<Int32>, count: Int,
        into batch: inout TripBatch
    ) {
        batch.warnings.withUnsafeMutableBufferPointer { warnings in
            for row in 0..<count { warnings[row] = columns.warnings[row] }
        }
        if wantedWarnings != 0 {
            var met: UInt32 = 0
            for row in 0..<count { met |= columns.warnings[row] }
            if met & wantedWarnings != 0 { noteWarnings(window, table, records: records, count: count, batch) }
        }
        var rejected: [Int] = []
        for row in 0..<count where columns.verdicts[row] != 0 {
            rejected.append(row)
            uncountLists(window.bytes, table, row: row)
            guard columns.verdicts[row] != DecodingColumns.totalsRow else {
                skipTotal(window, record: Int(records[row]))
                continue
            }
            let reason = DecodingColumns.reason(of: columns.verdicts[row])
            var shape: String?
            if reason == .unknownStatus, let slot = plan.status {
                let span = FieldSpan(packed: table.column(slot)[row])
                shape = ValueShape.of(FieldSpan.bytes(window.bytes + span.start, span.length, span.escaping))
            }
            if reason == .noUsableDate, let cell = undatedCells[row] {
                let span = FieldSpan(packed: table.column(cell.slot)[row])
                shape = ValueShape.of(FieldSpan.bytes(window.bytes + span.start, span.length, span.escaping))
            }
            let field: CanonicalField? =
                switch reason {
                case .unknownStatus: .status
                case .noUsableDate: undatedCells[row]?.field
                case .missingTripID, .roundedTripID: .tripID
                default: nil
                }
            rejectRow(
                window, table, row: row, record: Int(records[row]), field: field, reason: reason, shape: shape)
        }
        undatedCells.removeAll(keepingCapacity: true)
        batch.remove(rows: rejected)
    }
}
