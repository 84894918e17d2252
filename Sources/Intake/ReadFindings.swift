import ExportBytes
package import Profiles
package import Trips

/// What workers found in the records of an export, besides the trips. Findings merge in any order.
package struct ReadFindings: Sendable {
    /// How many rejections are kept in detail; all are counted.
    package static let maximumDetails = 100
    /// How many warnings of each code are kept in detail.
    package static let maximumWarningDetails = 20

    package internal(set) var counts = ReadCounts()
    package internal(set) var rejectsByReason: [RejectReason: Int] = [:]
    /// Lines inside quoted fields that look like records of their own.
    package private(set) var swallowedLines = 0
    /// What is odd about the records though they count, a sentence each.
    package var notes: [String] = []
    /// Of composed trips: where the first record of each lies, and which blocks of composed records there were.
    private var composed: (origins: [RecordPlace], recordsByBlock: [Int: Int])?
    /// Of the columns of regions and trip types.
    package private(set) var listUse: [CanonicalField: ListUse] = [:]
    /// Of the columns of times, money and miles, and of texts.
    var values: [CanonicalField: ColumnValues] = [:]
    /// How many costs state each currency.
    private(set) var currencies: [Currency: Int] = [:]
    /// Distances over the limit.
    var implausibleMiles = 0
    /// Rows that are no trips, by why.
    package private(set) var skipsByReason: [RowSkipReason: Int] = [:]
    /// Of JSON: commas with nothing after them.
    var trailingCommas = 0
    /// Of a workbook.
    var sheets: WorkbookSheets?
    /// Rejected and skipped rows, to settle what lies below the table: see `settleRowsBelow`.
    var oddRows: [BlockRecord<OddRowOutcome>] = []
    /// Of all costs.
    var costs = StatedCosts()
    /// Of the costs of a delimited export.
    var points = PointBeforeThree()
    /// Records whose code is that of mileage.
    var mileageLines = 0
    private(set) var intervals: [TripInterval: IntervalCounts] = [:]
    private(set) var statedIntervals: [TripInterval: StatedIntervalValues] = [:]
    var times = TimeFindings()
    /// Of JSON: records within rejected ones: see `countRecords`.
    var recordsWithin = 0
    /// Of JSON: see `LaterKeys`.
    var unreadKeys: [String: BlockRecord<UnreadKey>] = [:]
    private var recordsByBlock: [Int: Int] = [:]
    /// Whether a line below the records says that rows are missing.
    var saysRowsAreMissing = false
    /// Headers with other columns in the middle of the export.
    var versionsSeen = VersionsSeen.none
    private(set) var otherHeaders: [BlockRecord<RejectedRecord>] = []
    private var firstRejections: [BlockRecord<RejectedRecord>] = []
    private var firstSwallowings: [BlockRecord<SwallowingRecord>] = []
    private var firstWarnings: [WarningCode: [BlockRecord<WarnedRecord>]] = [:]

    /// A record whose number is not known yet: blocks before its own may still be read.
    struct BlockRecord<Remark: Sendable>: Sendable {
        var block: Int
        var recordInBlock: Int
        var byteOffset: Int
        var remark: Remark
    }

    package init() {}

    /// Notes the records of a block, and those that its scan rejected.
    ///
    /// - Parameter around: what rows of a delimited export are beside its records.
    mutating func add(_ window: RecordWindow, around: RowsAroundTable? = nil) {
        counts.read += window.recordsMet
        if window.recordsMet > 0 { recordsByBlock[window.ordinal] = window.recordsMet }
        for fault in window.faults {
            let kind = fault.isAfterBrokenQuote ? nil : around?.kind(window, at: fault.position, reason: fault.reason)
            reject(window, at: fault.position, recordInBlock: fault.recordInBlock, reason: fault.reason, kind: kind)
        }
        for found in window.swallowed {
            swallowedLines += found.lines
            let offset = window.baseOffset + found.position
            Self.keep(
                BlockRecord(
                    block: window.ordinal, recordInBlock: found.recordInBlock, byteOffset: offset,
                    remark: SwallowingRecord(recordNumber: 0, byteOffset: offset, lines: found.lines)),
                in: &firstSwallowings)
        }
    }

    /// Notes a record of the window that is not a trip.
    ///
    /// - Parameter kind: what it is beside the records; nil: that was not asked.
    mutating func reject(
        _ window: RecordWindow, at position: Int, recordInBlock: Int, field: CanonicalField? = nil,
        reason: RejectReason, shape: String? = nil, kind: RowsAroundTable.Kind? = nil
    ) {
        switch kind {
        case .skipped(let skip): return self.skip(window, at: position, recordInBlock: recordInBlock, skip)
        case .otherHeader: noteOtherHeader(window, at: position, recordInBlock: recordInBlock)
        case .unknown(let row): note(.rejected(row, reason), window, at: position, recordInBlock: recordInBlock)
        case nil: break
        }
        counts.rejected += 1
        rejectsByReason[reason, default: 0] += 1
        let offset = window.baseOffset + position
        let rejected = RejectedRecord(recordNumber: 0, byteOffset: offset, field: field, code: reason, shape: shape)
        Self.keep(
            BlockRecord(
                block: window.ordinal, recordInBlock: recordInBlock, byteOffset: offset, remark: rejected),
            in: &firstRejections)
    }

    /// How many different values of `updated_at` and `sequence` the records have.
    enum VersionsSeen: Equatable, Sendable {
        case none
        /// By its hash in this process.
        case one(Int)
        case several

        mutating func merge(_ other: VersionsSeen) {
            switch (self, other) {
            case (_, .none): break
            case (.none, _): self = other
            case (.one(let own), .one(let theirs)) where own == theirs: break
            default: self = .several
            }
        }
    }

    /// Notes a rejected record that is a header with other columns.
    mutating func noteOtherHeader(_ window: RecordWindow, at position: Int, recordInBlock: Int) {
        let offset = window.baseOffset + position
        let remark = RejectedRecord(
            recordNumber: 0, byteOffset: offset, field: nil, code: .noUsableDate, shape: nil)
        Self.keep(
            BlockRecord(block: window.ordinal, recordInBlock: recordInBlock, byteOffset: offset, remark: remark),
            in: &otherHeaders)
    }

    /// Notes a record with a warning. A worker's records come in the order of the file, so its first ones are enough.
    ///
    /// - Returns: whether the worker need not note more of the code.
    mutating func warn(
        _ window: RecordWindow, at position: Int, recordInBlock: Int, field: CanonicalField?, code: WarningCode,
        shape: String?
    ) -> Bool {
        let offset = window.baseOffset + position
        let warned = WarnedRecord(recordNumber: 0, byteOffset: offset, field: field, code: code, shape: shape)
        firstWarnings[code, default: []].append(
            BlockRecord(block: window.ordinal, recordInBlock: recordInBlock, byteOffset: offset, remark: warned))
        return firstWarnings[code, default: []].count >= Self.maximumWarningDetails
    }

    mutating func note(_ currency: Currency) { currencies[currency, default: 0] += 1 }

    mutating func note(_ found: [Currency: Int]) { currencies.merge(found, uniquingKeysWith: +) }

    mutating func note(_ interval: TripInterval, _ counts: IntervalCounts) {
        intervals[interval, default: IntervalCounts()].merge(counts)
    }

    mutating func note(_ values: StatedIntervalValues, of interval: TripInterval) {
        statedIntervals[interval, default: StatedIntervalValues()].merge(values)
    }

    mutating func note(_ use: ListUse, of field: CanonicalField) {
        listUse[field, default: ListUse()].merge(use)
    }

    /// Counts the records that are neither skipped nor rejected as added: of exports whose records have no versions.
    mutating func addAccepted() {
        counts.added = counts.read - counts.merged - counts.skipped - counts.rejected
    }

    /// Counts records that are read and skipped.
    mutating func skip(_ records: Int, _ reason: RowSkipReason) {
        guard records > 0 else { return }
        counts.skipped += records
        skipsByReason[reason, default: 0] += records
    }

    /// Counts rows around the table, which no scan has met.
    mutating func skipBeside(_ reasons: [RowSkipReason]) {
        counts.read += reasons.count
        for reason in reasons { skip(1, reason) }
    }

    /// Rejected records are skipped after all.
    mutating func skipRejected(_ rows: [(offset: Int, reason: RejectReason, skip: RowSkipReason)]) {
        for row in rows {
            counts.rejected -= 1
            rejectsByReason[row.reason, default: 0] -= 1
            if rejectsByReason[row.reason] == 0 { rejectsByReason[row.reason] = nil }
            skip(1, row.skip)
        }
        let offsets = Set(rows.map(\.offset))
        firstRejections.removeAll { offsets.contains($0.byteOffset) }
    }

    package mutating func merge(_ other: ReadFindings) {
        counts.merge(other.counts)
        rejectsByReason.merge(other.rejectsByReason, uniquingKeysWith: +)
        for (field, theirs) in other.listUse { note(theirs, of: field) }
        for (field, theirs) in other.values { values[field, default: ColumnValues()].merge(theirs) }
        currencies.merge(other.currencies, uniquingKeysWith: +)
        implausibleMiles += other.implausibleMiles
        mileageLines += other.mileageLines
        skipsByReason.merge(other.skipsByReason, uniquingKeysWith: +)
        trailingCommas += other.trailingCommas
        keepLast(other.oddRows)
        costs.merge(other.costs)
        points.merge(other.points)
        for (interval, theirs) in other.intervals { note(interval, theirs) }
        noteTimes(of: other)
        versionsSeen.merge(other.versionsSeen)
        recordsByBlock.merge(other.recordsByBlock, uniquingKeysWith: +)
        swallowedLines += other.swallowedLines
        recordsWithin += other.recordsWithin
        for (name, key) in other.unreadKeys { note(key, named: name) }
        for place in other.firstRejections { Self.keep(place, in: &firstRejections) }
        firstWarnings.merge(other.firstWarnings, uniquingKeysWith: +)
        for place in other.otherHeaders { Self.keep(place, in: &otherHeaders) }
        for place in other.firstSwallowings { Self.keep(place, in: &firstSwallowings) }
    }

    /// Takes in what was found in the trips that these records were composed to. Records beyond the first of a trip are
    /// merged.
    ///
    /// - Parameter origins: the first record of each trip, in the order of the composed records.
    mutating func absorb(_ trips: ReadFindings, origins: [RecordPlace]) {
        let before = trips.recordsBefore
        func own<Remark>(_ places: [BlockRecord<Remark>], _ offset: WritableKeyPath<Remark, Int>) -> [BlockRecord<
            Remark
        >] {
            places.compactMap { place in
                let number = (before[place.block] ?? 0) + place.recordInBlock
                guard origins.indices.contains(number) else { return nil }
                let origin = origins[number]
                var remark = place.remark
                remark[keyPath: offset] = origin.byteOffset
                return BlockRecord(
                    block: origin.block, recordInBlock: origin.recordInBlock, byteOffset: origin.byteOffset,
                    remark: remark)
            }
        }
        counts.merged = counts.read - counts.skipped - counts.rejected - trips.counts.read
        counts.rejected += trips.counts.rejected
        counts.skipped += trips.counts.skipped
        skipsByReason.merge(trips.skipsByReason, uniquingKeysWith: +)
        rejectsByReason.merge(trips.rejectsByReason, uniquingKeysWith: +)
        for (field, theirs) in trips.values {
            var column = theirs
            for fault in column.unread.keys {
                column.unread[fault]?.first = own(theirs.unread[fault]?.first ?? [], \.byteOffset)
            }
            values[field, default: ColumnValues()].merge(column)
        }
        currencies.merge(trips.currencies, uniquingKeysWith: +)
        implausibleMiles += trips.implausibleMiles
        costs.merge(trips.costs)
        for (interval, theirs) in trips.intervals { note(interval, theirs) }
        noteTimes(of: trips)
        for (field, theirs) in trips.listUse { note(theirs, of: field) }
        for place in own(trips.firstRejections, \.byteOffset) { Self.keep(place, in: &firstRejections) }
        firstWarnings = trips.firstWarnings.mapValues { own($0, \.byteOffset) }
        composed = (origins, trips.recordsByBlock)
    }

    private mutating func noteTimes(of other: ReadFindings) {
        for (interval, theirs) in other.statedIntervals { note(theirs, of: interval) }
        times.merge(other.times)
    }

    /// Blocks do not come in order; the first records by place are kept, whatever the blocks.
    private static func keep<Remark>(_ place: BlockRecord<Remark>, in places: inout [BlockRecord<Remark>]) {
        places.append(place)
        if places.count >= 2 * maximumDetails { places = first(places) }
    }

    static func first<Remark>(_ places: [BlockRecord<Remark>]) -> [BlockRecord<Remark>] {
        Array(places.sorted { $0.byteOffset < $1.byteOffset }.prefix(maximumDetails))
    }

    // MARK: - When all workers have finished

    /// The first rejections, by place.
    package var rejections: [RejectedRecord] { placed(numbered(Self.first(firstRejections), \.recordNumber)) }

    /// The first records that hold lines which look like records, by place.
    package var swallowings: [SwallowingRecord] { numbered(Self.first(firstSwallowings), \.recordNumber) }

    /// The first records with a warning of each code, by code and place.
    package var warnings: [WarnedRecord] {
        WarningCode.allCases.flatMap { code in
            let first = Self.first(firstWarnings[code] ?? []).prefix(Self.maximumWarningDetails)
            return placed(numbered(first, \.recordNumber))
        }
    }

    private func placed<Code>(_ records: [FaultyRecord<Code>]) -> [FaultyRecord<Code>] {
        guard let sheets else { return records }
        return records.map { record in
            var record = record
            record.sheetRow = sheets.row(ofRecord: record.recordNumber)
            return record
        }
    }

    func numbered<Remark>(
        _ places: some Sequence<BlockRecord<Remark>>, _ number: WritableKeyPath<Remark, Int>
    ) -> [Remark] {
        let before = recordsBefore
        return places.map { place in
            var remark = place.remark
            remark[keyPath: number] = (before[place.block] ?? 0) + place.recordInBlock + 1
            return remark
        }
    }

    /// The numbers of records, from 1, by their block and how many records of it come before each.
    package func recordNumbers(of places: [(block: Int, recordInBlock: Int)]) -> [Int] {
        let before = recordsBefore
        if let composed {
            let ordinals = Self.recordsBefore(composed.recordsByBlock)
            return places.map { place in
                let ordinal = (ordinals[place.block] ?? 0) + place.recordInBlock
                guard composed.origins.indices.contains(ordinal) else { return 0 }
                let origin = composed.origins[ordinal]
                return (before[origin.block] ?? 0) + origin.recordInBlock + 1
            }
        }
        return places.map { (before[$0.block] ?? 0) + $0.recordInBlock + 1 }
    }

    /// Records that the scan has met.
    var recordsMet: Int { recordsByBlock.values.reduce(0, +) }

    /// How many records come before each block.
    private var recordsBefore: [Int: Int] { Self.recordsBefore(recordsByBlock) }

    private static func recordsBefore(_ recordsByBlock: [Int: Int]) -> [Int: Int] {
        var before: [Int: Int] = [:]
        var total = 0
        for (block, records) in recordsByBlock.sorted(by: { $0.key < $1.key }) {
            before[block] = total
            total += records
        }
        return before
    }
}
