package import ExportBytes
import OutputScan
package import Profiles
package import Trips

extension ExportReader {
    /// Reads the export to its end: the one loop of the program that turns exports into trips.
    ///
    /// Each of `workers` threads hands its consumer batch after batch. A consumer's batches come in the order of the
    /// file, those of different workers in any order.
    ///
    /// - Parameters:
    ///   - workers: 1: all is done on the calling thread, in the order of the file.
    ///   - hasVersions: whether batches note each record's version, which takes a second pass over each row.
    ///   - makeConsumer: of the worker with a number.
    /// - Returns: the outcomes by worker, and what became of the records.
    package func read<Consumer: TripConsumer>(
        workers: Int, hasVersions: Bool = false, makeConsumer: @Sendable (_ worker: Int) -> Consumer
    ) throws(ExportError) -> (outcomes: [Consumer.Outcome], findings: ReadFindings) {
        if checksRepeats {
            let (outcomes, findings) = try readTrips(workers: workers, hasVersions: hasVersions, hasTies: true) {
                worker in
                TieConsumer(consumer: makeConsumer(worker), notesContents: false)
            }
            return (outcomes.map(\.outcome), try checkRepeats(outcomes.map(\.ties), findings, workers: workers))
        }
        guard checksGrain else {
            return try readTrips(workers: workers, hasVersions: hasVersions, makeConsumer: makeConsumer)
        }
        // What cannot be read again shows at once which records are copies.
        let notesContents = fileBytes == nil
        var (outcomes, findings) = try readTrips(
            workers: workers, hasVersions: hasVersions || notesContents, hasTies: true
        ) { worker in
            TieConsumer(consumer: makeConsumer(worker), notesContents: notesContents)
        }
        try checkGrain(outcomes.map(\.ties), outcomes.map(\.contents), &findings, workers: workers)
        return (outcomes.map(\.outcome), findings)
    }

    /// - Parameters:
    ///   - ties: `TripBatch.tieHashes` of all records, by worker.
    ///   - contents: hashes of the records, in the same order, or none.
    private func checkGrain(
        _ ties: [[UInt64]], _ contents: [[UInt64]], _ findings: inout ReadFindings, workers: Int
    ) throws(ExportError) {
        var repeated = RepeatedHashes.find(ties, threads: workers)
        if fileBytes == nil {
            var known: [UInt64: UInt64] = [:]
            var differing: Set<UInt64> = []
            for (ties, contents) in zip(ties, contents) {
                for (tie, content) in zip(ties, contents) where repeated.contains(tie) {
                    if let other = known.updateValue(content, forKey: tie), other != content { differing.insert(tie) }
                }
            }
            repeated = differing
        }
        let check = GrainCheck(
            reader: self, repeated: repeated, accepted: ties.reduce(0) { $0 + $1.count },
            hasVersions: findings.versionsSeen == .several)
        findings.notes += try check.run(workers: workers)
    }

    /// - Parameter contents: hashes of all records that are trips, by worker.
    /// - Throws: if a whole block of records comes again: an export with ids would have them as copies.
    private func checkRepeats(
        _ contents: [[UInt64]], _ found: ReadFindings, workers: Int
    ) throws(ExportError) -> ReadFindings {
        let repeats = RepeatedRecords(contents, threads: workers)
        guard repeats.count > 0 else { return found }
        let total = contents.reduce(0) { $0 + $1.count }
        let hasBlocks = repeats.hasBlock && repeats.count * 100 > total
        guard !hasBlocks, !repeats.areCopies else {
            throw ExportError(
                kind: .repeatedTrips, file: name,
                problem:
                    "\(repeats.count) of \(total) records are the same as another in all columns, "
                    + (hasBlocks
                        ? "whole blocks of them in the same order" : "far more than by chance")
                    + ": part of it is there twice, and without an id each record counts as a trip",
                remedy:
                    "have it exported again, or with an id of each trip; if all of them are trips, write `records: versions` into "
                    + "a profile with `trip_id: none`")
        }
        var findings = found
        let are = repeats.count == 1 ? "1 record is" : "\(repeats.count) records are"
        findings.notes.append(
            "\(are) the same as another in all columns: without an id each of them counts as a trip, though it may be a copy"
        )
        return findings
    }

    /// How the first records fit the lists, to guess what all of them hold; nil where records are composed, which needs all.
    ///
    /// - Returns: also whether these are all records.
    package func listUse(
        ofFirst records: Int
    ) throws(ExportError) -> (use: [CanonicalField: ListUse], isWhole: Bool)? {
        if composer != nil { return nil }
        let (outcomes, findings) = try readTrips(workers: 1) { _ in FirstRecords(limit: records) }
        return (findings.listUse, outcomes.allSatisfy(\.isWhole))
    }

