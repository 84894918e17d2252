package import Basics
import GRDB
package import KPIs
import Trips

extension TripStore {
    /// The released months, without their tallies.
    package func releasedMonths() throws -> Set<Month> { try read(Self.releasedMonths) }

    static func releasedMonths(_ db: Database) throws -> Set<Month> {
        let months = try Int32.fetchAll(db, sql: "SELECT month FROM releases")
        guard months.allSatisfy(Month.storable.contains) else {
            throw StoreDamage(detail: "there is a released month that no trip can have")
        }
        return Set(months.map(Month.init(index:)))
    }

    /// When the first month was released, in seconds since 1970; nil: none is.
    package func firstRelease() throws -> Int? {
        try read { try Int.fetchOne($0, sql: "SELECT MIN(released_at) FROM releases") }
    }

    /// Every released month, ascending.
    package func releases() throws -> [StoredRelease] { try read(Self.releases) }

    static func releases(_ db: Database) throws -> [StoredRelease] {
        _ = try releasedMonths(db)
        return try StoredRelease.order(sql: "month").fetchAll(db)
    }

    /// Records months as released. A month that is released already stays as it is.
    ///
    /// - Parameter uncounted: trips of these months that their release does not count.
    package func add(_ releases: [StoredRelease], excluding uncounted: [StoredTrip] = []) throws {
        try write { db in
            try ReleaseJournal.insert(uncounted.map(\.asReleased.absentFromRelease), RowChanges(), db)
            for release in releases { try release.insert(db, onConflict: .ignore) }
        }
    }

    /// Takes over the releases of another store. Months whose figures are the same get tallies with this store's pseudonyms.
    package func adopt(_ releases: [StoredRelease], events: EventTally?) throws {
        // Events first: a store that was stopped in between has no released month, and takes both over again.
        if let events { try release(events: events) }
        try write { db in
            for release in releases { try release.insert(db) }
            try Self.tallyReleasesAgain(db)
        }
    }

    // MARK: - Revisions

    /// Replaces the releases of some months by new ones. Nothing of what was recorded of their changed trips is kept.
    ///
    /// - Parameter uncounted: trips of these months that their release does not count.
    package func releaseAgain(
        _ releases: [StoredRelease], excluding uncounted: [StoredTrip]
    ) throws {
        guard !releases.isEmpty else { return }
        try write { db in
            let months = Set(releases.map(\.month.index)), changes = RowChanges()
            for row in try ReleaseJournal.rows(db).joined() where months.contains(row.facts.month) {
                changes.remove(row, from: .releaseChanges)
            }
            for release in releases {
                try db.execute(sql: "DELETE FROM release_changes WHERE month = ?", arguments: [release.month.index])
                try release.update(db)
            }
            try ReleaseJournal.insert(uncounted.map(\.asReleased.absentFromRelease), changes, db)
        }
    }

    /// When the release was last revised, in seconds since 1970; nil: never.
    package func lastRevision() throws -> Int? {
        try read { try Int.fetchOne($0, sql: "SELECT MAX(revised_at) FROM revisions") }
    }

    /// Records a revision: the revised months, and what the release counts of changed trips from now on.
    ///
    /// - Parameters:
    ///   - changes: of all released months.
    ///   - groups: the number of groups whose figures change.
    ///   - waiting: the number of groups with too few changes.
    package func revise(
        _ releases: [StoredRelease], changes: [ReleaseChange], groups: Int, waiting: Int, at epochSeconds: Int
    ) throws {
        try write { db in
            for var release in releases {
                release.revisedAt = epochSeconds
                try release.update(db)
            }
            if !releases.isEmpty { try ReleaseJournal.replaceRows(by: changes, db) }
            try db.execute(
                sql: "INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?)",
                arguments: [epochSeconds, releases.count, groups, waiting])
        }
    }

    // MARK: - Changed trips

    /// The trips of all released months that have changed since, by key.
    package func releaseChanges() throws -> [ReleaseChange] { try scan(Self.releaseChanges) }

