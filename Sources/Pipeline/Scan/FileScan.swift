import Classification
import Intake
import KPIs
import Trips

/// One export, read by all workers at once.
struct FileScan {
    /// What one worker brings home.
    struct Share: Sendable {
        var tally: KPITally
        var counts: ReadCounts
        var rejectsByReason: [RejectReason: Int]
        var recordsByBlock: [Int: Int]
        /// Numbers the kept rejections once the records of all blocks are known.
        var rejections: @Sendable ([Int: Int]) -> [Rejection]
        var log: TripLog
    }

    let reader: ExportReader
    let plan: ScanPlan
    let classifier: Classifier
    let shape: KPITally.Shape
    /// Nil: trips are known to be unique.
    let index: VersionIndex?

    func run() throws(ScanError) -> [Share] {
        try Workers.run(plan.workers) { worker throws(ExportError) in try share(worker) }
    }

    private func share(_ number: Int) throws(ExportError) -> Share {
        let worker = reader.makeWorker()
        let logs = index != nil && !reader.isRepeatable
        var batch = worker.makeBatch(hasVersions: logs)
        var classifier = classifier
        var tally = KPITally(shape: shape)
        var staging = index.map { VersionStaging($0) }
        var log = TripLog()
        let fileTag = reader.fileIndex << 48
        while try worker.next(into: &batch) {
            classifier.classify(&batch, dictionaries: worker.dictionaries)
            tally.add(batch)
            if logs {
                var places: [Int] = []
                places.reserveCapacity(batch.count)
                for row in 0..<batch.count {
                    places.append(fileTag | VersionStore.place(log.append(batch, row: row), worker: number))
                }
                staging?.note(batch) { places[$0] }
            } else {
                staging?.note(batch)
            }
        }
        staging?.flush()
        return Share(
            tally: tally, counts: worker.counts, rejectsByReason: worker.rejectsByReason,
            recordsByBlock: worker.recordsByBlock, rejections: worker.numberedRejections, log: log)
    }
}
