import Dispatch
import ExportBytes
import Intake
import KPIs
import Keys
import OutputScan
import Profiles
import Reporting
import Rules
import Store
import Synchronization
import Trips

/// Takes one export into the store: bytes → trips under pseudonyms → sourcing → rows and tallies.
///
/// Workers read, classify and tally; the caller's thread writes, within one transaction. Whatever goes wrong, the store
/// is as it was before.
struct ExportLoader {
    let session: WritingSession
    let rules: RuleSet
    let maximumRejectPerMillion: Int?
    /// Where identifiers are remembered, if the run publishes.
    let identifiers: IdentifierCollector?

    private var store: TripStore { session.store }

    /// - Parameters:
    ///   - record: what is known of the export before it is read.
    ///   - contentHash: the export's SHA-256; it may still be being found.
    ///   - reader: the export, opened with the pseudonym key.
    ///   - columns: those of the export, to remember: see `ColumnMemory`.
    ///   - again: opens the export a second time, to know its age before all of it is loaded.
    ///   - note: told what is odd about the export though it is loaded.
    ///   - unreadable: told what must be said of the values, such as those that cannot be read.
    ///   - isSame: whether the file is still the one that was hashed; asked when all is read.
    ///   - check, noteLoad: see `TripStore.load`.
    ///   - audit: told the export's SHA-256 and its equation before it is committed.
    func load(
        _ record: ExportRecord, contentHash: @escaping () throws -> String, from reader: ExportReader,
        session changes: inout LoadSession, replacing: Bool = false, columns: LoadedColumns,
        again: @escaping () throws -> ExportReader, note: (String) -> Void,
        unreadable: (String) -> Void, isSame: () throws -> Bool,
        check: (LoadDoubt) throws -> Void, noteLoad: (LoadNote) -> Void,
        audit: (String, ReadCounts) throws -> Void
    ) throws -> ReadCounts {
        let shape = changes.shape
        let codes = try ListCodes(profile: reader.profile.vocabulary, store: store.lists())
        try session.crosswalk?.begin(mark: store.crosswalkMark())
        // Identifiers of what was removed do not come back into the crosswalk.
        let keptOut = try session.crosswalk == nil ? nil : store.keptOut()
        // After a load that came in there is nothing to take back.
        defer { session.crosswalk?.rollBack() }
        return try store.load(
            record, contentHash: contentHash, session: &changes, replacing: replacing,
            findAsOf: { try Self.asOf(of: again()) },
            read: { writer in
                let (outcomes, findings) = try read(reader, shape: shape, codes: codes, keptOut) { parcel in
                    try session.environment.checkpoint()
                    try writer.insert(parcel)
                }
                var (figures, remark) = try figures(outcomes, findings, reader)
                if let remark { note(remark) }
                findings.notes.forEach(note)
                findings.listNotes.forEach { note("\($0); \(ReadFindings.listRemedy)") }
                reader.remarks(findings).forEach(unreadable)
                figures.columns = columns
                guard try isSame() else {
                    throw ExportError.changed(reader.name)
                }
                // A file that changed while it was hashed is not the one that was read: nothing of it may be sealed.
                _ = try contentHash()
                // On the disk before the store commits.
                figures.crosswalk = try session.crosswalk?.seal()
                return figures
            }, check: check, note: noteLoad, beforeCommit: audit)
    }

