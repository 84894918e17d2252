import ExportBytes
import Intake
import KPIs
import Keys
import OutputScan
import Rules
import Trips

/// One export, read by all workers at once.
struct FileScan {
    let reader: ExportReader
    let plan: ScanRequest
    let classifier: Classifier
    let shape: KPITally.Shape
    /// Nil: trips are known to be unique.
    let index: VersionIndex?
    /// Where trips of exports that cannot be read again are put aside.
    let pages: SealedPages
    /// The exports of the run up to this one, if all of them can be read again; else none.
    let repeatable: [ExportReader]
    let progress: ScanProgress?

    /// The tally of the exports before this one: one worker goes on with it, so that no second one like it is held.
    let running: Handover<KPITally>

    func run() throws(ExportError) -> (outcomes: [ScanConsumer.Outcome], findings: ReadFindings) {
        let logs = index != nil && !reader.isRepeatable
        return try reader.read(workers: plan.workers, hasVersions: logs) { _ in
            ScanConsumer(self, log: logs ? TripLog(pages) : nil)
        }
    }
}

/// Classifies and tallies the trips that one worker reads, and notes where their records lie.
struct ScanConsumer: TripConsumer {
    struct Outcome: Sendable {
        var tally: KPITally
        var retraction: Retraction
        var overlap: ExportOverlap?
    }

    private let scan: FileScan
    private let retractsEarly: Bool
    private var classifier: Classifier
    private var tally: KPITally
    private var staging: VersionStaging?
    /// Nil: there is one export.
    private var overlap: ExportOverlap?
    /// For an export that cannot be read again.
    private let log: TripLog?
    private let retractor: TallyRetractor
    private var resolver: VersionResolver

    init(_ scan: FileScan, log: TripLog?) {
        self.scan = scan
        self.log = log
        // Without updated_at and sequence the order alone decides, which is known only at the end.
        retractsEarly = !scan.repeatable.isEmpty && scan.repeatable.allSatisfy(\.hasVersionFields)
        classifier = scan.classifier
        tally = scan.running.take() ?? KPITally(shape: scan.shape)
        staging = scan.index.map { VersionStaging($0) }
        overlap = scan.index == nil || scan.plan.inputs.count < 2 ? nil : ExportOverlap()
        let sources = scan.index == nil ? [] : scan.repeatable.map { LazyRereader($0) }
        retractor = TallyRetractor(classifier: scan.classifier, files: sources.count, shape: scan.shape)
        resolver = VersionResolver(sources: sources, retractor: retractor, mostOpen: scan.plan.mostOpen)
    }

    mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) throws(ExportError) -> Bool {
        if let bytes = scan.reader.bytesTaken(at: batch) { scan.progress?.reach(bytes) }
        classifier.classify(&batch, dictionaries: worker.dictionaries)
        tally.add(batch)
        if tally.hasTooManyMonths { throw .tooManyMonths(scan.reader.name) }
        overlap?.add(batch, hasContents: scan.reader.checksRepeats)
        guard let index = scan.index else { return true }
        if let log {
            let places = try log.append(batch)
            let export = scan.reader.fileIndex
            staging?.note(batch) { RecordLocation(export: export, offset: places[$0]).rawValue }
        } else {
            staging?.note(batch)
        }
        for partition in staging?.takeCrowded() ?? [] where retractsEarly {
            try index.retractEarly(partition) { pages throws(ExportError) in try resolver.retractEarly(pages) }
        }
        return true
    }

    mutating func finish() throws(ExportError) -> Outcome {
        staging?.flush()
        try log?.finish()
        let ids = try scan.plan.compared(&resolver)
        return Outcome(tally: tally, retraction: Retraction(retractor, resolver, ids), overlap: overlap)
    }
}

extension ExportError {
    /// Dates are read wrongly, or are not those of trips.
    static func tooManyMonths(_ file: String) -> ExportError {
        ExportError(
            kind: .malformed, file: file,
            problem: "its trips lie in more than \(KPITally.mostMonths) months (50 years), so dates are read wrongly",
            remedy: "correct the date patterns of the profile; `tripkpi scan --dry-run` shows how columns are read")
    }
}

/// Older versions of trips, to be subtracted from what was tallied.
struct Retraction: Sendable {
    let tally: KPITally
    let dropped: Int
    let unchanged: Int
    let replacedTrips: ReplacedSample

    init(_ retractor: TallyRetractor, _ resolver: VersionResolver, _ replacedTrips: ReplacedSample) {
        self.replacedTrips = replacedTrips
        tally = retractor.tally
        dropped = resolver.dropped
        unchanged = resolver.unchanged
    }
}

/// Classifies older versions as they were classified when they were added, and tallies them.
final class TallyRetractor: VersionRetractor {
    private(set) var tally: KPITally
    /// By file index: each learns the codes of one export's dictionaries, which mean other texts in another export.
    private var classifiers: [Classifier]
    private let freshClassifier: Classifier

    init(classifier: Classifier, files: Int, shape: KPITally.Shape) {
        tally = KPITally(shape: shape)
        classifiers = Array(repeating: classifier, count: files)
        freshClassifier = classifier
    }

    func retract(_ batch: inout TripBatch, dictionaries: [TextDictionary]?, file: Int) {
        if let dictionaries { classifiers[file].classify(&batch, dictionaries: dictionaries) }
        tally.add(batch)
    }

    func forgetDictionaries(file: Int) { classifiers[file] = freshClassifier }
}
