import GRDB
import KPIs
import Trips

/// Takes the records of one export into the store, within one transaction.
///
/// Nearly all trips of an export are new and cost one insert. Where a trip is there already, its whole history is read
/// and its newest version determined again; versions that lose are retracted from the tallies. The result depends on the
/// set of versions, not on the order in which they come.
package final class ExportWriter {
    /// What an export did to the store.
    struct Outcome {
        /// Against the store as it was before; versions that lose within the export are among `unchanged` and
        /// `superseded`.
        var counts = ReadCounts()
        var copiesInside = 0
        var supersededInside = 0
        var trips = 0
        /// Trips of which another export has other values, and nothing says which export is later.
        var undecided: Set<TripKey> = []
        /// Trips of a supplement of which no export has more than a part.
        var waiting = 0
        /// Trips of a supplement that have a cost in another supplement too.
        var doublyCosted: Set<TripKey> = []
        /// Records of what was removed from the store.
        var keptOut = 0
        var replacedTrips = ReplacedTrips()
        var change: StoreChange
    }

    private let db: Database
    private let rows: VersionRows
    private let exportID: Int32
    private let findRank: () throws -> ExportRank
    /// Nil: nothing was removed.
    private let keptOut: KeptOut?
    /// The source of a supplement; nil: the export's trips are its own.
    private let partSource: String?
    /// Of all exports, once a trip came that another export has too.
    private var exports: LoadedExports?
    private var outcome: Outcome
    private var repeats: [TripKey: RepeatedTrip] = [:]
    private var lastMonth = Int32.min
    private var unindexed: UnindexedKeys?

    /// - Parameters:
    ///   - partSource: the source of a supplement; nil: the export's trips are its own.
    ///   - unindexedTrips: not 0 only if the store is empty: so many trips are inserted before their keys are indexed.
    ///   - rank: the export's own rank; called once, and only if two versions are equal otherwise.
    init(
        _ db: Database, exportID: Int32, partSource: String?, shape: KPITally.Shape, completion: TripCompletion,
        unindexedTrips: Int, rank findRank: @escaping () throws -> ExportRank
    ) throws {
        if unindexedTrips > 0, partSource == nil { unindexed = try UnindexedKeys(db, limit: unindexedTrips) }
        self.db = db
        self.exportID = exportID
        self.partSource = partSource
        self.findRank = findRank
        let removed = try KeptOut(db)
        keptOut = removed.isEmpty ? nil : removed
        rows = try VersionRows(db, completion)
        outcome = Outcome(change: StoreChange(shape: shape))
    }

    /// Inserts versions; fastest in the order of month and key.
    package func insert(_ trips: [StoredTrip]) throws {
        guard var keys = unindexed.take() else {
            for trip in trips { try insert(trip) }
            return
        }
        for trip in trips where !keys.postpones(trip) { try insert(trip) }
        unindexed = keys
        if keys.isFull { try index() }
    }

    /// From here on a trip may meet its other versions.
    private func index() throws {
        guard let keys = unindexed.take() else { return }
        for trip in try keys.index(db) { try insert(trip) }
    }

    private func insert(_ trip: StoredTrip) throws {
        var trip = trip
        trip.exportID = exportID
        if let keptOut, keptOut.refuses(trip, isPart: partSource != nil) { return try keepOut(trip) }
        if partSource != nil { return try merge(trip) }
        if trip.facts.month != lastMonth {
            lastMonth = trip.facts.month
            outcome.change.months.insert(lastMonth)
        }
        if try !rows.haveParts(of: trip.key), try rows.insertIfNew(trip) {
            outcome.counts.added += 1
            outcome.trips += 1
            outcome.change.totals.trips += 1
        } else {
            try merge(trip)
        }
    }

    private func keepOut(_ trip: StoredTrip) throws {
        outcome.keptOut += 1
        try retractRead(trip)
    }

    /// Adds a version to a trip that is there already, or a part to a trip that may be.
    private func merge(_ trip: StoredTrip) throws {
        let (versions, counted) = try rows.versions(of: trip.key)
        let before = WholeTrip(trip.key, versions: versions, counted: counted, try exports(for: trip, versions))
        let history = before.history(ofExport: exportID)
        let others = history.without(exportID)
        if let own = history.version(of: exportID) {
            repeats[trip.key, default: RepeatedTrip(own)].add(trip)
            guard (own.version, own.recordOffset) < (trip.version, trip.recordOffset) else {
                return try retractRead(trip)
            }
            outcome.counts[keyPath: others.count(of: own)] -= 1
        } else {
            outcome.trips += 1
        }
        outcome.counts[keyPath: others.count(of: trip)] += 1
        if others.with(trip).isUndecided(trip) { outcome.undecided.insert(trip.key) }
        let after = try rows.replace(before, by: before.with(trip))
        compare(trip, before, ofOthers: others.newest, isLater: after.history(ofExport: exportID).newest == trip)
        noteCost(of: trip, before)
        // The tally has the row from before, and every record of this export.
        if after.counted == trip {
            if let row = before.counted { try outcome.change.retract(row) }
        } else {
            try retractRead(trip)
            if after.counted != before.counted {
                if let row = before.counted { try outcome.change.retract(row) }
                if let row = after.counted { try outcome.change.restore(row) }
            }
        }
        outcome.change.totals.replace(before, by: after)
    }

    /// Compares a record with the newest of its trip; one without a version only with those of other exports. A part and its trip are
    /// compared too.
    ///
    /// - Parameter isLater: whether the record counts rather than that one.
    private func compare(_ trip: StoredTrip, _ before: WholeTrip, ofOthers other: StoredTrip?, isLater: Bool) {
        let newest = before.history(ofExport: exportID).newest
        let isStated = { (version: StoredTrip?) in version.map { $0.version != TripVersion() } ?? false }
        let haveVersions = isStated(trip) || isStated(newest)
        if let other = haveVersions ? newest : other, other.facts != trip.facts {
            let (later, earlier) = isLater ? (trip, other) : (other, trip)
            outcome.replacedTrips.compare(
                .init(later), replacing: .init(earlier),
                versions: !haveVersions
                    ? .none : !isStated(earlier) && earlier.exportID != later.exportID ? .onlyOfLater : .stated,
                at: RecordPair(later: later.location, earlier: earlier.location))
        }
        let ties = partSource == nil ? before.parts.values.compactMap(\.newest) : [before.own.newest].compactMap(\.self)
        for tie in ties {
            outcome.replacedTrips.compare(
                partDay: trip.facts.day, withTripDay: tie.facts.day,
                at: RecordPair(later: trip.location, earlier: tie.location))
        }
    }

    /// Notes a record of a supplement that has a cost, if another supplement has one too.
    private func noteCost(of trip: StoredTrip, _ before: WholeTrip) {
        let isCosted = { (part: StoredTrip) in
            part.facts.costCents != AmountState.absent && part.facts.status != TripStatus.void.rawValue
        }
        guard let partSource, isCosted(trip) else { return }
        let others = before.parts.filter { $0.key != partSource }.values.compactMap(\.newest)
        if others.contains(where: isCosted) { outcome.doublyCosted.insert(trip.key) }
    }

    /// Takes a record that does not count as it was read out of the tally. The tally has no records of supplements.
    private func retractRead(_ trip: StoredTrip) throws {
        if partSource == nil { try outcome.change.retract(trip) }
    }

    /// - Parameter versions: of the trip, as the store has them.
    private func exports(for trip: StoredTrip, _ versions: [StoredTrip]) throws -> LoadedExports {
        if exports == nil {
            exports = try LoadedExports(db)
            exports?.partSources[exportID] = partSource
        }
        let isTied = versions.contains { $0.exportID != exportID && $0.version == trip.version }
        if isTied, exports?.ranks[exportID] == nil { exports?.ranks[exportID] = try findRank() }
        return exports ?? LoadedExports()
    }

    /// Writes digests, costs and totals, and marks the months stale.
    ///
    /// - Parameter rank: the export's, now that all of it is read.
    func finish(rank: ExportRank) throws -> Outcome {
        try index()
        if let assumed = exports?.ranks[exportID], assumed != rank {
            throw StoreError.inconsistent("the date of an export has changed while it was read")
        }
        try rows.writeChanges(db)
        try outcome.change.finish(db)
        if partSource != nil {
            outcome.waiting = try TripStore.waitingParts(ofExport: exportID, db)
            // What is new is a part of a trip, and no trip.
            outcome.counts.merged = outcome.counts.added
            outcome.counts.added = 0
        }
        for trip in repeats.values {
            outcome.copiesInside += trip.copies
            outcome.supersededInside += trip.superseded
        }
        outcome.counts.unchanged += outcome.copiesInside
        outcome.counts.superseded += outcome.supersededInside
        return outcome
    }
}

