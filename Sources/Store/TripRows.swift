import GRDB
import Trips

/// The statements on `trips` and `older_versions`, prepared once a transaction.
struct TripRows {
    private let db: Database
    private let insertNew: IntegerStatement
    private let insertLoser: IntegerStatement
    private let selectNewest: IntegerStatement
    private let selectOlder: IntegerStatement
    private let deleteNewest: IntegerStatement
    private let deleteOlder: IntegerStatement
    private let digests: RowDigests
    private let journal: ReleaseJournal

    init(_ db: Database) throws {
        self.db = db
        digests = RowDigests()
        journal = try ReleaseJournal(db, digests)
        let names = TripColumns.names, marks = TripColumns.marks
        insertNew = try IntegerStatement(
            db, "INSERT INTO trips (\(names)) VALUES (\(marks)) ON CONFLICT DO NOTHING")
        insertLoser = try IntegerStatement(
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
    func insertIfNew(_ trip: StoredTrip) throws -> Bool { try insert(trip, isNoted: true) }

    /// - Parameter isNoted: whether the release counts the trip otherwise than before.
    @inline(__always)
    private func insert(_ trip: StoredTrip, isNoted: Bool) throws -> Bool {
        TripColumns.bind(trip, to: insertNew)
        guard try insertNew.run(db) > 0 else { return false }
        digests.add(trip, to: .trips)
        if isNoted { try journal.noteAdded(trip) }
        return true
    }

    func history(of key: TripKey) throws -> [StoredTrip] {
        var versions: [StoredTrip] = []
        for statement in [selectNewest, selectOlder] {
            statement.bind(1, key.high)
            statement.bind(2, key.low)
            while try statement.step(db) { versions.append(try TripColumns.read(statement)) }
            statement.reset()
        }
        return versions
    }

    /// To be called once, when all rows of the transaction are written.
    func writeDigests() throws { try digests.write(db) }

    /// Writes what changed between two histories of one trip; an empty one takes the trip out.
    func replace(_ before: TripHistory, by after: TripHistory) throws {
        let old = before.newest, new = after.newest
        // Of a trip that the release counts as before, nothing is kept.
        let isReleasedAlike = old?.asReleased == new?.asReleased
        if old != new {
            if let old {
                try delete(old)
                if !isReleasedAlike { try journal.noteChanged(old) }
            }
            if let new, try !insert(new, isNoted: !isReleasedAlike) {
                throw StoreDamage(detail: "a trip is there twice")
            }
        }
        guard let key = (new ?? old)?.key else { return }
        let losers = after.versions.filter { $0.exportID != new?.exportID }
        if old == new, let new, before.versions.count + 1 == after.versions.count {
            // The usual case of a trip that is said again: one more row.
            let known = Set(before.versions.map(\.exportID))
            for loser in losers where !known.contains(loser.exportID) { try insertOlder(loser, newest: new) }
            return
        }
        guard before.versions.count > 1 || !losers.isEmpty else { return }
        deleteOlder.bind(1, key.high)
        deleteOlder.bind(2, key.low)
        try deleteOlder.run(db)
        for loser in before.versions where loser.exportID != old?.exportID {
            digests.remove(loser, from: .olderVersions)
        }
        if let new {
            for loser in losers { try insertOlder(loser, newest: new) }
        }
    }

    private func insertOlder(_ trip: StoredTrip, newest: StoredTrip) throws {
        TripColumns.bind(trip, to: insertLoser)
        insertLoser.bind(TripColumns.count + 1, trip.isCopy(of: newest) ? 1 : 0)
        try insertLoser.run(db)
        digests.add(trip, to: .olderVersions)
    }

    private func delete(_ trip: StoredTrip) throws {
        deleteNewest.bind(1, Int64(trip.facts.month))
        deleteNewest.bind(2, trip.key.high)
        deleteNewest.bind(3, trip.key.low)
        guard try deleteNewest.run(db) == 1 else { throw StoreDamage(detail: "a trip is not where its key says") }
        digests.remove(trip, from: .trips)
    }
}

/// How many trips there are, and how many older versions: what the published counts are made of.
package struct StoreTotals: Sendable, Hashable {
    package var trips = 0
    /// Older versions that say the same as the newest of their trip.
    package var copies = 0
    package var superseded = 0

    mutating func add(_ losers: (copies: Int, superseded: Int), _ sign: Int) {
        copies += sign * losers.copies
        superseded += sign * losers.superseded
    }

    func write(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE store SET trips = trips + ?, copies = copies + ?, superseded = superseded + ?",
            arguments: [trips, copies, superseded])
    }
}
