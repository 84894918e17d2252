import Basics
import KPIs
import Store
import TestSupport
import Trips

/// Made-up versions of trips, and the store they go to.
enum StoreFixture {
    static let shape = KPITally.Shape(regionCount: 5, tripTypeCount: 3, maximumIntervalSeconds: 86_400)

    static func store(
        _ name: String, in folder: borrowing TemporaryFolder, unindexedTrips: Int = 1000
    ) throws -> TripStore {
        let store = try TripStore(
            path: folder.path(of: name + ".sqlite"),
            identity: TripStore.Identity(keyFingerprint: "00", rulesName: "none", rulesVersion: "0"), isDurable: false,
            unindexedTrips: unindexedTrips)
        try store.adopt(
            regions: NamedList(["North", "South", "East", "West"]), tripTypes: NamedList(["Emergency", "Routine"]))
        return store
    }

    /// An export of made-up trips; few keys and few values, so that versions meet and tie.
    struct Export: Sendable {
        var sha256: String
        /// Nil: only its content tells.
        var asOf: Int?
        var modifiedNs: Int
        var bytes: Int
        var trips: [StoredTrip]
        /// Of a supplement.
        var partSource: String?

        var contentAsOf: Int { trips.map(\.version.updatedAt).max() ?? 0 }
    }

    /// An export without a date in its name.
    static func export(_ name: Character, _ trips: [StoredTrip]) -> Export {
        Export(sha256: String(repeating: name, count: 64), asOf: nil, modifiedNs: 1, bytes: 1, trips: trips)
    }

    /// Fills in the parts, and classifies by what the fixture's trips are classified by.
    static let completion = TripCompletion {
        { own, parts in
            var trip = own
            for part in parts { trip.fill(from: part) }
            trip.sourcing = sourcing(of: trip)
            return trip
        }
    }

    static func sourcing(of facts: TripFacts) -> UInt8 { facts.loadedHundredths == 250 ? 1 : facts.region * 2 }

    static func exports(_ random: inout SplitMix64, count: Int, trips: Int, rows: Int) -> [Export] {
        (0..<count).map { number in
            let digits = String(number, radix: 16)
            return Export(
                sha256: String(repeating: "0", count: 8 - digits.count) + digits
                    + String(repeating: "a", count: 56),
                asOf: Bool.random(using: &random) ? Int.random(in: 0...3, using: &random) : nil,
                modifiedNs: Int.random(in: 1...2, using: &random), bytes: Int.random(in: 1...2, using: &random),
                trips: (0..<Int.random(in: 0...rows, using: &random)).map { row in
                    trip(Int64.random(in: 0..<Int64(trips), using: &random), offset: row * 10, &random)
                })
        }
    }

    static func trip(_ key: Int64, offset: Int, _ random: inout SplitMix64) -> StoredTrip {
        var facts = TripFacts()
        facts.month = Int32(2025 * 12) + Int32.random(in: 0...2, using: &random)
        facts.day = CivilDay.days(year: 2025, month: Int(facts.month % 12) + 1, day: 1)
        facts.status = UInt8.random(in: 0...3, using: &random)
        facts.region = UInt8.random(in: 0...1, using: &random)
        facts.costCents = Bool.random(using: &random) ? 100 : AmountState.absent
        facts.loadedHundredths = [AmountState.absent, 0, 250].randomElement(using: &random) ?? 0
        // Of one export, records with the same facts have the same classification.
        facts.sourcing = sourcing(of: facts)
        facts.patient = UInt64.random(in: 0...2, using: &random)
        facts.intervals[0] = [-1, 0, 1, 700, 5000].randomElement(using: &random) ?? 0
        // Two lanes are not used, and not kept.
        facts.intervals[6] = 0
        return StoredTrip(
            key: TripKey(high: key * 3 - 7, low: key), exportID: 0, recordOffset: offset,
            version: TripVersion(
                updatedAt: Int.random(in: 0...2, using: &random),
                sequence: Bool.random(using: &random) ? 1 : AmountState.absent),
            facts: facts)
    }

    /// Loads exports in this order, with a settlement after each group.
    static func load(_ groups: [[Export]], into store: TripStore, _ random: inout SplitMix64) throws {
        for group in groups {
            var session = try store.session(shape: shape, completion: completion)
            for export in group { try load(export, into: store, session: &session, &random) }
            try store.refreshTallies(session, workers: 1)
        }
    }

