import Classification
import Crosswalk
import Dispatch
import Hashing
import Intake
import KPIs
import OutputScan
import Profiles
import Store
import Synchronization
import Trips

/// Takes one export into the store: bytes → trips under pseudonyms → sourcing → rows and tallies.
///
/// Workers read, classify and tally; the caller's thread writes, within one transaction. Whatever goes wrong, the store
/// is as it was before.
struct ExportLoader {
    /// Everything a load depends on besides the export itself.
    struct Terms: Sendable {
        var key: PseudonymKey
        var rules: RuleSet
        /// Told the identifiers of each export; nil: nobody is.
        var crosswalk: CrosswalkWriter?
        var workers: Int
        var blockBytes = 1 << 18
        var maximumRejectPerMillion: Int?
        /// Where identifiers are remembered, if the run gives files out.
        var identifiers: IdentifierCollector?
        /// Asked between batches; throws to stop.
        var checkpoint: @Sendable () throws -> Void = {}
        /// Told how many bytes of the file were taken.
        var progress: @Sendable (Int) -> Void = { _ in }
    }

    /// What one worker brings home.
    private struct Share: Sendable {
        var tally: KPITally
        var read: ReadShare
        var newestUpdate: Int
        var newestDay: Int32
    }

    let store: TripStore
    let terms: Terms

    /// Versions a worker gathers before it hands them over: few at first, so that the writer need not wait for long,
    /// then more and more, since the writer is faster the more of them are sorted.
    private static let parcelRows = (least: 1 << 12, most: 1 << 16)

    /// - Parameters:
    ///   - record: what is known of the export before it is read.
    ///   - contentHash: the export's SHA-256; it may still be being found.
    ///   - reader: the export, opened with the pseudonym key.
    ///   - again: opens the export a second time, to know its age before all of it is loaded.
    ///   - note: told what is odd about the export though it is loaded.
    ///   - isSame: whether the file is still the one that was hashed; asked when all is read.
    func load(
        _ record: ExportRecord, contentHash: @escaping () throws -> String, from reader: ExportReader,
        session: inout StoreSession, replacing: Bool = false, again: @escaping () throws -> ExportReader,
        note: (String) -> Void, isSame: () throws -> Bool
    ) throws -> ReadCounts {
        let shape = session.shape
        let codes = try ListCodes(profile: reader.profile.vocabulary, store: store.lists())
        try terms.crosswalk?.begin(mark: store.crosswalkMark())
        // After a load that came in there is nothing to take back.
        defer { terms.crosswalk?.rollBack() }
        return try store.load(
            record, contentHash: contentHash, session: &session, replacing: replacing,
            findAsOf: { try Self.asOf(of: again()) }
        ) { writer in
            // The writer is one of the threads that were asked for, and the busiest.
            let readers = max(1, terms.workers - 1)
            let channel = RowChannel(workers: readers)
            let shares = Mutex<[Int: Result<Share, any Error>]>([:])
            let group = DispatchGroup()
            for number in 0..<readers {
                DispatchQueue.global().async(group: group) {
                    let share = Result { try self.read(reader, shape: shape, codes: codes, channel: channel) }
                    shares.withLock { $0[number] = share }
                    channel.finish()
                }
            }
            do {
                while let parcel = channel.take() {
                    try terms.checkpoint()
                    try writer.insert(parcel)
                }
            } catch {
                channel.cancel()
                group.wait()
                throw error
            }
            group.wait()
            var (figures, remark) = try figures(shares.withLock { $0 }, reader)
            if let remark { note(remark) }
            guard try isSame() else {
                throw ExportError.changed(reader.name)
            }
            // A file that changed while it was hashed is not the one that was read: nothing of it may be sealed.
            _ = try contentHash()
            // On the disk before the store commits.
            figures.crosswalk = try terms.crosswalk?.seal()
            return figures
        }
    }