/// A trip that comes several times in one export: how many of its records are copies of the newest of them.
private struct RepeatedTrip {
    /// By content.
    private var records: [SIMD2<Int>: Int] = [:]
    private var newest: (rank: RecordRank<Int>, content: SIMD2<Int>)

    init(_ trip: StoredTrip) {
        let content = Self.content(of: trip)
        records[content] = 1
        newest = (Self.rank(trip), content)
    }

    /// The content of a record, as two independent hashes; in memory only.
    private static func content(of trip: StoredTrip) -> SIMD2<Int> {
        func hash(salt: Int) -> Int {
            var hasher = Hasher()
            hasher.combine(salt)
            hasher.combine(trip.version)
            hasher.combine(trip.facts)
            return hasher.finalize()
        }
        return SIMD2(hash(salt: 1), hash(salt: 2))
    }

    mutating func add(_ trip: StoredTrip) {
        let content = Self.content(of: trip)
        records[content, default: 0] += 1
        if newest.rank < Self.rank(trip) {
            newest = (Self.rank(trip), content)
        }
    }

    /// All records are of one export.
    private static func rank(_ trip: StoredTrip) -> RecordRank<Int> {
        RecordRank(trip.version, export: 0, offset: trip.recordOffset)
    }

    var copies: Int { (records[newest.content] ?? 1) - 1 }
    var superseded: Int { records.values.reduce(0, +) - 1 - copies }
}

