import GRDB
import Trips

/// The statements on the tables of versions, prepared once a transaction: `trips` has the row of each trip that counts,
/// `older_versions` the others of its own exports, and `trip_parts`, of trips with parts only, the versions of the parts and the
/// newest own version as it was loaded.
final class VersionRows {
    private let insertNew: IntegerStatement
    private let insertOlder: IntegerStatement
    private let insertPart: IntegerStatement
    private let selectNewest: IntegerStatement
    private let selectOlder: IntegerStatement
    private let selectParts: IntegerStatement
    private let deleteNewest: IntegerStatement
    private let deleteOlder: IntegerStatement
    private let deleteParts: IntegerStatement
    private let changes: RowChanges
    private let journal: ReleaseJournal
    private let completion: TripCompletion
    private var begun: TripCompletion.Complete?
    /// Whether some trip of the store may have parts.
    private var hasParts: Bool

    init(_ db: Database, _ completion: TripCompletion) throws {
        self.completion = completion
        changes = RowChanges()
        journal = try ReleaseJournal(db, changes)
        hasParts = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM trip_parts)") ?? false
        let names = TripColumns.names, marks = TripColumns.marks
        insertNew = try IntegerStatement(
            db, "INSERT INTO trips (\(names)) VALUES (\(marks)) ON CONFLICT DO NOTHING")
        insertOlder = try IntegerStatement(
            db, "INSERT INTO older_versions (\(names), is_copy) VALUES (\(marks), ?)")
        insertPart = try IntegerStatement(
            db, "INSERT INTO trip_parts (\(names), is_own) VALUES (\(marks), ?)")
        let ofTrip = "WHERE key_high = ? AND key_low = ?"
        selectNewest = try IntegerStatement(db, "SELECT \(names) FROM trips \(ofTrip)")
        selectOlder = try IntegerStatement(db, "SELECT \(names) FROM older_versions \(ofTrip) ORDER BY export_id")
        selectParts = try IntegerStatement(db, "SELECT \(names), is_own FROM trip_parts \(ofTrip) ORDER BY export_id")
        deleteNewest = try IntegerStatement(
            db, "DELETE FROM trips WHERE month = ? AND key_high = ? AND key_low = ?")
        deleteOlder = try IntegerStatement(db, "DELETE FROM older_versions \(ofTrip)")
        deleteParts = try IntegerStatement(db, "DELETE FROM trip_parts \(ofTrip)")
    }

    // MARK: - Reading

    func trip(of key: TripKey, _ exports: LoadedExports) throws -> WholeTrip {
        let (versions, counted) = try versions(of: key)
        return WholeTrip(key, versions: versions, counted: counted, exports)
    }

    /// All versions of a trip as they were loaded, and the row that counts.
    func versions(of key: TripKey) throws -> (versions: [StoredTrip], counted: StoredTrip?) {
        var versions: [StoredTrip] = []
        var counted: StoredTrip?
        try selectNewest.forEachRow(key.high, key.low) { counted = try $0.readTrip() }
        try selectOlder.forEachRow(key.high, key.low) { versions.append(try $0.readTrip()) }
        guard hasParts else { return (versions + [counted].compactMap(\.self), counted) }
        var hasOwn = false, count = 0
        try selectParts.forEachRow(key.high, key.low) { row in
            versions.append(try row.readTrip())
            hasOwn = hasOwn || row.column(TripColumns.count) != 0
            count += 1
        }
        guard hasOwn == (count > 0 && counted != nil) else {
            throw StoreDamage(detail: "a trip with parts lacks its own version, or has two")
        }
        if let counted, !hasOwn { versions.append(counted) }
        return (versions, counted)
    }

    /// Whether there are parts of the trip.
    @inline(__always)
    func haveParts(of key: TripKey) throws -> Bool {
        guard hasParts else { return false }
        return try selectParts.first(key.high, key.low) { _ in true } ?? false
    }

    // MARK: - Writing

    /// False if a version of the trip is there already.
    @inline(__always)
    func insertIfNew(_ trip: StoredTrip) throws -> Bool { try insert(trip, isJournaled: true) }

    /// - Parameter isJournaled: whether the release counts the trip differently than before.
    @inline(__always)
    private func insert(_ trip: StoredTrip, isJournaled: Bool) throws -> Bool {
        insertNew.bind(trip)
        guard try insertNew.run() > 0 else { return false }
        changes.add(trip, to: .trips)
        if isJournaled { try journal.noteAdded(trip) }
        return true
    }

    /// Call it once, when all rows of the transaction are written.
    func writeChanges(_ db: Database) throws { try changes.write(db) }

    /// Writes what changed of a trip.
    ///
    /// - Parameters:
    ///   - after: without `counted`; a trip without versions is removed.
    ///   - isJournaled: false if nothing may be kept of what is replaced.
    /// - Returns: `after` with the row that counts.
    func replace(_ before: WholeTrip, by after: WholeTrip, isJournaled: Bool = true) throws -> WholeTrip {
        let complete = begun ?? completion.begin()
        begun = complete
        let after = try after.completed(after: before, by: complete)
        try replaceCounted(before.counted, by: after.counted, isJournaled: isJournaled)
        try replaceOlder(before.own, by: after.own, of: after.key)
        try replaceParts(before, by: after)
        return after
    }

    private func replaceCounted(_ old: StoredTrip?, by new: StoredTrip?, isJournaled: Bool) throws {
        guard old != new else { return }
        // If the release counts the trip as before, nothing is journaled.
        let isReleasedAlike = !isJournaled || old?.asReleased == new?.asReleased
        if let old {
            try delete(old)
            if !isReleasedAlike { try journal.noteChanged(old) }
        }
        if let new, try !insert(new, isJournaled: !isReleasedAlike) {
            throw StoreDamage(detail: "a trip is there twice")
        }
    }

    private func replaceOlder(_ before: TripHistory, by after: TripHistory, of key: TripKey) throws {
        let old = before.newest, new = after.newest
        let losers = after.versions.filter { $0.exportID != new?.exportID }
        if old == new, let new, before.versions.count + 1 == after.versions.count {
            // The usual case of a repeated trip: one more row.
            let known = Set(before.versions.map(\.exportID))
            for loser in losers where !known.contains(loser.exportID) { try insert(older: loser, newest: new) }
            return
        }
        guard before.versions.count > 1 || !losers.isEmpty else { return }
        try deleteOlder.run(key.high, key.low)
        for loser in before.versions where loser.exportID != old?.exportID {
            changes.remove(loser, from: .olderVersions)
        }
        if let new {
            for loser in losers { try insert(older: loser, newest: new) }
        }
    }

    private func replaceParts(_ before: WholeTrip, by after: WholeTrip) throws {
        let old = Self.partRows(of: before), new = Self.partRows(of: after)
        guard old != new else { return }
        if !old.isEmpty { try deleteParts.run(after.key.high, after.key.low) }
        for trip in old { changes.remove(trip, from: .tripParts) }
        for trip in new {
            insertPart.bind(trip)
            insertPart.bind(TripColumns.count + 1, trip == after.own.newest ? 1 : 0)
            try insertPart.run()
            changes.add(trip, to: .tripParts)
        }
        if !new.isEmpty { hasParts = true }
    }

    /// The rows of `trip_parts`.
    private static func partRows(of trip: WholeTrip) -> [StoredTrip] {
        trip.parts.isEmpty ? [] : trip.partVersions + [trip.own.newest].compactMap(\.self)
    }

    private func insert(older trip: StoredTrip, newest: StoredTrip) throws {
        insertOlder.bind(trip)
        insertOlder.bind(TripColumns.count + 1, trip.isCopy(of: newest) ? 1 : 0)
        try insertOlder.run()
        changes.add(trip, to: .olderVersions)
    }

    private func delete(_ trip: StoredTrip) throws {
        guard try deleteNewest.run(Int64(trip.facts.month), trip.key.high, trip.key.low) == 1 else {
            throw StoreDamage(detail: "a trip is not where its key says")
        }
        changes.remove(trip, from: .trips)
    }
}
