package import Basics
import GRDB
import KPIs
package import Trips

extension TripStore {
    /// The first month of which the store takes trips; nil: any.
    package func firstKeptMonth() throws -> Month? {
        try read { try Int32.fetchOne($0, sql: "SELECT first_month FROM retention").map(Month.init(index:)) }
    }

    /// What an export may not bring back.
    package func keptOut() throws -> KeptOut { try read(KeptOut.init) }

    /// How many trips that count are of earlier months.
    package func trips(before month: Month) throws -> Int {
        try read {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trips WHERE month < ?", arguments: [month.index]) ?? 0
        }
    }

    /// How many trips and patients are kept out by their pseudonyms.
    package func keptOutCounts() throws -> (trips: Int, patients: Int) {
        try read { db in
            (
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM removed_trips") ?? 0,
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM removed_patients") ?? 0
            )
        }
    }

    /// How much was removed: the first month, and how many trips and patients. It is another one after each removal. Nil: nothing was.
    package func removals() throws -> String? {
        let month = try read { try Int32.fetchOne($0, sql: "SELECT first_month FROM retention") }
        let (trips, patients) = try keptOutCounts()
        guard month != nil || trips > 0 || patients > 0 else { return nil }
        return "\(month ?? 0) \(trips) \(patients)"
    }

    /// What a removal would take out. Nothing changes.
    package func preview(_ removal: Removal, session: LoadSession) throws -> RemovedTrips {
        var removed = RemovedTrips()
        defer { texts.forgetUnwritten() }
        try translatingErrors {
            try queue.writeWithoutTransaction { db in
                try db.inTransaction {
                    removed = try remove(removal, db, session).removed
                    return .rollback
                }
            }
        }
        return removed
    }

    /// Removes trips for good, in one transaction: their rows, public ids and texts, and what was recorded of their changes.
    ///
    /// Released months that count such a trip keep their figures as they were released. They are frozen: no revision changes them
    /// any more, and no hash of a patient is left in them.
    ///
    /// Refresh the tallies afterwards, then call `eraseRemains`.
    ///
    /// - Parameter beforeCommit: told what leaves; returns the mark of the crosswalk without it, nil where there is none. The store
    ///   is locked meanwhile. If it throws, nothing is removed.
    package func remove(
        _ removal: Removal, session: inout LoadSession, beforeCommit: (RemovedTrips) throws -> CrosswalkMark?
    ) throws -> RemovedTrips {
        let (removed, change) = try texts.keepingWritten {
            try write { [session] db in
                let result = try remove(removal, db, session)
                if let mark = try beforeCommit(result.removed) { try Self.remember(mark, db) }
                return result
            }
        }
        session.add([change])
        try read { try texts.reload($0) }
        return removed
    }

    private func remove(
        _ removal: Removal, _ db: Database, _ session: LoadSession
    ) throws -> (removed: RemovedTrips, StoreChange) {
        try LedgerDigest.remove(db)
        let isNew = try KeptOut.add(removal, db)
        let keptOut = try KeptOut(db), exports = try LoadedExports(db)
        let rows = try VersionRows(db, session.completion)
        let removeID = try IntegerStatement(db, "DELETE FROM public_ids WHERE key_high = ? AND key_low = ?")
        var change = StoreChange(shape: session.shape), removed = RemovedTrips()
        let keepOut = try IntegerStatement(db, "INSERT INTO removed_trips VALUES (?, ?) ON CONFLICT DO NOTHING")
        var versionsByExport: [Int32: Int] = [:], months: Set<Int32> = [], namedTrips: [TripKey: Int32] = [:]
        for key in try Self.keys(of: removal, keptOut, db) {
            let before = try rows.trip(of: key, exports)
            guard !before.versions.isEmpty else {
                // Sets that were published before the withdrawal may have it.
                if try removeID.run(key.high, key.low) > 0 { removed.withdrawnTrips += 1 }
                continue
            }
            let left = keptOut.remaining(of: before)
            let after = try rows.replace(
                before, by: WholeTrip(key, versions: left, counted: nil, exports), isJournaled: false)
            change.totals.replace(before, by: after)
            if before.counted != after.counted {
                if let trip = before.counted { try change.retract(trip) }
                if let trip = after.counted { try change.restore(trip) }
            }
            let kept = Set(left.map(\.exportID))
            for version in before.versions where !kept.contains(version.exportID) {
                versionsByExport[version.exportID, default: 0] += 1
                removed.versions += 1
                removed.patients.insert(version.facts.patient)
            }
            guard left.isEmpty else { continue }
            removed.trips.insert(key)
            months.insert((before.counted ?? before.versions[0]).facts.month)
            try removeID.run(key.high, key.low)
            let isNamed = before.versions.contains(where: keptOut.names) || before.counted.map(keptOut.names) ?? false
            if isNamed { namedTrips[key] = before.counted?.facts.month ?? .min }
            // Whatever a later export says of it, such as another month or patient: a frozen month may count it. A part that
            // waited for its trip is only a part.
            if isNamed || before.counted != nil { try keepOut.run(key.high, key.low) }
        }
        removed.patients.formIntersection(removal.patients)
        try rows.writeChanges(db)
        let namedMonths = try Self.removeChanges(of: namedTrips, keptOut, db)
        removed.frozenMonths = try Self.freeze(keptOut, months: namedMonths, session.shape, db)
        removed.exports = try Self.forget(versionsByExport, db)
        // Also if the store has nothing of it: an earlier set may, of an export that was withdrawn or of before a restore.
        if removed.versions > 0 || removed.withdrawnTrips > 0 || isNew { try RemovalCounts.count(removal, db) }
        removed.months = months.sorted().map(Month.init(index:))
        try change.finish(db)
        // A trip that lost a part may have test results that no trip had.
        try texts.write(db)
        try Self.deleteUnusedTexts(db)
        return (removed, change)
    }

