import Dispatch
import ExportBytes
import Intake
import KPIs
import Keys
import Operations
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
    let figures: FigureSettings
    /// Where identifiers are remembered, if the run publishes.
    let identifiers: IdentifierCollector?

    private var store: TripStore { session.store }
    private var rules: RuleSet { figures.rules }

    /// - Parameter ledger: the exports in the store, by SHA-256.
    func load(
        _ export: OpenedExport, session changes: inout LoadSession, ledger: [String: ExportRecord]
    ) throws -> LoadedExport {
        let shape = changes.shape, tell = session.environment.tell
        let codes = try ListCodes(profile: export.reader.profile.vocabulary, store: store.lists())
        try session.crosswalk?.begin(mark: store.crosswalkMark())
        // Identifiers of what was removed do not come back into the crosswalk.
        let keptOut = try session.crosswalk == nil ? nil : store.keptOut()
        // After a load that came in there is nothing to take back.
        defer { session.crosswalk?.rollBack() }
        var audit = LoadAudit(session, figures)
        do {
            return try store.load(export.unread, session: &changes, replacing: export.isReplacing) { load in
                let (outcomes, findings) = try read(export.reader, shape: shape, codes: codes, keptOut) { parcel in
                    try session.environment.checkpoint()
                    try load.insert(parcel)
                }
                var figures = try figures(outcomes, findings, export.reader)
                Self.remarks(export, findings).forEach(tell)
                figures.columns = export.columns
                try export.confirm()
                // On the disk before the store commits.
                figures.crosswalk = try session.crosswalk?.seal()
                let loaded = try load.finish(figures)
                try export.settle(loaded.doubts)
                export.remarks(loaded.notes).forEach(tell)
                try audit.record(loaded.record.sha256, loaded.counts)
                return loaded
            }
        } catch {
            audit.refuse { sha256 in try store.exports().first { $0.sha256 == sha256 } == ledger[sha256] }
            throw error
        }
    }

    /// What is odd about the export though it is loaded, and what must be said of its values.
    private static func remarks(_ export: OpenedExport, _ findings: ReadFindings) -> [RunEvent] {
        let swallowed = findings.swallowings.first.map { first in
            "\(findings.swallowedLines) lines inside quoted fields look like records and are not counted, the first at "
                + "record \(first.recordNumber), byte \(first.byteOffset); look for stray quotes"
        }
        let notes =
            [swallowed].compactMap(\.self) + findings.notes
            + findings.listNotes.map { "\($0); \(ReadFindings.listRemedy)" }
        return notes.map { .exportNoted(export.label, note: $0) }
            + export.reader.remarks(findings).map { .exportValuesUnreadable(export.label, sentence: $0) }
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

    /// What the workers found, in one; fails if too much of the export is rejected.
    private func figures(
        _ outcomes: [LoadConsumer.Outcome], _ findings: ReadFindings, _ reader: ExportReader
    ) throws -> ExportFigures {
        try reader.check(findings, maximumRejectPerMillion: figures.reading.maximumRejectPerMillion)
        var outcomes = outcomes
        let age = outcomes.reduce(into: ExportAge()) { $0.merge($1.age) }
        var tally: KPITally?
        while let outcome = outcomes.popLast() {
            if tally == nil { tally = outcome.tally } else { tally?.merge(outcome.tally) }
        }
        guard let tally else { throw StoreError.inconsistent("an export was not read") }
        var loaded = ExportFigures(
            asOf: age.asOf, counts: findings.counts, rejectsByReason: findings.rejectsByReason,
            rejects: findings.rejections, tally: tally)
        loaded.warnings = findings.warnings
        return loaded
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
