import GRDB
package import KPIs
package import Trips

/// Takes the records of one export into the store, within one transaction.
///
/// Nearly all trips of an export are new and cost one insert. Where a trip is there already, its whole history is read,
/// the newest version found anew, and what lost is noted to be taken back out of the tallies. What comes out is a
/// function of the set of versions, not of the order in which they come.
package final class ExportWriter {
    /// What an export did to the store.
    package struct Outcome: Sendable {
        /// Against what was there before; the losers within the export are among `unchanged` and `superseded`.
        package var counts = ReadCounts()
        package var copiesInside = 0
        package var supersededInside = 0
        package var trips = 0
        /// What does not count (any more) of what was tallied, and what counts again.
        package var retracted: KPITally
        package var restored: KPITally
        /// `Month.index` of every month in which something was added, changed or lost.
        package var months: Set<Int32> = []
        var change = StoreTotals()
    }

    private let db: Database
    private let rows: TripRows
    private let exportID: Int32
    private let shape: KPITally.Shape
    private let findRank: () throws -> ExportRank
    /// Of all exports, once a trip came that another export has too.
    private var ranks: [Int32: ExportRank] = [:]
    private var outcome: Outcome
    private var lost = TripBatch(capacity: 1024, textFields: [])
    private var found = TripBatch(capacity: 1024, textFields: [])
    private var repeats: [TripKey: RepeatedTrip] = [:]
    private var lastMonth = Int32.min
    private var unindexed: UnindexedKeys?

    /// - Parameters:
    ///   - unindexedTrips: not 0 only if the store is empty: so many trips are taken in before their keys are indexed.
    ///   - rank: the export's own rank; asked for once, and only if nothing else can tell two versions apart.
    init(
        _ db: Database, exportID: Int32, shape: KPITally.Shape, unindexedTrips: Int,
        rank findRank: @escaping () throws -> ExportRank
    ) throws {
        if unindexedTrips > 0 { unindexed = try UnindexedKeys(db, limit: unindexedTrips) }
        self.db = db
        self.exportID = exportID
        self.shape = shape
        self.findRank = findRank
        rows = try TripRows(db)
        outcome = Outcome(retracted: KPITally(shape: shape), restored: KPITally(shape: shape))
    }

    /// Takes in versions; fastest in the order of month and key.
    package func insert(_ trips: [StoredTrip]) throws {
        guard var keys = unindexed.take() else {
            for trip in trips { try insert(trip) }
            return
        }
        for trip in trips where !keys.postpones(trip) { try insert(trip) }
        unindexed = keys
        if keys.isFull { try index() }
    }

    /// From here on a trip may meet what is there of it.
    private func index() throws {
        guard let keys = unindexed.take() else { return }
        for trip in try keys.index(db) { try insert(trip) }
    }

    private func insert(_ trip: StoredTrip) throws {
        if trip.facts.month != lastMonth {
            lastMonth = trip.facts.month
            outcome.months.insert(lastMonth)
        }
        var trip = trip
        trip.exportID = exportID
        if try rows.insertIfNew(trip) {
            outcome.counts.added += 1
            outcome.trips += 1
            outcome.change.trips += 1
        } else {
            try settle(trip)
        }
    }

    private func settle(_ trip: StoredTrip) throws {
        let history = try history(of: trip)
        let others = history.without(exportID)
        if let own = history.version(of: exportID) {
            repeats[trip.key, default: RepeatedTrip(own)].add(trip)
            guard (own.version, own.recordOffset) < (trip.version, trip.recordOffset) else { return try retract(trip) }
            note(others.disposition(of: own), -1)
        } else {
            outcome.trips += 1
        }
        note(others.disposition(of: trip), 1)
        let settled = others.with(trip)
        if let before = history.newest, let after = settled.newest {
            // The tally holds the newest version from before, and this one as it came.
            if after.exportID == exportID {
                try retract(before)
            } else {
                try retract(trip)
                if before != after {
                    try retract(before)
                    try restore(after)
                }
            }
        }
        try rows.replace(history, by: settled)
        outcome.change.add(history.losers, -1)
        outcome.change.add(settled.losers, 1)
    }

    private func history(of trip: StoredTrip) throws -> TripHistory {
        let versions = try rows.history(of: trip.key)
        if ranks.isEmpty, versions.contains(where: { $0.exportID != exportID }) { ranks = try TripStore.ranks(db) }
        let isTied = versions.contains { $0.exportID != exportID && $0.version == trip.version }
        if isTied, ranks[exportID] == nil { ranks[exportID] = try findRank() }
        return TripHistory(versions, ranks: ranks)
    }

    private func note(_ disposition: TripHistory.Disposition, _ count: Int) {
        switch disposition {
        case .added: outcome.counts.added += count
        case .updated: outcome.counts.updated += count
        case .unchanged: outcome.counts.unchanged += count
        case .superseded: outcome.counts.superseded += count
        }
    }

    private func retract(_ trip: StoredTrip) throws {
        outcome.months.insert(trip.facts.month)
        try lost.append(stored: trip.facts, for: shape)
        if lost.count == lost.capacity { flush() }
    }

    private func restore(_ trip: StoredTrip) throws {
        outcome.months.insert(trip.facts.month)
        try found.append(stored: trip.facts, for: shape)
        if found.count == found.capacity { flush() }
    }

    private func flush() {
        outcome.retracted.add(lost)
        lost.count = 0
        outcome.restored.add(found)
        found.count = 0
    }

    /// - Parameter rank: the export's, now that all of it is read.
    func finish(rank: ExportRank) throws -> Outcome {
        try index()
        if let assumed = ranks[exportID], assumed != rank {
            throw StoreError.inconsistent("an export is not as old as it was said to be")
        }
        flush()
        try rows.writeDigests()
        for trip in repeats.values {
            outcome.copiesInside += trip.copies
            outcome.supersededInside += trip.superseded
        }
        outcome.counts.unchanged += outcome.copiesInside
        outcome.counts.superseded += outcome.supersededInside
        return outcome
    }
}

/// A trip that comes several times in one export: how many of its records say the same as the newest of them.
private struct RepeatedTrip {
    /// What a record says, by two independent hashes; in memory only.
    private struct Content: Hashable {
        var first: Int
        var second: Int

        init(_ trip: StoredTrip) {
            first = Self.hash(trip, salt: 1)
            second = Self.hash(trip, salt: 2)
        }

        private static func hash(_ trip: StoredTrip, salt: Int) -> Int {
            var hasher = Hasher()
            hasher.combine(salt)
            hasher.combine(trip.version)
            hasher.combine(trip.facts)
            return hasher.finalize()
        }
    }

    private var records: [Content: Int] = [:]
    private var newest: (version: TripVersion, offset: Int, content: Content)

    init(_ trip: StoredTrip) {
        let content = Content(trip)
        records[content] = 1
        newest = (trip.version, trip.recordOffset, content)
    }

    mutating func add(_ trip: StoredTrip) {
        let content = Content(trip)
        records[content, default: 0] += 1
        if (newest.version, newest.offset) < (trip.version, trip.recordOffset) {
            newest = (trip.version, trip.recordOffset, content)
        }
    }

    var copies: Int { (records[newest.content] ?? 1) - 1 }
    var superseded: Int { records.values.reduce(0, +) - 1 - copies }
}