    private func read(
        _ reader: ExportReader, shape: KPITally.Shape, codes: ListCodes, channel: RowChannel
    ) throws -> Share {
        let worker = reader.makeWorker()
        var batch = worker.makeBatch(hasVersions: true)
        var classifier = Classifier(terms.rules)
        var evidence = EvidenceRecorder(terms.rules)
        var filler = RowFiller(
            texts: store.texts, textFields: batch.textFields, ruleIDs: terms.rules.rules.map(\.id))
        var tally = KPITally(shape: shape)
        var parcelRows = Self.parcelRows.least
        while try worker.next(into: &batch) {
            guard batch.count > 0 else { continue }
            try terms.checkpoint()
            if let crosswalk = terms.crosswalk {
                try crosswalk.append(worker.identifiers, source: reader.profile.source)
            }
            terms.progress(reader.bytesTaken(atRecordOffset: batch.offsets[0] & 0xFFFF_FFFF_FFFF))
            codes.translate(&batch)
            let dictionaries = worker.dictionaries
            classifier.classify(&batch, dictionaries: dictionaries)
            evidence.record(batch, dictionaries: dictionaries)
            tally.add(batch)
            filler.append(
                batch, dictionaries: dictionaries, rules: classifier.ruleIndexes, evidence: evidence.codes,
                evidenceTexts: evidence.texts)
            guard filler.trips.count >= parcelRows else { continue }
            parcelRows = min(parcelRows * 2, Self.parcelRows.most)
            if !channel.put(filler.takeParcel()) { break }
        }
        if !filler.trips.isEmpty { _ = channel.put(filler.takeParcel()) }
        if let gatherer = worker.gatherer { terms.identifiers?.add([gatherer]) }
        return Share(
            tally: tally, read: ReadShare(worker), newestUpdate: filler.newestUpdate, newestDay: filler.newestDay)
    }

    /// How new the newest thing in an export is: its newest `updated_at`, else its newest day.
    private static func asOf(of reader: ExportReader) throws -> Int {
        let worker = reader.makeWorker()
        var batch = worker.makeBatch(hasVersions: true)
        var newestUpdate = Int.min, newestDay = Int32.min
        while try worker.next(into: &batch) {
            for row in 0..<batch.count {
                newestUpdate = max(newestUpdate, batch.versions[row].version.updatedAt)
                newestDay = max(newestDay, batch.day[row])
            }
        }
        return asOf(newestUpdate: newestUpdate, newestDay: newestDay)
    }

    private static func asOf(newestUpdate: Int, newestDay: Int32) -> Int {
        newestUpdate != .min ? newestUpdate : newestDay == .min ? 0 : Int(newestDay) * 86_400_000_000
    }

    /// What the workers found, in one; fails if too much of the export is rejected.
    private func figures(
        _ results: [Int: Result<Share, any Error>], _ reader: ExportReader
    ) throws -> (TripStore.ExportFigures, remark: String?) {
        var shares: [Share] = []
        // A worker that stopped because another one failed is not the cause.
        let failures = results.sorted { $0.key < $1.key }.compactMap { $0.value.failure }
        if let cause = failures.first(where: { ($0 as? ExportError)?.isConsequence != true }) ?? failures.first {
            throw cause
        }
        for (_, result) in results { shares.append(try result.get()) }
        let figures = try ReadFigures(
            shares.map(\.read), of: reader, maximumRejectPerMillion: terms.maximumRejectPerMillion)
        let rejects = figures.rejections.map { place in
            StoredReject(
                recordNumber: place.recordNumber, byteOffset: place.byteOffset, field: place.field,
                reason: place.reason, shape: place.shape)
        }
        let asOf = Self.asOf(
            newestUpdate: shares.map(\.newestUpdate).max() ?? .min, newestDay: shares.map(\.newestDay).max() ?? .min)
        var tally: KPITally?
        while let share = shares.popLast() {
            if tally == nil { tally = share.tally } else { tally?.merge(share.tally) }
        }
        guard let tally else { throw StoreError.inconsistent("an export was read by nobody") }
        let loaded = TripStore.ExportFigures(
            asOf: asOf, counts: figures.counts, rejectsByReason: figures.rejectsByReason, rejects: rejects, tally: tally
        )
        let remark = figures.swallowings.first.map { first in
            "\(figures.swallowedLines) lines inside quoted fields look like records and are not counted, the first at "
                + "record \(first.recordNumber), byte \(first.byteOffset); look for stray quotes"
        }
        return (loaded, remark)
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

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