    /// Workers read, and the caller's thread hands on what they made.
    private func read(
        _ reader: ExportReader, shape: KPITally.Shape, codes: ListCodes, _ keptOut: KeptOut?,
        write: ([StoredTrip]) throws -> Void
    ) throws -> (outcomes: [LoadConsumer.Outcome], findings: ReadFindings) {
        let channel = BoundedChannel<[StoredTrip]>(capacity: 2)
        let result = Mutex<Result<(outcomes: [LoadConsumer.Outcome], findings: ReadFindings), ExportError>?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let read = Result { () throws(ExportError) in
                // The writer is one of the threads that were asked for, and the busiest.
                try reader.read(workers: max(1, session.environment.workers - 1), hasVersions: true) { _ in
                    LoadConsumer(reader, session, rules, shape: shape, codes: codes, keptOut, channel: channel)
                }
            }
            result.withLock { $0 = read }
            channel.end()
        }
        do {
            while let parcel = channel.take() { try write(parcel) }
        } catch {
            channel.cancel()
            group.wait()
            throw error
        }
        group.wait()
        guard let read = result.withLock({ $0 }) else { throw StoreError.inconsistent("an export was not read") }
        let (outcomes, findings) = try read.get()
        if let failure = outcomes.lazy.compactMap(\.failure).first { throw failure }
        return (outcomes, findings)
    }

    /// The age of an export by its content: see `ExportAge`.
    private static func asOf(of reader: ExportReader) throws -> Int {
        try reader.read(workers: 1, hasVersions: true) { _ in ExportAge() }.outcomes.reduce(into: ExportAge()) {
            $0.merge($1)
        }.asOf
    }

    /// What the workers found, in one; fails if too much of the export is rejected.
    private func figures(
        _ outcomes: [LoadConsumer.Outcome], _ findings: ReadFindings, _ reader: ExportReader
    ) throws -> (TripStore.ExportFigures, remark: String?) {
        try reader.check(findings, maximumRejectPerMillion: maximumRejectPerMillion)
        var outcomes = outcomes
        let age = outcomes.reduce(into: ExportAge()) { $0.merge($1.age) }
        var tally: KPITally?
        while let outcome = outcomes.popLast() {
            if tally == nil { tally = outcome.tally } else { tally?.merge(outcome.tally) }
        }
        guard let tally else { throw StoreError.inconsistent("an export was not read") }
        var loaded = TripStore.ExportFigures(
            asOf: age.asOf, counts: findings.counts, rejectsByReason: findings.rejectsByReason,
            rejects: findings.rejections, tally: tally)
        loaded.warnings = findings.warnings
        let remark = findings.swallowings.first.map { first in
            "\(findings.swallowedLines) lines inside quoted fields look like records and are not counted, the first at "
                + "record \(first.recordNumber), byte \(first.byteOffset); look for stray quotes"
        }
        return (loaded, remark)
    }
}

/// Classifies and tallies the trips that one worker reads, and hands on what the store keeps of them.
private struct LoadConsumer: TripConsumer {
    struct Outcome: Sendable {
        var tally: KPITally
        var age: ExportAge
        /// Why the worker stopped, if it is not the export's fault.
        var failure: (any Error)?
    }

    /// Versions gathered before they are handed over: few at first, so that the writer need not wait for long, then more
    /// and more, since the writer is faster the more of them are sorted.
    private static let parcelRows = (least: 1 << 12, most: 1 << 16)

    private let reader: ExportReader
    private let session: WritingSession
    private let rules: RuleSet
    private let codes: ListCodes
    private let channel: BoundedChannel<[StoredTrip]>
    /// Nil: nothing was removed from the store.
    private let keptOut: KeptOut?
    private var classifier: Classifier
    private var testResults: TestResultRecorder
    private var filler: RowFiller?
    private let texts: TextTable
    private var outcome: Outcome
    private var parcelRows = LoadConsumer.parcelRows.least

