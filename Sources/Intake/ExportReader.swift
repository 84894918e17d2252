package import ExportBytes
package import Keys
package import OutputScan
package import Profiles
import Rules
package import Trips

// The entry of Intake. An export goes in; batches of trips come out, with a count of what became of every record.
//
// - In: a path (or standard input), a profile (or none, for a plain file), and which text fields the rules need.
// - Out: `TripBatch`es, for one consumer a thread: see `ExportReader.read`.
// - Memory: each worker owns one window and one batch, reused from block to block; nothing grows with the export.
// - It never prints, stores or throws a value of a record: rejections carry places, codes and shapes.

/// An export that has been opened and understood: its format, its columns, its profile.
package final class ExportReader: Sendable {
    /// What a run asks of every export.
    package struct Request: Sendable {
        package var path: String
        /// Nil: the header must speak for itself.
        package var profile: Profile?
        package var vocabulary: Vocabulary
        /// The zone of a plain file's times, if it is configured.
        package var zone: String?
        package var textNeeds: [(field: CanonicalField, need: TextNeed)]
        /// Which of the run's exports this is; later ones win ties between versions.
        package var fileIndex: Int
        /// Whether versions of trips are compared later: unreadable ones are then warned of.
        package var checksVersions: Bool
        package var blockBytes: Int
        /// What trips and patients get lasting pseudonyms by: batches then hold a trip's `TripKey` in `keyHashes` (high)
        /// and `versions[].keyCheck` (low). Nil: hashes that tell trips apart within this process.
        package var pseudonyms: PseudonymKey?
        /// Whether batches with versions hold a hash of each record's bytes.
        package var hashesContents = true
        /// Where identifiers are remembered, for a run that publishes files; nil: they are not read.
        package var identifiers: IdentifierCollector?
        /// Whether identifiers are gathered for a crosswalk: see `ExportWorker.identifiers`.
        package var collectsIdentifiers = false
        /// Whether the places of the first warnings of each code are noted.
        package var collectsWarnings = false
        /// Whether batches note where in its block each record is: see `ReadFindings.recordNumbers`.
        package var collectsRecordNumbers = false
        /// How bytes are read: the records do not depend on it.
        package var methods = ByteMethods.best
        /// The part of the export that is read; nil: all of it.
        package var part: ExportPart?
        /// Where records that are parts of trips are put aside, sealed, until all of their trip are there.
        package var temporaryFolder = "/tmp"
        /// How many bytes of them stay in memory. The trips do not depend on it.
        package var composedBytesInMemory = 64 << 20
        /// Limits of values, before those of the profile.
        package var limits = ValueLimits()
        /// Whether each record of a plain file is a trip where no column can be an id.
        package var mayLackIDs = false
        /// Whether anything but a regular file is refused, without waiting for it.
        package var mustBeRegular = false

        package init(
            path: String, profile: Profile?, vocabulary: Vocabulary = .standard, zone: String? = nil,
            textNeeds: [(field: CanonicalField, need: TextNeed)], fileIndex: Int = 0, checksVersions: Bool = true,
            blockBytes: Int = 1 << 18, pseudonyms: PseudonymKey? = nil
        ) {
            self.path = path
            self.profile = profile
            self.vocabulary = vocabulary
            self.zone = zone
            self.textNeeds = textNeeds
            self.fileIndex = fileIndex
            self.checksVersions = checksVersions
            self.blockBytes = max(64, blockBytes)
            self.pseudonyms = pseudonyms
        }

        /// To look at records beside the reading that counts: nothing of them is remembered.
        package func leavingNoTrace() -> Request {
            var request = self
            request.identifiers = nil
            request.collectsIdentifiers = false
            request.collectsWarnings = false
            return request
        }
    }

    package let name: String
    package let profile: Profile
    package let format: ExportFormat
    package let encoding: TextEncoding
    /// `gzip` or `zstd`; nil: it is not compressed.
    package let compression: String?
    /// What is unusual in how its text is divided into records, a phrase each.
    package let dialectNotes: [String]
    /// Unmapped columns that look like PHI; positions and kinds, no content.
    package let warnings: [String]
    /// Whether a plain file ends within a record: see `RecordLayout.isCutOff`.
    package let isCutOff: Bool
    /// Which of the mapped columns the export has and which it lacks.
    package let inventory: ColumnInventory
    /// What no column is mapped for, and what the figures lack for it.
    package let gaps: MappingGaps
    /// Which columns are read, and for what.
    package let columnUses: [ColumnUse]
    /// Of JSON, the keys of the first records.
    let keysOfHead: Set<String>
    /// The names of all columns, as `HeaderName.key`.
    let headerKeys: Set<String>
    /// Recognises rows among the records that are none; nil: the records are no rows.
    let rowsAroundTable: RowsAroundTable?
    /// What is odd about a JSON text, once all is read.
    let remarks: JSONRemarks
    /// Rows above the records, which no scan meets: titles, units.
    let rowsBeside: [RowSkipReason]

    let request: Request
    let file: ExportFile
    let plan: ColumnPlan
    let zones: SourceZones
    let layout: RecordLayout
    /// Nil: there are no records.
    let source: (any BlockSource)?
    private let filterMachine: ConditionMachine?
    /// Makes trips of several records each; nil where each record is a trip.
    let composer: RecordComposer?
    /// Events whose times are dates, by their bits: in the first records all of them are at 0:00.
    let dateEvents: UInt8

    /// Of a workbook.
    let sheets: WorkbookSheets?

    /// Whether an amount is of a parent with several records, and counts with the first of them.
    let hasParentAmounts: Bool

    /// Whether a row may have a right number of fields because a cost with an unquoted comma fills what it lacks: its costs have cents,
    /// so that one without them shows it.
    let mayHideCommas: Bool

    /// Whether records can be read again at their offsets: a plain file in UTF-8.
    package let isRepeatable: Bool

    package init(_ request: Request) throws(ExportError) {
        self.request = request
        let file = try ExportFile(path: request.path, mustBeRegular: request.mustBeRegular)
        self.file = file
        name = file.name
        let opening = try ExportOpening(file: file, profile: request.profile, inflate: request.methods.inflate)
        encoding = opening.encoding
        compression = opening.compression
        sheets = opening.sheets
        format = opening.format
        let header = try ExportHeader(opening, file: file, request: request)
        try opening.sheets?.check(header.profile, header.names, file: file.name)
        let parentRemark = try header.parentRemark(opening.shape, file: file.name)
        hasParentAmounts = parentRemark != nil
        var profile = header.profile
        profile.apply(request.limits)
        self.profile = profile
        dateEvents = header.dateEvents
        inventory = header.inventory
        columnUses = ColumnUse.all(
            profile: header.profile, header: header.names, header.check, isJSON: header.isJSON)
        keysOfHead = header.keysOfHead
        headerKeys = Set(header.names.map { HeaderName($0).key })
        rowsBeside = header.rowsBeside.map(\.reason)
        dialectNotes = header.dialectNotes + [opening.shape?.name].compactMap(\.self)
        remarks = opening.remarks
        gaps = Self.gaps(header, request)
        filterMachine = header.profile.filter.map { ConditionMachine(clauses: [.init(condition: $0)]) }
        plan = try ColumnPlan(
            profile: header.profile, header: header.names, textNeeds: request.textNeeds,
            filterFields: filterMachine?.fields ?? [],
            identifying: request.identifiers == nil
                ? [] : IdentifyingColumns.all(profile: header.profile, header: header.names), file: file.name)
        try header.inventory.check(
            required: header.profile.required, source: header.profile.source, file: file.name)
        zones = try SourceZones(profile: header.profile, file: file.name)
        layout = header.layout(request.methods.scan)
        if let cost = plan.cost, layout.dialect?.mayHideDelimiters == true {
            mayHideCommas = header.hasCents(column: plan.slotColumns[cost])
        } else {
            mayHideCommas = false
        }
        if case .rows(let dialect) = layout {
            rowsAroundTable = RowsAroundTable(
                dialect: dialect, names: header.names, sample: header.profile.hasHeader ? header.sample : [],
                beside: header.rowsBeside)
        } else {
            rowsAroundTable = nil
        }
        source =
            header.isEmpty
            ? nil
            : try header.blocks(
                of: layout, opening, file: file, blockBytes: request.blockBytes, part: request.part)
        composer =
            source == nil
            ? nil
            : RecordComposer(
                plan: plan, fields: plan.fields(of: header.names, profile: header.profile), profile: header.profile,
                file: file, request: request)
        guard composer == nil || request.part == nil else {
            throw ExportError(
                kind: .notRepeatable, file: file.name,
                problem: "an export whose records are parts of trips cannot be read in parts",
                remedy: "leave --range out")
        }
        isRepeatable = source == nil || opening.stream == nil && composer == nil
        isCutOff = source == nil || opening.stream != nil ? false : try layout.isCutOff(file)
        warnings =
            header.warnings + (opening.sheets?.notes ?? [])
            + (header.profile.hasNoTripIDs && source != nil
                ? ["no column is an id: each record is a trip (trip_id: none)"] : [])
            + [parentRemark].compactMap(\.self)
            + (isCutOff ? ["it ends within a record: it may be cut off"] : [])
    }

    /// Of an export without records nothing is known.
    private static func gaps(_ header: ExportHeader, _ request: Request) -> MappingGaps {
        guard !header.isEmpty else { return MappingGaps([]) }
        let profile = header.profile
        let has = { (field: CanonicalField) in header.inventory.has(field) || profile.constants[field] != nil }
        var gaps = MappingGaps.gaps(has: has)
        if !request.textNeeds.isEmpty, !request.textNeeds.contains(where: { has($0.field) }) { gaps.insert(.sourcing) }
        if profile.zone == nil, profile.lookups.allSatisfy({ $0.zones.isEmpty }), header.hasTimeWithoutOffset {
            gaps.insert(.zone)
        }
        for interval in TripInterval.allCases {
            let pair = profile.intervalPairs[interval] ?? interval.standardPair
            if has(pair.start.field) && has(pair.end.field) || profile.statedIntervals[interval] != nil { continue }
            if let gap = MappingGaps.Gap(interval) { gaps.insert(gap) }
        }
        return MappingGaps(gaps)
    }

    /// Finds the fields that are decoded.
    func makeSpanFinder() -> SpanFinder {
        let plan = composer?.plan ?? plan
        return SpanFinder(
            composer?.layout ?? layout, columns: plan.slotColumns, names: plan.slotNames, rows: TripDecoder.rows)
    }

    /// The profile's row filter; nil: it has none.
    func makeFilter() -> RecordFilter? {
        filterMachine.map { machine in
            RecordFilter(
                machine, slots: plan.filter, words: NoValueWords(adding: profile.missingWords), rows: TripDecoder.rows)
        }
    }

    /// Whether records that nothing ranks are compared: see `GrainCheck`.
    var checksGrain: Bool {
        request.checksVersions && !profile.hasNoTripIDs && (profile.records == nil || profile.records == .units)
    }

    /// Whether the costs may have points between thousands: nothing says what begins their fraction.
    var checksPoints: Bool { profile.decimalMark == .point && !profile.statesDecimalMark }

    /// Whether records without ids are compared by their bytes, whose hashes are then in `TripBatch.tieHashes`: see
    /// `RepeatedRecords`.
    package var checksRepeats: Bool {
        request.checksVersions && profile.hasNoTripIDs && profile.records == nil && composer == nil
            && request.part == nil
    }

    /// Whether records say which version of their trip they are.
    package var hasVersionFields: Bool { plan.updatedAt != nil || plan.sequence != nil }

    /// With a leg id in one export and none in the other, the same trip has two keys.
    ///
    /// - Parameters:
    ///   - earlier: whether earlier exports of the source have ids of legs; nil: some have, or it is not known.
    ///   - names: those exports.
    /// - Throws: if this one differs, unless its profile says that records are versions.
    package func checkLegs(against earlier: Bool?, in names: String) throws(ExportError) {
        guard profile.records != .versions, let own = inventory.hasLegs, let earlier, own != earlier else { return }
        throw ExportError(
            kind: .columnsGone, file: name,
            problem: (own
                ? "it has a column for leg_id, and \(names) had none: "
                : "it has no column for leg_id, and \(names) had one: ")
                + (profile.supplement == nil
                    ? "every trip of both would count twice" : "no record would find the trip that it is a part of"),
            remedy:
                "have all exports of source \(profile.tripSource) made with leg_id or all without it; if they have no trips in "
                + "common, write `records: versions` into the profile")
    }

    package var fileIndex: Int { request.fileIndex }

    /// What the column of a list seems to hold of persons, by its name.
    func signOfPersons(in list: CanonicalField) -> PHIColumnCheck.Sign? {
        columnUses.lazy.filter { $0.field == list }.compactMap(\.name).compactMap(PHIColumnCheck.signOfPersons).first
    }

    /// How the export is written, in words.
    package var description: String {
        ([sheets == nil ? format.rawValue : "xlsx", encoding.rawValue, file.member == nil ? nil : "zip", compression]
            .compactMap { $0 }
            + dialectNotes)
            .joined(separator: ", ")
    }

    /// Throws if the file is not the one any more that was opened: see `ExportFile.checkUnchanged`.
    package func checkUnchanged() throws(ExportError) { try file.checkUnchanged() }

    /// Throws if too many records are rejected, or too many values of a column cannot be read: nothing of the export may be used.
    ///
    /// - Parameter limit: parts of a million; nil: what the profile says.
    package func check(_ findings: ReadFindings, maximumRejectPerMillion limit: Int?) throws(ExportError) {
        try findings.check(
            file: name, maximumRejectPerMillion: limit ?? profile.maximumRejectPerMillion,
            hasProfile: request.profile != nil, isCutOff: isCutOff)
        try findings.checkValues(file: name, profile: profile)
        try sheets?.checkLostValues(in: columnUses, of: findings.counts.read, profile, file: name)
        try checkKeys(findings)
        try JSONDocumentCheck(remarks.envelope, profile: request.profile)?.check(keys: keysOfHead, file: name)
        guard profile.records == nil || profile.records == .units else { return }
        try findings.checkMileageLines(file: name)
    }

    /// Throws if later records of JSON have keys that the first ones lack and that figures need: see `LaterKeys`.
    package func checkKeys(_ findings: ReadFindings) throws(ExportError) {
        try LaterKeys(self).check(findings, file: name)
    }

    /// What must be said of the values, though the export may be used: a sentence each.
    package func remarks(_ findings: ReadFindings) -> [String] {
        let dates = TripEvent.allCases.filter { dateEvents & 1 << UInt8($0.rawValue) != 0 }
        let isMeasured = { (event: TripEvent) in self.plan.events[event.rawValue] != nil && !dates.contains(event) }
        var pairs: [TripInterval: EventPair] = [:]
        for interval in TripInterval.allCases {
            let pair = profile.intervalPairs[interval] ?? interval.standardPair
            if isMeasured(pair.start), isMeasured(pair.end) { pairs[interval] = pair }
        }
        let withoutDayPeriod = TripEvent.allCases.map(\.field).filter { !profile.timeForms(of: $0).readsDayPeriods }
        return findings.remarks(
            dates: dates.map(\.field), pairs: pairs, withoutDayPeriod: Set(withoutDayPeriod))
            + LaterKeys(self).remarks(findings)
            + [JSONDocumentCheck(remarks.envelope, profile: request.profile)?.remark].compactMap(\.self)
    }

    /// Once all is read: where the records of its part began and ended. Nil of an export without records, or one that is always
    /// read whole.
    package var partBounds: ExportPartBounds? { source?.bounds }

    /// Bytes of the file as it lies on the disk; nil for a pipe.
    package var fileBytes: Int? { file.size }

    /// Closes the file until a record of it is read again. Only when no worker of it is at work.
    package func close() { file.close() }

    /// A worker's own reader. Workers of one reader may run on different threads at the same time.
    package func makeWorker() -> ExportWorker { ExportWorker(self) }
}
