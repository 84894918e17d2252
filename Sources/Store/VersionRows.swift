import GRDB
import Trips

/// The statements on `trips` and `older_versions`, prepared once a transaction.
struct VersionRows {
    private let insertNew: IntegerStatement
    private let insertOlder: IntegerStatement
    private let selectNewest: IntegerStatement
    private let selectOlder: IntegerStatement
    private let deleteNewest: IntegerStatement
    private let deleteOlder: IntegerStatement
    private let changes: RowChanges
    private let journal: ReleaseJournal

    init(_ db: Database) throws {
        changes = RowChanges()
        journal = try ReleaseJournal(db, changes)
        let names = TripColumns.names, marks = TripColumns.marks
        insertNew = try IntegerStatement(
            db, "INSERT INTO trips (\(names)) VALUES (\(marks)) ON CONFLICT DO NOTHING")
        insertOlder = try IntegerStatement(
            db, "INSERT INTO older_versions (\(names), is_copy) VALUES (\(marks), ?)")
        selectNewest = try IntegerStatement(db, "SELECT \(names) FROM trips WHERE key_high = ? AND key_low = ?")
        selectOlder = try IntegerStatement(
            db, "SELECT \(names) FROM older_versions WHERE key_high = ? AND key_low = ? ORDER BY export_id")
        deleteNewest = try IntegerStatement(
            db, "DELETE FROM trips WHERE month = ? AND key_high = ? AND key_low = ?")
        deleteOlder = try IntegerStatement(db, "DELETE FROM older_versions WHERE key_high = ? AND key_low = ?")
    }

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

    func history(of key: TripKey) throws -> [StoredTrip] {
        var versions: [StoredTrip] = []
        for statement in [selectNewest, selectOlder] {
            try statement.forEachRow(key.high, key.low) { versions.append(try $0.readTrip()) }
        }
        return versions
    }

    /// Call it once, when all rows of the transaction are written.
    func writeChanges(_ db: Database) throws { try changes.write(db) }

    /// Writes what changed between two histories of one trip; an empty one removes the trip.
    func replace(_ before: TripHistory, by after: TripHistory) throws {
        let old = before.newest, new = after.newest
        // If the release counts the trip as before, nothing is journaled.
        let isReleasedAlike = old?.asReleased == new?.asReleased
        if old != new {
            if let old {
                try delete(old)
                if !isReleasedAlike { try journal.noteChanged(old) }
            }
            if let new, try !insert(new, isJournaled: !isReleasedAlike) {
                throw StoreDamage(detail: "a trip is there twice")
            }
        }
        guard let key = (new ?? old)?.key else { return }
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
