import ExportBytes
import Intake
import Profiles
import Rules
import Trips

/// Makes what a use case keeps of a trip.
protocol TripMaker: Sendable {
    /// The rows of a batch, as trips are made of them.
    associatedtype Columns
    /// What is kept of a trip.
    associatedtype Trip: Sendable

    func columns(_ batch: TripBatch, _ dictionaries: [TextDictionary]) -> Columns
    mutating func trip(_ columns: Columns, row: Int) -> Trip
}

/// The newest version of each trip of exports that are read one after another. All are held.
struct NewestTrips<Maker: TripMaker>: Sendable {
    private(set) var trips: [Maker.Trip] = []
    private var records: NewestRecords
    /// Nil: not looked for.
    private var overlap: ExportOverlap?
    private let isUnique: Bool

    /// - Parameters:
    ///   - isUnique: whether no trip comes twice: then nothing is compared.
    ///   - findsOverlap: whether trips of several exports are compared for `check`.
    init(isUnique: Bool = false, findsOverlap: Bool = false) {
        self.isUnique = isUnique
        overlap = findsOverlap && !isUnique ? ExportOverlap() : nil
        records = NewestRecords(isUnique: isUnique)
    }

    /// Records that are not the newest of their trip.
    var superseded: Int { records.superseded }

    /// Throws if exports that were read have trips of each other under other ids, or other trips under one id.
    ///
    /// - Parameter names: of the exports.
    func check(_ names: [String], _ plan: ScanRequest) throws(ExportError) {
        guard !isUnique else { return }
        if plan.profile?.records != .versions { try records.replacedTrips.check(names, namesPlaces: plan.hasPlaces) }
        try overlap?.check(names)
    }

    /// Reads the next export on the calling thread.
    ///
    /// - Parameter maker: of this export's trips; afterwards as it is after the last one.
    mutating func read(
        _ reader: ExportReader, _ classifier: Classifier, _ maker: inout Maker
    ) throws(ExportError) -> ReadFindings {
        // The trips move to the one worker and back: a copy would hold all of them twice.
        let handover = Handover(self)
        self = NewestTrips(isUnique: isUnique)
        let (isUnique, first) = (isUnique, maker)
        let (outcomes, findings) = try reader.read(workers: 1, hasVersions: true) { _ in
            Consumer(
                newest: handover.take() ?? NewestTrips(isUnique: isUnique), maker: first, classifier: classifier,
                hasContents: reader.checksRepeats)
        }
        for outcome in outcomes { (self, maker) = outcome }
        return findings
    }

    private struct Consumer: TripConsumer {
        var newest: NewestTrips
        var maker: Maker
        var classifier: Classifier
        let hasContents: Bool

        mutating func take(_ batch: inout TripBatch, from worker: ExportWorker) -> Bool {
            classifier.classify(&batch, dictionaries: worker.dictionaries)
            let hasContents = hasContents
            newest.overlap?.add(batch, hasContents: hasContents)
            let columns = maker.columns(batch, worker.dictionaries)
            for row in 0..<batch.count {
                switch newest.records.add(batch, row: row) {
                case .firstOfTrip: newest.trips.append(maker.trip(columns, row: row))
                case .newer(let place): newest.trips[place] = maker.trip(columns, row: row)
                case .older: break
                }
            }
            return true
        }

        mutating func finish() -> (NewestTrips, Maker) {
            let taken = newest
            newest = NewestTrips()
            return (taken, maker)
        }
    }
}
