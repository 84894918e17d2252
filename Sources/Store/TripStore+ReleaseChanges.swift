import Foundation
import GRDB
package import KPIs
package import Trips

extension TripStore {
    /// The trips of a released month that have changed since its release, by key.
    package func releaseChanges(of month: Month) throws -> [ReleaseChange] {
        try readPassing { try Self.releaseChanges(of: month, $0) }
    }

    static func releaseChanges(of month: Month, _ db: Database) throws -> [ReleaseChange] {
        let select = try IntegerStatement(
            db, "SELECT \(TripColumns.names) FROM release_changes WHERE month = ? ORDER BY key_high, key_low")
        defer { select.reset() }
        select.bind(1, Int64(month.index))
        var released: [(key: TripKey, facts: [TripFacts])] = []
        while try select.step(db) {
            let trip = try TripColumns.read(select)
            if released.last?.key != trip.key { released.append((trip.key, [])) }
            if trip.facts.status != TripStatus.void.rawValue { released[released.count - 1].facts.append(trip.facts) }
        }
        let find = try IntegerStatement(
            db, "SELECT \(TripColumns.names) FROM trips WHERE month = ? AND key_high = ? AND key_low = ?")
        return try released.map { trip in
            find.bind(1, Int64(month.index))
            find.bind(2, trip.key.high)
            find.bind(3, trip.key.low)
            defer { find.reset() }
            let current = try find.step(db) ? try TripColumns.readFacts(find) : nil
            return ReleaseChange(key: trip.key, released: trip.facts, current: current)
        }
    }

    /// A month's tally as it was released, and as it is released after a revision, in one pass over its trips.
    ///
    /// - Parameters:
    ///   - before: all changes since the release.
    ///   - after: the same trips after the revision.
    package func releasedTallies(
        of month: Month, before: [ReleaseChange], after: [ReleaseChange]
    ) throws -> (before: KPITally, after: KPITally) {
        try readPassing { db in
            let unchanged = try Self.tally(of: month, without: Set(before.map(\.key)), db)
            return (
                try Self.adding(before.flatMap(\.released), to: unchanged),
                try Self.adding(after.flatMap(\.released), to: unchanged)
            )
        }
    }

    private static func tally(of month: Month, without keys: Set<TripKey>, _ db: Database) throws -> KPITally {
        var tally = KPITally(shape: try shape(db))
        let select = try IntegerStatement(db, "SELECT \(TripColumns.names) FROM trips WHERE month = ?")
        defer { select.reset() }
        select.bind(1, Int64(month.index))
        var batch = TripBatch(capacity: 2048, textFields: [])
        while try select.step(db) {
            guard !keys.contains(TripKey(high: select.column(1), low: select.column(2))) else { continue }
            try batch.append(try TripColumns.readFacts(select), for: tally.shape)
            if batch.count == batch.capacity {
                tally.add(batch)
                batch.count = 0
            }
        }
        tally.add(batch)
        return tally
    }

    private static func adding(_ trips: [TripFacts], to tally: KPITally) throws -> KPITally {
        var tally = tally
        var batch = TripBatch(capacity: max(1, trips.count), textFields: [])
        for facts in trips { try batch.append(facts, for: tally.shape) }
        tally.add(batch)
        return tally
    }

    /// Makes the released tallies again under the store's new pseudonyms. A month whose figures are not those that were
    /// released keeps its tally: it was released before changes were kept.
    static func tallyReleasesAgain(_ db: Database) throws {
        for release in try releases(db) {
            let unchanged = try releaseChanges(of: release.month, db)
            let tally = try adding(
                unchanged.flatMap(\.released), to: tally(of: release.month, without: Set(unchanged.map(\.key)), db))
            var released = KPITally(shape: tally.shape)
            try released.merge(encoded: release.tally, month: release.month)
            guard tally.hasSameFigures(as: released, in: tally.allLeaves, of: release.month) else { continue }
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

    /// Records a revision: revised months, and what the release counts of their changed trips from now on.
    ///
    /// - Parameters:
    ///   - changes: those of each revised month.
    ///   - groups: how many groups took up their changes.
    ///   - pending: how many did not.
    package func revise(
        _ releases: [StoredRelease], changes: [Month: [ReleaseChange]], groups: Int, pending: Int, at epochSeconds: Int
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
                try Self.replaceReleaseChanges(of: release.month, by: changes[release.month] ?? [], db)
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?)",
                arguments: [epochSeconds, releases.count, groups, pending])
        }
    }

    private static func replaceReleaseChanges(
        of month: Month, by changes: [ReleaseChange], _ db: Database
    ) throws {
        let digests = RowDigests()
        let select = try IntegerStatement(db, "SELECT \(TripColumns.names) FROM release_changes WHERE month = ?")
        select.bind(1, Int64(month.index))
        while try select.step(db) { digests.remove(try TripColumns.read(select), from: .releaseChanges) }
        select.reset()
        try db.execute(sql: "DELETE FROM release_changes WHERE month = ?", arguments: [month.index])
        let insert = try IntegerStatement(db, ReleaseJournal.insertSQL)
        for change in changes {
            guard let facts = change.released.first ?? change.current else { continue }
            let trip = { (facts: TripFacts) in
                StoredTrip(
                    key: change.key, exportID: 0, recordOffset: 0,
                    version: TripVersion(updatedAt: TripBatch.absent, sequence: TripBatch.absent), facts: facts)
            }
            let rows =
                change.released.isEmpty ? [trip(facts).absentFromRelease] : change.released.map { trip($0).asReleased }
            for row in rows {
                TripColumns.bind(row, to: insert)
                try insert.run(db)
                digests.add(row, to: .releaseChanges)
            }
        }
        try digests.write(db)
    }
}
