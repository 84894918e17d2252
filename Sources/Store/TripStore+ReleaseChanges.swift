import Foundation
import GRDB
package import KPIs
package import Trips

extension TripStore {
    /// The trips of all released months that have changed since, by key.
    package func releaseChanges() throws -> [ReleaseChange] { try readPassing(Self.releaseChanges) }

    static func releaseChanges(_ db: Database) throws -> [ReleaseChange] {
        let find = try IntegerStatement(
            db, "SELECT \(TripColumns.names) FROM trips WHERE key_high = ? AND key_low = ?")
        let releasedMonths = Set(try releases(db).map(\.month))
        return try releaseRows(db).map { key, rows in
            find.bind(1, key.high)
            find.bind(2, key.low)
            defer { find.reset() }
            let found = try find.step(db) ? try TripColumns.readFacts(find).asReleased : nil
            let counted = rows.filter { $0.facts.status != TripStatus.void.rawValue }
            guard counted.count <= 1 else { throw StoreDamage(detail: "the release counts a trip twice") }
            let current = found?.status == TripStatus.void.rawValue ? nil : found
            let months = Set(rows.map { Month(index: $0.facts.month) })
            // A released month that keeps no row of a trip in it counts the trip as it is.
            let unchanged = current.flatMap { facts in
                let month = Month(index: facts.month)
                return releasedMonths.contains(month) && !months.contains(month) ? facts : nil
            }
            return ReleaseChange(
                key: key, released: counted.first?.facts ?? unchanged, current: current,
                revisedAt: rows.map(\.version.updatedAt).first { $0 != TripBatch.absent }, months: months)
        }
    }

    private static func releaseRows(_ db: Database) throws -> [(key: TripKey, rows: [StoredTrip])] {
        let select = try IntegerStatement(
            db, "SELECT \(TripColumns.names) FROM release_changes ORDER BY key_high, key_low, month")
        defer { select.reset() }
        var trips: [(key: TripKey, rows: [StoredTrip])] = []
        while try select.step(db) {
            let row = try TripColumns.read(select)
            if trips.last?.key != row.key { trips.append((row.key, [])) }
            trips[trips.count - 1].rows.append(row)
        }
        return trips
    }

    /// A tally of a released month's trips that have not changed since.
    package func unchangedTally(of month: Month, _ changes: [ReleaseChange]) throws -> KPITally {
        try readPassing { db in
            try Self.tally(of: month, without: Set(changes.filter { $0.months.contains(month) }.map(\.key)), db)
        }
    }

    /// The trips of a month that the release counts in another month, or that a revision took out of it.
    package func tripsCountedElsewhere(of month: Month) throws -> [StoredTrip] {
        try readPassing { db in
            let select = try IntegerStatement(
                db,
                """
                SELECT \(TripColumns.names) FROM trips WHERE month = ?1 AND (key_high, key_low) IN (
                    SELECT key_high, key_low FROM release_changes
                    WHERE month != ?1 AND (status != \(TripStatus.void.rawValue) OR updated_at IS NOT NULL))
                ORDER BY key_high, key_low
                """)
            defer { select.reset() }
            select.bind(1, Int64(month.index))
            var trips: [StoredTrip] = []
            while try select.step(db) { trips.append(try TripColumns.read(select)) }
            return trips
        }
    }

    /// A tally of a month without some of its trips.
    package func tally(of month: Month, without trips: [StoredTrip]) throws -> KPITally {
        try readPassing { db in try Self.tally(of: month, without: Set(trips.map(\.key)), db) }
    }

    private static func tally(of month: Month, without keys: Set<TripKey>, _ db: Database) throws -> KPITally {
        var tally = KPITally(shape: try shape(db))
        let select = try IntegerStatement(db, "SELECT \(TripColumns.names) FROM trips WHERE month = ?")
        defer { select.reset() }
        select.bind(1, Int64(month.index))
        var batch = TripBatch(capacity: 2048, textFields: [])
        while try select.step(db) {
            guard !keys.contains(TripKey(high: select.column(1), low: select.column(2))) else { continue }
            try batch.append(stored: try TripColumns.readFacts(select), for: tally.shape)
            if batch.count == batch.capacity {
                tally.add(batch)
                batch.count = 0
            }
        }
        tally.add(batch)
        return tally
    }