    /// Another order, several sessions, some of them never settled, with exports that come and go in between.
    static func loadWithDetours(
        _ exports: [Export], into store: TripStore, _ random: inout SplitMix64
    ) throws {
        let visitor = self.exports(&random, count: 1, trips: 12, rows: 20).map { export in
            var export = export
            export.sha256 = String(repeating: "f", count: 64)
            return export
        }
        var waiting = exports.shuffled(using: &random)
        var loaded: [Export] = []
        var hasVisitor = false
        while !waiting.isEmpty || hasVisitor {
            var session = try store.session(shape: shape, completion: completion)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                switch Int.random(in: 0...5, using: &random) {
                case 0...2:
                    guard let export = waiting.popLast() else { continue }
                    try load(export, into: store, session: &session, &random)
                    loaded.append(export)
                case 3:
                    guard let export = loaded.popLast() else { continue }
                    try store.withdraw(export.sha256, at: 0, session: &session)
                    waiting.insert(export, at: 0)
                case 4:
                    guard let export = loaded.randomElement(using: &random) else { continue }
                    try load(export, into: store, session: &session, &random, replacing: true)
                default:
                    guard let export = visitor.first else { continue }
                    if hasVisitor {
                        try store.withdraw(export.sha256, at: 0, session: &session)
                    } else {
                        try load(export, into: store, session: &session, &random)
                    }
                    hasVisitor.toggle()
                }
            }
            // A session that ends without this is one that was killed.
            if Bool.random(using: &random) { try store.refreshTallies(session, workers: 2) }
        }
        try store.refreshTallies(try store.session(shape: shape), workers: 1)
    }

    static func record(_ export: Export) -> ExportRecord {
        ExportRecord(
            sha256: export.sha256, label: "export", source: export.partSource ?? "test",
            supplements: export.partSource == nil ? nil : "test", asOf: export.asOf, bytes: export.bytes,
            modifiedNs: export.modifiedNs, profileVersion: "1", dateBasis: "as printed", intervalPairs: "",
            maximumIntervalSeconds: 86_400,
            loadedAt: 0)
    }

    @discardableResult
    static func load(
        _ export: Export, into store: TripStore, session: inout LoadSession, _ random: inout SplitMix64,
        replacing: Bool = false
    ) throws -> ReadCounts {
        let trips = export.trips.shuffled(using: &random)
        return try store.load(
            UnreadExport(record(export), findAsOf: { export.contentAsOf }), session: &session, replacing: replacing
        ) { load in
            // In parts, as workers hand them over.
            let first = Int.random(in: 0...trips.count, using: &random)
            try load.insert(Array(trips[..<first]))
            try load.insert(Array(trips[first...]))
            return try load.finish(figures(trips, of: export))
        }.counts
    }

    /// What a reader of these trips says at the end.
    static func figures(_ trips: [StoredTrip], of export: Export) -> ExportFigures {
        var counts = ReadCounts()
        counts.read = trips.count
        var tally = KPITally(shape: shape)
        tally.add(batch(trips))
        return ExportFigures(
            asOf: export.contentAsOf, counts: counts, rejectsByReason: [:], rejects: [], tally: tally)
    }

    static func batch(_ trips: [StoredTrip]) -> TripBatch {
        var batch = TripBatch(capacity: max(1, trips.count), textFields: [])
        for (row, trip) in trips.enumerated() {
            batch.month[row] = trip.facts.month
            batch.day[row] = trip.facts.day
            batch.status[row] = trip.facts.status
            batch.region[row] = trip.facts.region
            batch.costCents[row] = trip.facts.costCents
            batch.loadedHundredths[row] = trip.facts.loadedHundredths
            batch.sourcing[row] = trip.facts.sourcing
            batch.patientHashes[row] = trip.facts.patient
            for interval in 0..<6 { batch.intervals[interval][row] = trip.facts.intervals[interval] }
        }
        batch.count = trips.count
        return batch
    }

    /// Releases every month as it is.
    ///
    /// - Returns: its figures.
    @discardableResult
    static func release(_ store: TripStore) throws -> KPITally {
        let tally = try store.tally(shape: shape)
        try store.add(
            tally.monthsMet.map {
                StoredRelease(
                    month: $0, releasedAt: 1, rulesVersion: "0", partition: [], tally: tally.encoded(month: $0),
                    maximumIntervalSeconds: shape.maximumIntervalSeconds)
            })
        return tally
    }

    /// The numbers of the store as text, to be compared.
    static func table(_ tally: KPITally) -> String {
        let context = KPITally.TableContext(
            regions: NamedList(["North", "South", "East", "West"]), tripTypes: NamedList(["Emergency", "Routine"]),
            intervalPairs: [:])
        guard let table = tally.table(context) else { return "unsure" }
        return table.cells.map { "\($0)" }.joined(separator: "\n")
    }
}