    static func releaseChanges(_ db: Database) throws -> [ReleaseChange] {
        let find = try IntegerStatement(
            db, "SELECT \(TripColumns.names) FROM trips WHERE key_high = ? AND key_low = ?")
        let releasedMonths = try releasedMonths(db)
        return try ReleaseJournal.rows(db).map { rows in
            let key = rows[0].key
            let found = try find.first(key.high, key.low) { try $0.readFacts().asReleased }
            let counted = rows.filter { $0.facts.status != TripStatus.void.rawValue }
            guard counted.count <= 1 else { throw StoreDamage(detail: "the release counts a trip twice") }
            let current = found?.status == TripStatus.void.rawValue ? nil : found
            let months = Set(rows.map { Month(index: $0.facts.month) })
            // A released month without a row for the trip counts the trip as it is now.
            let unchanged = current.flatMap { facts in
                let month = Month(index: facts.month)
                return releasedMonths.contains(month) && !months.contains(month) ? facts : nil
            }
            return ReleaseChange(
                key: key, released: counted.first?.facts ?? unchanged, current: current,
                revisedAt: rows.map(\.version.updatedAt).first { $0 != AmountState.absent }, months: months)
        }
    }

    /// Trips of the month that the release counts in another month, or that a revision removed from it.
    ///
    /// - Parameter months: what these count is not looked at, since they are released again.
    package func tripsCountedElsewhere(
        of month: Month, ignoring months: Set<Month> = []
    ) throws -> [StoredTrip] {
        let ignored = months.map { "\($0.index)" }.joined(separator: ", ")
        var trips: [StoredTrip] = []
        try scan { db in
            try IntegerStatement(
                db,
                """
                SELECT \(TripColumns.names) FROM trips WHERE month = ?1 AND (key_high, key_low) IN (
                    SELECT key_high, key_low FROM release_changes
                    WHERE month != ?1 AND month NOT IN (\(ignored)) AND (status != \(TripStatus.void.rawValue) OR updated_at IS NOT NULL))
                ORDER BY key_high, key_low
                """
            ).forEachRow(Int64(month.index)) { trips.append(try $0.readTrip()) }
        }
        return trips
    }

    /// A tally of a released month's trips that have not changed since.
    ///
    /// - Parameter changes: those that concern the month, at least.
    package func unchangedTally(of month: Month, _ changes: [ReleaseChange]) throws -> KPITally {
        try unchangedTally(of: month, changes, atLeastSeconds: 0)
    }

    /// - Parameter seconds: the longest interval that the tally must hold, if it is longer than those of the store.
    package func unchangedTally(
        of month: Month, _ changes: [ReleaseChange], atLeastSeconds seconds: Int
    ) throws -> KPITally {
        try scan { try Self.tally(of: month, without: Set(changes.map(\.key)), atLeastSeconds: seconds, $0) }
    }

    /// A tally of a month without some of its trips.
    package func tally(of month: Month, without trips: [StoredTrip]) throws -> KPITally {
        try tally(of: month, without: trips, atLeastSeconds: 0)
    }

    /// - Parameter seconds: the longest interval that the tally must hold, if it is longer than those of the store.
    package func tally(
        of month: Month, without trips: [StoredTrip], atLeastSeconds seconds: Int
    ) throws -> KPITally {
        try scan { try Self.tally(of: month, without: Set(trips.map(\.key)), atLeastSeconds: seconds, $0) }
    }

    private static func tally(
        of month: Month, without keys: Set<TripKey>, atLeastSeconds seconds: Int = 0, _ db: Database
    ) throws -> KPITally {
        var tally = KPITally(shape: try shape(db, atLeastSeconds: seconds))
        try forBatches(of: month, without: keys, shape: tally.shape, db) { tally.add($0) }
        return tally
    }

    /// Makes the released tallies again under the store's new pseudonyms. A month whose figures differ from the released
    /// ones keeps its tally: it was released before changes were recorded.
    static func tallyReleasesAgain(_ db: Database) throws {
        let changes = try releaseChanges(db)
        for var release in try releases(db) where !release.isFrozen {
            let month = release.month
            var tally = try tally(of: month, without: Set(changes.map(\.key)), db)
            do {
                try tally.add(changes.released(in: month))
            } catch {
                throw StoreDamage(detail: error.description)
            }
            var released = KPITally(shape: tally.shape)
            try released.merge(encoded: release.tally, month: month, takesEarlierFormats: true)
            // What an earlier version recorded knows of completed trips only all together.
            let populations: [[TripPopulation]] =
                KPITally.isOfEarlierFormat(release.tally)
                ? [TripPopulation.completed, [.cancelled], [.noShow]] : TripPopulation.allCases.map { [$0] }
            guard tally.hasSameFigures(as: released, inEachLeafOf: month, populations) else { continue }
            release.tally = tally.encoded(month: month)
            try release.update(db, columns: ["tally"])
        }
    }
}