    /// Reads on the calling thread until the consumer has enough, without asking what the records are.
    package func readFirst<Consumer: TripConsumer>(
        _ makeConsumer: @Sendable () -> Consumer
    ) throws(ExportError) -> [Consumer.Outcome] {
        try readTrips(workers: 1, hasVersions: true) { _ in makeConsumer() }.outcomes
    }

    /// Reads the first records on the calling thread, as a run would.
    ///
    /// - Returns: what became of them, whether these are all, and the first and the last day of their trips.
    /// - Throws: why a run would refuse them.
    package func tryFirst(
        _ records: Int
    ) throws(ExportError) -> (counts: ReadCounts, isWhole: Bool, days: ClosedRange<Int32>?) {
        let (outcomes, findings) = try read(workers: 1) { _ in FirstRecords(limit: records) }
        try check(findings, maximumRejectPerMillion: nil)
        let days = outcomes.compactMap(\.days)
        let first = days.map(\.lowerBound).min(), last = days.map(\.upperBound).max()
        return (
            findings.counts, outcomes.allSatisfy(\.isWhole),
            first.flatMap { first in last.map { first...max(first, $0) } }
        )
    }

    /// Reads all records, or as many as the consumers take, whatever they are.
    func readTrips<Consumer: TripConsumer>(
        workers: Int, hasVersions: Bool = false, hasTies: Bool = false,
        makeConsumer: @Sendable (_ worker: Int) -> Consumer
    ) throws(ExportError) -> (outcomes: [Consumer.Outcome], findings: ReadFindings) {
        if let composer { try composer.gather(self, workers: workers) }
        let results = try Workers.run(workers) { number throws(ExportError) in
            let worker = makeWorker()
            var batch = worker.makeBatch(hasVersions: hasVersions, hasTies: hasTies)
            var consumer = makeConsumer(number)
            while try worker.next(into: &batch) {
                guard try consumer.take(&batch, from: worker) else { break }
            }
            if let gatherer = worker.gatherer { self.request.identifiers?.add([gatherer]) }
            return (try consumer.finish(), worker.findings)
        }
        var findings = ReadFindings()
        for result in results { findings.merge(result.1) }
        if let composer {
            findings = try composer.findings(of: findings, file: name)
        } else if request.part == nil {
            findings.settleRowsBelow()
        }
        if request.part?.bytes.lowerBound ?? 0 == 0 { findings.skipBeside(rowsBeside) }
        findings.trailingCommas += remarks.trailingCommas
        findings.notes += findings.skipNotes + findings.commaNotes + ReadFindings.listNotes(of: remarks)
        findings.notes += sheets?.remarks ?? []
        findings.sheets = sheets
        return (results.map(\.0), findings)
    }

    /// How much of the file is read when a batch is decoded, for a progress bar: bytes of a compressed or transcoded
    /// file, or the offset of the batch's first record. Nil if the batch is empty.
    package func bytesTaken(at batch: TripBatch) -> Int? {
        guard batch.count > 0 else { return nil }
        let offset = RecordLocation(batch.offsets[0]).offset
        return isRepeatable ? offset : file.position ?? offset
    }
}

/// Stops after some records. Its outcome is whether there were no more, and on which days their trips are.
private struct FirstRecords: TripConsumer {
    let limit: Int
    private var count = 0
    private var days: ClosedRange<Int32>?

    init(limit: Int) { self.limit = limit }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        count += batch.count
        for row in 0..<batch.count {
            let day = batch.day[row]
            days = min(day, days?.lowerBound ?? day)...max(day, days?.upperBound ?? day)
        }
        return count < limit
    }

    mutating func finish() -> (isWhole: Bool, days: ClosedRange<Int32>?) { (count < limit, days) }
}

/// Notes the hashes of ties, and hands the batches on.
private struct TieConsumer<Consumer: TripConsumer>: TripConsumer {
    var consumer: Consumer
    let notesContents: Bool
    private var ties: [UInt64] = []
    private var contents: [UInt64] = []

    init(consumer: Consumer, notesContents: Bool) {
        self.consumer = consumer
        self.notesContents = notesContents
    }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) throws(ExportError) -> Bool {
        ties += batch.tieHashes[..<batch.count]
        if notesContents { contents += batch.versions.prefix(batch.count).lazy.map(\.contentHash) }
        return try consumer.take(&batch, from: worker)
    }

    mutating func finish() throws(ExportError) -> (outcome: Consumer.Outcome, ties: [UInt64], contents: [UInt64]) {
        (try consumer.finish(), ties, contents)
    }
}
