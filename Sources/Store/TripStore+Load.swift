import Basics
import GRDB
package import KPIs
package import Trips

extension TripStore {
    /// What the reader of an export knows once it has read all of it.
    package struct ExportFigures: Sendable {
        package var asOf: Int
        package var counts: ReadCounts
        package var rejectsByReason: [RejectReason: Int]
        package var rejects: [RejectedRecord]
        /// All of its trips, older versions and copies included.
        package var tally: KPITally
        /// The first records with a warning of each code; `tally` counts all.
        package var warnings: [WarnedRecord] = []
        /// Which columns it had, for the next export of its series.
        package var columns: LoadedColumns?
        /// How far the crosswalk has the export's identifiers; nil: it is off.
        package var crosswalk: CrosswalkMark?

        /// Records of completed trips, and those of them with a cost.
        var completedTrips: (all: Int, costed: Int) {
            tally.monthsMet.reduce(into: (0, 0)) { total, month in
                let sums = tally.sums(of: tally.allLeaves, in: month)
                total.0 += sums.trips
                total.1 += sums.costedTrips
            }
        }

        package init(
            asOf: Int, counts: ReadCounts, rejectsByReason: [RejectReason: Int], rejects: [RejectedRecord],
            tally: KPITally
        ) {
            self.asOf = asOf
            self.counts = counts
            self.rejectsByReason = rejectsByReason
            self.rejects = rejects
            self.tally = tally
        }
    }

    /// Begins to load; `refreshTallies` ends it.
    ///
    /// - Parameter completion: how trips are completed by their parts; nil: the session changes none.
    package func session(shape: KPITally.Shape, completion: TripCompletion? = nil) throws -> LoadSession {
        LoadSession(shape: shape, staleBefore: Set(try staleMonths().map(\.index)), completion ?? .none)
    }

    /// Loads an export: all of it with its row of the ledger, or nothing.
    ///
    /// - Parameters:
    ///   - contentHash: the export's SHA-256 where the record has none yet; called as late as possible.
    ///   - replacing: the same export was loaded before and is withdrawn in the same transaction (a replay).
    ///   - findAsOf: the date of the export by its whole content, if that is needed before all of it is read.
    ///   - read: passes the export's versions to the writer, and returns what was read. If it throws, nothing is loaded.
    ///   - check: told what makes the export doubtful. If it throws, nothing is loaded.
    ///   - note: told what must be said of the export though it is loaded.
    ///   - beforeCommit: told the export's SHA-256 and the equation of this load. If it throws, nothing is loaded.
    /// - Returns: the equation of this load, against the store as it was before.
    package func load(
        _ export: ExportRecord, contentHash: (() throws -> String)? = nil, session: inout LoadSession,
        replacing: Bool = false, findAsOf: @escaping () throws -> Int, read: (ExportWriter) throws -> ExportFigures,
        check: (LoadDoubt) throws -> Void = { _ in }, note: (LoadNote) -> Void = { _ in },
        beforeCommit: (String, ReadCounts) throws -> Void = { _, _ in }
    ) throws -> ReadCounts {
        let shape = session.shape, completion = session.completion
        let isFirst = try self.read(Self.isEmpty)
        var changes: [StoreChange] = []
        do {
            let counts = try writeAll(withoutLog: isFirst) { db in
                try LedgerDigest.remove(db)
                if replacing { changes.append(try Self.withdraw(export.sha256, db, shape, completion)) }
                let (counts, change, sha256) = try Self.load(
                    export, contentHash: contentHash ?? { export.sha256 }, db, shape, completion,
                    unindexedTrips: isFirst ? unindexedTrips : 0, texts: texts, findAsOf: findAsOf, read: read,
                    check: check, note: note)
                changes.append(change)
                try beforeCommit(sha256, counts)
                return counts
            }
            session.add(changes)
            return counts
        } catch {
            texts.forgetUnwritten()
            throw error
        }
    }