    init(
        _ reader: ExportReader, _ session: WritingSession, _ rules: RuleSet, shape: KPITally.Shape, codes: ListCodes,
        _ keptOut: KeptOut?, channel: BoundedChannel<[StoredTrip]>
    ) {
        self.reader = reader
        self.session = session
        self.rules = rules
        self.codes = codes
        self.channel = channel
        self.keptOut = keptOut.flatMap { $0.isEmpty ? nil : $0 }
        texts = session.store.texts
        classifier = Classifier(rules)
        testResults = TestResultRecorder(rules)
        outcome = Outcome(tally: KPITally(shape: shape), age: ExportAge())
    }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        do {
            return try batch.count == 0 || load(&batch, from: worker)
        } catch {
            outcome.failure = error
            return false
        }
    }

    private mutating func load(_ batch: inout TripBatch, from worker: ExportWorker) throws -> Bool {
        try session.environment.checkpoint()
        if let crosswalk = session.crosswalk {
            try crosswalk.append(identifiers(of: batch, worker), source: reader.profile.tripSource)
        }
        if let bytes = reader.bytesTaken(at: batch) { session.environment.progress(bytes) }
        codes.translate(&batch)
        let dictionaries = worker.dictionaries
        classifier.classify(&batch, dictionaries: dictionaries)
        testResults.record(batch, dictionaries: dictionaries)
        outcome.tally.add(batch)
        outcome.age.add(batch)
        // Taken out meanwhile, so that its rows are changed in place.
        var filler =
            self.filler
            ?? RowFiller(texts: texts, textFields: batch.textFields, ruleIDs: rules.rules.map(\.id))
        self.filler = nil
        defer { self.filler = filler }
        filler.append(
            batch, dictionaries: dictionaries, rules: classifier.ruleIndexes, testResults: testResults.codes,
            testResultTexts: testResults.texts)
        guard filler.trips.count >= parcelRows else { return true }
        parcelRows = min(parcelRows * 2, Self.parcelRows.most)
        return channel.put(filler.takeParcel())
    }

    /// Those of trips that the store takes.
    private func identifiers(of batch: TripBatch, _ worker: ExportWorker) -> Sensitive<IdentifierBlock> {
        guard let keptOut else { return worker.identifiers }
        let pseudonymizer = Pseudonymizer(key: session.key, source: reader.profile.tripSource)
        let block = worker.identifiers.revealed(for: .removing)
        // Where records are composed to trips, a trip has other places in the two.
        let isComposed = reader.profile.records?.isComposed ?? false
        let isAligned = !isComposed && block.count == batch.count && reader.profile.supplement == nil
        var row = 0, kept = IdentifierBlock()
        block.forEach { trip, leg, patient in
            let isNamed = keptOut.names(
                pseudonymizer.tripKey(tripID: trip, legID: leg),
                patient: patient.isEmpty ? 0 : pseudonymizer.patient(patient))
            let isTooOld = isAligned && batch.month[row] < keptOut.firstMonth
            if !isNamed, !isTooOld { kept.append(tripID: trip, legID: leg, patientID: patient) }
            row += 1
        }
        return Sensitive(kept)
    }

    mutating func finish() -> Outcome {
        if outcome.failure == nil, var filler, !filler.trips.isEmpty { _ = channel.put(filler.takeParcel()) }
        return outcome
    }
}

/// From the codes of a profile's lists to those of the store's.
struct ListCodes: Sendable {
    private let regions: [UInt8]
    private let tripTypes: [UInt8]
    private let isIdentity: Bool

    init(profile: Vocabulary, store: (regions: NamedList, tripTypes: NamedList)) throws(StoreError) {
        func codes(_ own: NamedList, _ known: NamedList, _ what: String) throws(StoreError) -> [UInt8] {
            var codes: [UInt8] = []
            for name in own.names {
                guard let code = known.code(of: name) else { throw .unknownListEntry(list: what, name: name) }
                codes.append(code)
            }
            return codes
        }
        regions = try codes(profile.regions, store.regions, "region")
        tripTypes = try codes(profile.tripTypes, store.tripTypes, "trip_type")
        isIdentity =
            regions.enumerated().allSatisfy { $0.offset == Int($0.element) }
            && tripTypes.enumerated().allSatisfy { $0.offset == Int($0.element) }
    }

    func translate(_ batch: inout TripBatch) {
        guard !isIdentity else { return }
        for row in 0..<batch.count {
            batch.region[row] = regions[Int(batch.region[row])]
            batch.tripType[row] = tripTypes[Int(batch.tripType[row])]
        }
    }
}
