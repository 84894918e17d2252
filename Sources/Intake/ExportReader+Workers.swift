import Dispatch
package import ExportBytes
import OutputScan
import Synchronization
package import Trips

/// Takes the trips of an export, batch by batch. Each worker has a consumer of its own.
package protocol TripConsumer: SendableMetatype {
    /// What it returns.
    associatedtype Outcome: Sendable

    /// Takes a batch, and may change it; false: the worker stops. A consumer with another error than these keeps it for
    /// its outcome and stops.
    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) throws(ExportError) -> Bool

    /// Called once, after the last batch.
    mutating func finish() throws(ExportError) -> Outcome
}

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
        guard mustNoteHashes else {
            var (outcomes, findings) = try readTrips(
                workers: workers, hasVersions: hasVersions, makeConsumer: makeConsumer)
            if versionsSayNothing(findings) { try checkGrain(&findings, workers: workers) }
            return (outcomes, findings)
        }
        var (outcomes, findings) = try readTrips(workers: workers, hasVersions: hasVersions) { worker in
            HashingConsumer(consumer: makeConsumer(worker))
        }
        if !hasVersionFields || versionsSayNothing(findings) {
            try checkGrain(outcomes.map(\.hashes), &findings, workers: workers)
        }
        return (outcomes.map(\.outcome), findings)
    }

    /// Reads an export again whose fields of versions say nothing.
    private func checkGrain(_ findings: inout ReadFindings, workers: Int) throws(ExportError) {
        var request = request
        request.identifiers = nil
        request.collectsIdentifiers = false
        request.collectsWarnings = false
        let (outcomes, _) = try ExportReader(request).readTrips(workers: workers) { _ in
            HashingConsumer(consumer: DiscardingConsumer())
        }
        try checkGrain(outcomes.map(\.hashes), &findings, workers: workers)
    }

    /// - Parameter hashes: of the trips of all records, by worker.
    private func checkGrain(
        _ hashes: [[UInt64]], _ findings: inout ReadFindings, workers: Int
    ) throws(ExportError) {
        let repeated = RepeatedTripHashes.find(hashes, threads: workers)
        guard !repeated.isEmpty else { return }
        let check = GrainCheck(
            reader: self, repeated: repeated, accepted: hashes.reduce(0) { $0 + $1.count },
            hasSequence: hasSequenceAlone(findings))
        if let note = try check.run(workers: workers) { findings.notes.append(note) }
    }

    /// How the first records fit the lists, to guess what all of them hold; nil where records are composed, which needs all.
    ///
    /// - Returns: also whether these are all records.
    package func listUse(
        ofFirst records: Int
    ) throws(ExportError) -> (use: [CanonicalField: ListUse], isWhole: Bool)? {
        if composer != nil { return nil }
        let (outcomes, findings) = try readTrips(workers: 1) { _ in FirstRecords(limit: records) }
        return (findings.listUse, outcomes.allSatisfy(\.self))
    }

    /// The same, whatever the records are.
    func readTrips<Consumer: TripConsumer>(
        workers: Int, hasVersions: Bool = false, makeConsumer: @Sendable (_ worker: Int) -> Consumer
    ) throws(ExportError) -> (outcomes: [Consumer.Outcome], findings: ReadFindings) {
        if let composer { try composer.gather(self, workers: workers) }
        let results = try Workers.run(workers) { number throws(ExportError) in
            let worker = makeWorker()
            var batch = worker.makeBatch(hasVersions: hasVersions)
            var consumer = makeConsumer(number)
            while try worker.next(into: &batch) {
                guard try consumer.take(&batch, from: worker) else { break }
            }
            if let gatherer = worker.gatherer { self.request.identifiers?.add([gatherer]) }
            return (try consumer.finish(), worker.findings)
        }
        var findings = ReadFindings()
        for result in results { findings.merge(result.1) }
        if let composer { findings = try composer.findings(of: findings, file: name) }
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

/// Keeps nothing of the trips.
private struct DiscardingConsumer: TripConsumer {
    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool { true }
    mutating func finish() {}
}

/// Stops after some records. Its outcome is whether there were no more.
private struct FirstRecords: TripConsumer {
    let limit: Int
    private var count = 0

    init(limit: Int) { self.limit = limit }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
        count += batch.count
        return count < limit
    }

    mutating func finish() -> Bool { count < limit }
}

/// Notes which trip each record is of, for `RepeatedTripHashes`, and hands the batches on.
private struct HashingConsumer<Consumer: TripConsumer>: TripConsumer {
    var consumer: Consumer
    private var hashes: [UInt64] = []

    init(consumer: Consumer) { self.consumer = consumer }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) throws(ExportError) -> Bool {
        hashes += batch.keyHashes[..<batch.count]
        return try consumer.take(&batch, from: worker)
    }

    mutating func finish() throws(ExportError) -> (outcome: Consumer.Outcome, hashes: [UInt64]) {
        (try consumer.finish(), hashes)
    }
}

/// Runs the same work on a number of threads and gathers what each returns.
package enum Workers {
    /// - Parameters:
    ///   - count: number of calls; each gets its index.
    ///   - threads: 1 runs the calls in sequence.
    /// - Returns: in the order of the indices.
    package static func results<Result: Sendable>(
        of count: Int, threads: Int, _ work: @Sendable (Int) -> Result
    ) -> [Result] {
        guard threads > 1 else { return (0..<count).map(work) }
        let results = Mutex<[Int: Result]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = work(index)
            results.withLock { $0[index] = result }
        }
        let gathered = results.withLock { $0 }
        return (0..<count).compactMap { gathered[$0] }
    }

    /// - Returns: one result a worker, in the workers' order. The first error in that order is thrown.
    package static func run<Value: Sendable>(
        _ count: Int, _ work: @Sendable (Int) throws(ExportError) -> Value
    ) throws(ExportError) -> [Value] {
        let gathered = results(of: count, threads: count) { worker in
            Result { () throws(ExportError) in try work(worker) }
        }
        var values: [Value] = []
        var failures: [ExportError] = []
        for result in gathered {
            switch result {
            case .success(let value): values.append(value)
            case .failure(let error): failures.append(error)
            }
        }
        // A worker that stopped because another one failed is not the cause.
        if let cause = failures.first(where: { !$0.isConsequence }) ?? failures.first { throw cause }
        return values
    }
}