    /// The trips that may have to go.
    private static func keys(of removal: Removal, _ keptOut: KeptOut, _ db: Database) throws -> Set<TripKey> {
        var keys = removal.trips
        for table in ["trips", "older_versions", "trip_parts"] {
            let select = "SELECT month, key_high, key_low FROM \(table)"
            if keptOut.firstMonth != .min {
                try IntegerStatement(db, "\(select) WHERE month < ?").forEachRow(Int64(keptOut.firstMonth)) { row in
                    keys.insert(row.readKey())
                }
            }
            guard !removal.patients.isEmpty else { continue }
            try IntegerStatement(db, "\(select) WHERE patient IN (SELECT patient FROM removed_patients)").forEachRow {
                row in
                keys.insert(row.readKey())
            }
        }
        return keys
    }

    /// Removes what was recorded of changes: all of trips that were removed by name; of others only in months that are gone. A trip
    /// that is there, as another patient's, keeps its rows without the patient, so that no second month counts it.
    ///
    /// - Parameter namedTrips: trips that were removed by name, with the month in which they counted.
    /// - Returns: months in which the release counts one of them, or a removed patient's trip (`Month.index`).
    private static func removeChanges(
        of namedTrips: [TripKey: Int32], _ keptOut: KeptOut, _ db: Database
    ) throws -> Set<Int32> {
        let delete = try IntegerStatement(
            db, "DELETE FROM release_changes WHERE key_high = ? AND key_low = ? AND month = ?")
        let isThere = try IntegerStatement(db, "SELECT 1 FROM trips WHERE key_high = ? AND key_low = ?")
        let changes = RowChanges()
        var months: Set<Int32> = [], unchanged = namedTrips, anonymous: [StoredTrip] = []
        for rows in try ReleaseJournal.rows(db) {
            let key = rows[0].key, isNamed = namedTrips[key] != nil || rows.contains(where: keptOut.names)
            let isGone = try !(isThere.first(key.high, key.low) { _ in true } ?? false)
            // The release counts the trip as its row says.
            if let month = namedTrips[key], rows.contains(where: { $0.facts.month == month }) { unchanged[key] = nil }
            for row in rows where isNamed || isGone && keptOut.isTooOld(row) {
                if isNamed, row.facts.status != TripStatus.void.rawValue { months.insert(row.facts.month) }
                try delete.run(key.high, key.low, Int64(row.facts.month))
                changes.remove(row, from: .releaseChanges)
                guard !isGone else { continue }
                var row = row
                row.facts.patient = 0
                anonymous.append(row)
            }
        }
        try ReleaseJournal.insert(anonymous, changes, db)
        return months.union(unchanged.values)
    }

    /// Freezes released months: the earlier ones than the first, and those with a trip that was removed by name.
    private static func freeze(
        _ keptOut: KeptOut, months: Set<Int32>, _ shape: KPITally.Shape, _ db: Database
    ) throws -> [Month] {
        var frozen: [Month] = []
        for var release in try releases(db) where !release.isFrozen {
            let index = release.month.index
            guard index < keptOut.firstMonth || months.contains(index) else { continue }
            release.isFrozen = true
            release.tally = try KPITally.withoutPatientHashes(release.tally, month: release.month, shape: shape)
            try release.update(db)
            frozen.append(release.month)
        }
        return frozen
    }

    /// In the ledger the versions become records that were skipped.
    ///
    /// - Returns: the labels of the exports, each with the first digits of its SHA-256.
    private static func forget(_ versionsByExport: [Int32: Int], _ db: Database) throws -> [String] {
        for (id, versions) in versionsByExport {
            try db.execute(
                sql:
                    "UPDATE exports SET trips = trips - ?1, records_skipped = records_skipped + ?1 WHERE export_id = ?2",
                arguments: [versions, id])
        }
        return try versionsByExport.keys.sorted().compactMap { id in
            try String.fetchOne(
                db, sql: "SELECT label || ' (' || substr(sha256, 1, 12) || ')' FROM exports WHERE export_id = ?",
                arguments: [id])
        }
    }

    /// Erases what earlier transactions have left in the log. Call it when the tallies are refreshed.
    ///
    /// In the file deleted rows are overwritten, as in every transaction of a writer. Earlier versions of tripkpi left them in free
    /// pages: then the file is written again, once.
    ///
    /// - Returns: whether the log is empty; not while another process reads the store.
    package func eraseRemains() throws -> Bool {
        try translatingErrors {
            try queue.writeWithoutTransaction { db in
                if try Bool.fetchOne(db, sql: "SELECT has_remains FROM retention") ?? false {
                    try db.execute(sql: "VACUUM")
                    try db.execute(sql: "UPDATE retention SET has_remains = 0")
                }
                do {
                    return try db.checkpoint(.truncate).walFrameCount == 0
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return false
                }
            }
        }
    }
}