/// The keys of a store's first trips while there is no index of them: building the index over all of them costs a third
/// of building it trip by trip.
///
/// A repeated trip waits until the index is built, because only the index finds the other version.
private struct UnindexedKeys {
    /// One bit for each value of some bits of a key, set once a trip has that value. A trip that only shares these bits
    /// with an earlier one waits too, and is inserted as new afterwards: with `bitsPerTrip` at most one in as many.
    private var seen: [UInt64]
    private let mask: UInt64
    private var trips = 0
    private var postponed: [StoredTrip] = []
    private let limit: Int

    private static let bitsPerTrip = 64
    private static let mostPostponed = 1 << 16

    /// - Parameter limit: of trips, to limit the memory.
    init(_ db: Database, limit: Int) throws {
        self.limit = limit
        var words = 1
        while words * UInt64.bitWidth < limit * Self.bitsPerTrip { words *= 2 }
        seen = [UInt64](repeating: 0, count: words)
        mask = UInt64(words * UInt64.bitWidth - 1)
        try db.execute(sql: "DROP INDEX trips_by_key")
    }

    /// Whether the trip has to wait.
    @inline(__always)
    mutating func postpones(_ trip: StoredTrip) -> Bool {
        // Keys are pseudonyms: all of their bits are evenly distributed.
        let position = UInt64(bitPattern: trip.key.low) & mask
        let word = Int(position / 64), bit = 1 << (position % 64) as UInt64
        if seen[word] & bit == 0 {
            seen[word] |= bit
            trips += 1
            return false
        }
        postponed.append(trip)
        return true
    }

    var isFull: Bool { trips >= limit || postponed.count >= Self.mostPostponed }

    /// Builds the index.
    ///
    /// - Returns: the trips that waited.
    consuming func index(_ db: Database) throws -> [StoredTrip] {
        seen = []
        try db.execute(sql: StoreSchema.keyIndex)
        return postponed
    }
}