    /// Makes the released tallies again under the store's new pseudonyms. A month whose figures are not those that were
    /// released keeps its tally: it was released before changes were kept.
    static func tallyReleasesAgain(_ db: Database) throws {
        let changes = try releaseChanges(db)
        for release in try releases(db) {
            let month = release.month
            var tally = try tally(
                of: month, without: Set(changes.filter { $0.months.contains(month) }.map(\.key)), db)
            try tally.add(
                changes.filter { $0.months.contains(month) }.compactMap(\.released).filter { $0.month == month.index })
            var released = KPITally(shape: tally.shape)
            try released.merge(encoded: release.tally, month: release.month)
            guard tally.hasSameFigures(as: released, inEachLeafOf: release.month) else { continue }
            try db.execute(
                sql: "UPDATE releases SET tally = ? WHERE month = ?",
                arguments: [Data(tally.encoded(month: release.month)), release.month.index])
        }
    }

    // MARK: - Revisions

    /// When the release was last revised, in seconds since 1970; nil: never.
    package func lastRevision() throws -> Int? {
        try read { try Int.fetchOne($0, sql: "SELECT MAX(revised_at) FROM revisions") }
    }

    /// Records a revision: revised months, and what the release counts of changed trips from now on.
    ///
    /// - Parameters:
    ///   - changes: of all released months.
    ///   - groups: how many groups took up changes.
    ///   - waiting: how many have changes that are too few.
    package func revise(
        _ releases: [StoredRelease], changes: [ReleaseChange], groups: Int, waiting: Int, at epochSeconds: Int
    ) throws {
        try write { db in
            for release in releases {
                try db.execute(
                    sql: """
                        UPDATE releases
                        SET revised_at = ?, rules_version = ?, partition = ?, tally = ?, maximum_interval_seconds = ?
                        WHERE month = ?
                        """,
                    arguments: [
                        epochSeconds, release.rulesVersion, Data(release.partition), Data(release.tally),
                        release.maximumIntervalSeconds, release.month.index,
                    ])
            }
            if !releases.isEmpty { try Self.replaceReleaseRows(by: changes, db) }
            try db.execute(
                sql: "INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?)",
                arguments: [epochSeconds, releases.count, groups, waiting])
        }
    }

    private static func replaceReleaseRows(by changes: [ReleaseChange], _ db: Database) throws {
        let digests = RowDigests()
        for row in try releaseRows(db).flatMap(\.rows) { digests.remove(row, from: .releaseChanges) }
        try db.execute(sql: "DELETE FROM release_changes")
        let released = Set(try releases(db).map(\.month))
        let insert = try IntegerStatement(db, ReleaseJournal.insertSQL)
        for row in changes.flatMap({ $0.rows(released) }) {
            TripColumns.bind(row, to: insert)
            try insert.run(db)
            digests.add(row, to: .releaseChanges)
        }
        try digests.write(db)
    }
}

extension ReleaseChange {
    /// What the store keeps of the change, if it is one: what the release counts, and that the month where the trip is
    /// now does not count it. A revised trip is always kept, so that no other revision takes it up.
    fileprivate func rows(_ releasedMonths: Set<Month>) -> [StoredTrip] {
        if revisedAt == nil, released == current { return [] }
        var rows = released.map { [row($0)] } ?? []
        if let current, current.month != released?.month, releasedMonths.contains(Month(index: current.month)) {
            rows.append(row(current).absentFromRelease)
        }
        if rows.isEmpty, revisedAt != nil, let month = months.min() {
            var facts = TripFacts()
            facts.month = month.index
            facts.day = CivilDay.days(year: month.year, month: month.month, day: 1)
            rows.append(row(facts).absentFromRelease)
        }
        return rows
    }

    private func row(_ facts: TripFacts) -> StoredTrip {
        StoredTrip(
            key: key, exportID: 0, recordOffset: 0,
            version: TripVersion(updatedAt: revisedAt ?? TripBatch.absent, sequence: TripBatch.absent),
            facts: facts.asReleased)
    }
}
