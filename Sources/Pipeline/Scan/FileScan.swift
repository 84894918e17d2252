import OutputScan
import Classification
import Intake
import KPIs
import Trips

/// One export, read by all workers at once.
struct FileScan {
    /// What one worker brings home.
    struct Share: Sendable {
        var tally: KPITally
        var read: ReadShare
        var log: TripLog
        var weeded: Weeded
    }

    /// Older versions that were found while the export was still being read.
    struct Weeded: Sendable {
        var retracted: KPITally
        var dropped: Int
        var unchanged: Int
    }

    let reader: ExportReader
    let plan: ScanPlan
    let classifier: Classifier
    let shape: KPITally.Shape
    /// Nil: trips are known to be unique.
    let index: VersionIndex?
    /// The exports of the run up to this one, if all of them can be read again; else none.
    let repeatable: [ExportReader]
    let progress: ScanProgress?

    /// What the exports before this one came to: one worker goes on with it, so that no second one like it is held.
    let running: RunningTally

    func run() throws(ScanError) -> [Share] {
        try Workers.run(plan.workers) { worker throws(ExportError) in try share(worker) }
    }

    private func share(_ number: Int) throws(ExportError) -> Share {
        let worker = reader.makeWorker()
        // Without updated_at and sequence the order alone decides, which is known only at the end.
        let weeds = !repeatable.isEmpty && repeatable.allSatisfy(\.hasVersionFields)
        let logs = index != nil && !reader.isRepeatable
        var batch = worker.makeBatch(hasVersions: logs)
        var classifier = classifier
        var tally = running.take() ?? KPITally(shape: shape)
        var staging = index.map { VersionStaging($0) }
        var log = TripLog()
        let fileTag = reader.fileIndex << 48
        var resolver = VersionResolver(
            stores: index == nil ? [] : repeatable.map { .file(Rereading($0)) }, classifier: classifier, shape: shape,
            mostOpen: plan.mostOpen)
        while try worker.next(into: &batch) {
            if let progress, batch.count > 0 {
                progress.reach(reader.bytesTaken(atRecordOffset: batch.offsets[0] & 0xFFFF_FFFF_FFFF))
            }
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
            for partition in staging?.takeCrowded() ?? [] where weeds {
                try index?.weed(partition) { pages throws(ExportError) in try resolver.weed(pages) }
            }
        }
        staging?.flush()
        if let gatherer = worker.gatherer { plan.identifiers?.add([gatherer]) }
        return Share(
            tally: tally, read: ReadShare(worker), log: log,
            weeded: Weeded(
                retracted: resolver.retracted, dropped: resolver.dropped, unchanged: resolver.unchanged))
    }
}
