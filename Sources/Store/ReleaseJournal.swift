package import Basics
import GRDB
package import Trips

/// Keeps the released state of a trip when a trip of a released month is about to change for the first time.
///
/// So a released month can always be tallied again as it was released. A trip with a row in `release_changes` counts as
/// that row says; a void row means “not in this month”. Any other trip counts as in `trips`. A revision compares the two.
/// `updated_at` is the time of the revision that changed the trip.
struct ReleaseJournal {
    /// `Month.index` of the released months.
    private let months: Set<Int32>
    private let find: IntegerStatement?
    private let insert: IntegerStatement?
    private let changes: RowChanges

    init(_ db: Database, _ changes: RowChanges) throws {
        self.changes = changes
        months = Set(try TripStore.releasedMonths(db).map(\.index))
        let isUsed = !months.isEmpty
        let findSQL = "SELECT 1 FROM release_changes WHERE key_high = ? AND key_low = ? AND month = ?"
        find = isUsed ? try IntegerStatement(db, findSQL) : nil
        insert = isUsed ? try IntegerStatement(db, Self.insertSQL) : nil
    }

    private static let insertSQL = "INSERT INTO release_changes (\(TripColumns.names)) VALUES (\(TripColumns.marks))"

    /// Whether the trip's month is released.
    @inline(__always)
    func keeps(_ trip: StoredTrip) -> Bool { !months.isEmpty && months.contains(trip.facts.month) }

    /// A trip that counts was added.
    @inline(__always)
    func noteAdded(_ trip: StoredTrip) throws {
        if keeps(trip) { try keep(trip.asReleased.absentFromRelease) }
    }

    /// A trip that counts was removed or changed.
    ///
    /// - Parameter trip: as it was before.
    @inline(__always)
    func noteChanged(_ trip: StoredTrip) throws {
        if keeps(trip) { try keep(trip.asReleased) }
    }

    private func keep(_ trip: StoredTrip) throws {
        guard let find, let insert else { return }
        let isKept = try find.first(trip.key.high, trip.key.low, Int64(trip.facts.month)) { _ in true } ?? false
        guard !isKept else { return }
        insert.bind(trip)
        try insert.run()
        changes.add(trip, to: .releaseChanges)
    }

    // MARK: - Rows

    /// The rows of each trip, by key.
    static func rows(_ db: Database) throws -> [[StoredTrip]] {
        var trips: [[StoredTrip]] = []
        try IntegerStatement(
            db, "SELECT \(TripColumns.names) FROM release_changes ORDER BY key_high, key_low, month"
        ).forEachRow { row in
            let trip = try row.readTrip()
            if trips.last?.last?.key == trip.key { trips[trips.count - 1].append(trip) } else { trips.append([trip]) }
        }
        return trips
    }

    /// Adds rows, and writes the digests.
    static func insert(_ rows: [StoredTrip], _ changes: RowChanges, _ db: Database) throws {
        let insert = try IntegerStatement(db, insertSQL)
        for row in rows {
            insert.bind(row)
            try insert.run()
            changes.add(row, to: .releaseChanges)
        }
        try changes.write(db)
    }

    /// Replaces all rows after a revision.
    static func replaceRows(by changes: [ReleaseChange], _ db: Database) throws {
        let rowChanges = RowChanges()
        for row in try rows(db).joined() { rowChanges.remove(row, from: .releaseChanges) }
        try db.execute(sql: "DELETE FROM release_changes")
        let released = try TripStore.releasedMonths(db)
        try insert(changes.flatMap { $0.rows(released) }, rowChanges, db)
    }
}

extension Sequence<ReleaseChange> {
    /// What the release counts of these trips in a month.
    package func released(in month: Month) -> [TripFacts] {
        compactMap(\.released).filter { $0.month == month.index }
    }

    /// Those that the month counts, or counted: the rest of its trips has not changed since its release.
    package func concerning(_ month: Month) -> [ReleaseChange] {
        filter {
            $0.months.contains(month) || $0.released?.month == month.index || $0.current?.month == month.index
        }
    }
}

extension TripFacts {
    /// As the release stores it: without texts.
    var asReleased: TripFacts {
        var facts = self
        facts.texts = .zero
        return facts
    }
}

extension StoredTrip {
    /// As the release stores it: without texts and version.
    var asReleased: StoredTrip {
        StoredTrip(key: key, exportID: 0, recordOffset: 0, version: TripVersion(), facts: facts.asReleased)
    }

    /// A void row: the release does not count the trip in this month.
    var absentFromRelease: StoredTrip {
        var void = TripFacts()
        void.month = facts.month
        void.day = facts.day
        void.status = TripStatus.void.rawValue
        return StoredTrip(key: key, exportID: 0, recordOffset: 0, version: version, facts: void)
    }
}