    private static func load(
        _ export: ExportRecord, contentHash: @escaping () throws -> String, _ db: Database, _ shape: KPITally.Shape,
        _ completion: TripCompletion, unindexedTrips: Int, texts: TextTable, findAsOf: @escaping () throws -> Int,
        read: (ExportWriter) throws -> ExportFigures, check: (LoadDoubt) throws -> Void,
        note: (LoadNote) -> Void
    ) throws -> (ReadCounts, StoreChange, sha256: String) {
        if !export.sha256.isEmpty { try refuseKnown(export.sha256, db) }
        let exportID = try Int32.fetchOne(db, sql: "SELECT COALESCE(MAX(export_id), 0) + 1 FROM exports") ?? 1
        let monthsBefore = Set(try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies"))
        func rank(_ asOf: Int) throws -> ExportRank {
            ExportRank(asOf: asOf, modifiedNs: export.modifiedNs, bytes: export.bytes, sha256: try contentHash())
        }
        let writer = try ExportWriter(
            db, exportID: exportID, partSource: export.supplements == nil ? nil : export.source, shape: shape,
            completion: completion, unindexedTrips: unindexedTrips
        ) { try rank(export.asOf ?? findAsOf()) }
        let figures = try read(writer)
        let asOf = export.asOf ?? figures.asOf
        let outcome = try writer.finish(rank: rank(asOf))
        let (completed, costed) = figures.completedTrips
        if let series = figures.columns?.series,
            let lost = try LostCosts.find(completed: completed, costed: costed, series: series, until: asOf, db)
        {
            try check(.lostCosts(lost))
        }
        if let refusal = outcome.replacedTrips.refusal {
            let labels = try labels(of: refusal.places, db)
            try check(
                .replacedTrips(
                    refusal,
                    places: refusal.places.map { $0.description { $0 == Int(exportID) ? export.label : labels[$0] } }))
        }
        if export.supplements == nil,
            let repeats = try RepeatedTrips.find(
                ofExport: exportID, source: export.source, trips: outcome.trips, added: outcome.counts.added,
                months: outcome.change.months.intersection(monthsBefore), db)
        {
            try check(.repeatedTrips(repeats))
        }
        if !outcome.undecided.isEmpty { note(.undecided(trips: outcome.undecided.count)) }
        if outcome.waiting > 0 { note(.waiting(records: outcome.waiting, of: outcome.trips)) }
        if outcome.keptOut > 0 { note(.keptOut(records: outcome.keptOut)) }
        if !outcome.doublyCosted.isEmpty { note(.doublyCosted(trips: outcome.doublyCosted.count)) }
        outcome.replacedTrips.notes.forEach { note(.replaced($0)) }
        var record = export
        record.sha256 = try contentHash()
        if export.sha256.isEmpty { try refuseKnown(record.sha256, db) }
        record.asOf = asOf
        record.recordsRead = figures.counts.read
        record.recordsSkipped = figures.counts.skipped + outcome.keptOut
        record.recordsRejected = figures.counts.rejected
        record.recordsMerged = figures.counts.merged
        record.copiesInside = outcome.copiesInside
        record.supersededInside = outcome.supersededInside
        record.trips = outcome.trips
        record.completedTrips = completed
        record.costedTrips = costed
        var counts = outcome.counts
        counts.read = figures.counts.read
        counts.skipped = record.recordsSkipped
        counts.rejected = figures.counts.rejected
        counts.merged += figures.counts.merged
        guard record.isReconciled, counts.isReconciled else {
            throw StoreError.inconsistent("the records of an export: \(counts.equation)")
        }
        try texts.write(db)
        // SQLite gives the row the next number, which is `exportID`.
        try record.insert(db)
        try insert(figures, id: exportID, db)
        if let mark = figures.crosswalk { try remember(mark, db) }
        try forgetAbsence(of: record.sha256, db)
        var change = outcome.change
        change.tally = export.supplements == nil ? figures.tally : nil
        return (counts, change, record.sha256)
    }

    /// Of the exports that have one of the records, by their ids.
    private static func labels(of places: [RecordPair], _ db: Database) throws -> [Int: String] {
        let ids = Set(places.flatMap { [$0.later.export, $0.earlier.export] }).sorted()
        return try ids.reduce(into: [:]) { labels, id in
            labels[id] = try String.fetchOne(db, sql: "SELECT label FROM exports WHERE export_id = ?", arguments: [id])
        }
    }

    private static func refuseKnown(_ sha256: String, _ db: Database) throws {
        if try ExportRecord.filter(Column("sha256") == sha256).fetchCount(db) > 0 {
            throw StoreError.alreadyLoaded(sha256: sha256)
        }
    }

    /// Deletes what was recorded while the export was not in the store: that it failed, was waived, or was withdrawn.
    private static func forgetAbsence(of sha256: String, _ db: Database) throws {
        for sql in [
            "DELETE FROM waivers WHERE sha256 = ? AND sha256 IN (SELECT sha256 FROM failed_exports)",
            "DELETE FROM failed_exports WHERE sha256 = ?",
            "DELETE FROM withdrawn_exports WHERE sha256 = ?",
        ] {
            try db.execute(sql: sql, arguments: [sha256])
        }
    }

    private static func insert(_ figures: ExportFigures, id: Int32, _ db: Database) throws {
        for (reason, count) in figures.rejectsByReason {
            try db.execute(sql: "INSERT INTO rejects VALUES (?, ?, ?)", arguments: [id, reason.rawValue, count])
        }
        if let columns = figures.columns {
            try db.execute(
                sql: "INSERT INTO export_columns VALUES (?, ?, ?)",
                arguments: [id, columns.series, try columns.json()])
        }
        for (code, count) in figures.tally.warningCounts {
            try db.execute(sql: "INSERT INTO warnings VALUES (?, ?, ?)", arguments: [id, code.rawValue, count])
        }
        for warning in figures.warnings {
            try db.execute(
                sql: "INSERT INTO warning_places VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    id, warning.code.rawValue, warning.recordNumber, warning.byteOffset, warning.field?.rawValue,
                    warning.shape,
                ])
        }
        for reject in figures.rejects {
            try db.execute(
                sql: "INSERT INTO reject_places VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [
                    id, reject.recordNumber, reject.byteOffset, reject.field?.rawValue, reject.code.rawValue,
                    reject.shape,
                ])
        }
    }

    /// Marks the tallies of these months (`Month.index`) as stale.
    static func markStale(_ months: Set<Int32>, _ db: Database) throws {
        for index in months {
            let month = Month(index: index)
            try db.execute(
                sql: """
                    INSERT INTO month_tallies VALUES (?, 1, NULL) ON CONFLICT (month) DO UPDATE SET is_stale = 1
                    """, arguments: [index])
            let lastDay = CivilDay.daysInMonth(year: month.year, month: month.month)
            try db.execute(
                sql: "INSERT INTO calendar VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [
                    index, month.description, month.year, month.month, month.fiscalYear,
                    CivilDay.days(year: month.year, month: month.month, day: 1),
                    CivilDay.days(year: month.year, month: month.month, day: lastDay),
                ])
        }
    }

    // MARK: - The first export

    // The first export of a store may be the history of years. The store has no rows and no readers yet, so the export is
    // written in the way that costs least.

    static func isEmpty(_ db: Database) throws -> Bool { try ExportRecord.fetchCount(db) == 0 }

    /// Writes in one transaction. Without the write-ahead log pages go to their place at once, instead of to the log and
    /// from there to the store. A kill then leaves SQLite's rollback journal, which the next to open the store plays
    /// back.
    ///
    /// Readers are locked out from the beginning, so that none blocks the commit.
    private func writeAll<Value>(withoutLog: Bool, _ body: (Database) throws -> Value) throws -> Value {
        guard withoutLog else { return try write(body) }
        // SQLite refuses it while anybody reads: then the log is used.
        guard (try? setJournalMode("DELETE")) != nil else { return try write(body) }
        // If SQLite refuses it, the next to open the store turns the log on; the transaction is complete either way.
        defer { try? setJournalMode("WAL") }
        var value: Value?
        var hasBegun = false
        do {
            try translatingErrors {
                try queue.writeWithoutTransaction { db in
                    try db.inTransaction(.exclusive) {
                        hasBegun = true
                        value = try body(db)
                        return .commit
                    }
                }
            }
        } catch {
            if hasBegun { throw error }
        }
        // A reader came in between.
        return try value ?? write(body)
    }

    private func setJournalMode(_ mode: String) throws {
        try translatingErrors {
            try queue.writeWithoutTransaction { db in
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)")
            }
        }
    }
}
