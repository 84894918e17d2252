import GRDB
package import KPIs
package import Trips

extension TripStore {
    /// What the reader of an export knows once it has read all of it.
    package struct ExportFigures: Sendable {
        package var asOf: Int
        package var counts: ReadCounts
        package var rejectsByReason: [RejectReason: Int]
        package var rejects: [StoredReject]
        /// All of its trips, older versions and copies included.
        package var tally: KPITally
        /// Where the crosswalk has the export's identifiers too; nil: it is off.
        package var crosswalk: CrosswalkMark?

        package init(
            asOf: Int, counts: ReadCounts, rejectsByReason: [RejectReason: Int], rejects: [StoredReject],
            tally: KPITally
        ) {
            self.asOf = asOf
            self.counts = counts
            self.rejectsByReason = rejectsByReason
            self.rejects = rejects
            self.tally = tally
        }
    }

    /// Begins to load: what is loaded with this session is tallied by `settle`.
    package func session(shape: KPITally.Shape) throws -> StoreSession {
        let stale = try read { db in
            try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies WHERE is_stale <> 0")
        }
        return StoreSession(shape: shape, staleBefore: Set(stale))
    }

    /// Takes an export in: all of it with its line in the ledger, or nothing.
    ///
    /// - Parameters:
    ///   - contentHash: the export's SHA-256 where the record has none yet; asked for as late as can be.
    ///   - replacing: the same export as it was loaded before, to be taken out in the same transaction (a replay).
    ///   - findAsOf: what the whole export says of its age, if that is needed before all of it is read.
    ///   - read: hands the export's versions to the writer, and says at the end what was read. What it throws takes
    ///     everything back.
    /// - Returns: the equation of this load, against the store as it was before.
    package func load(
        _ export: ExportRecord, contentHash: (() throws -> String)? = nil, session: inout StoreSession,
        replacing: Bool = false, findAsOf: @escaping () throws -> Int, read: (ExportWriter) throws -> ExportFigures
    ) throws -> ReadCounts {
        let shape = session.shape
        let isFirst = try self.read(Self.isEmpty)
        var changes: [StoreSession.Change] = []
        do {
            let counts = try writeAll(withoutLog: isFirst) { db in
                try LedgerDigest.remove(db)
                if replacing { changes.append(try Self.withdraw(export.sha256, db, shape)) }
                let (counts, change) = try Self.load(
                    export, contentHash: contentHash ?? { export.sha256 }, db, shape,
                    unindexedTrips: isFirst ? unindexedTrips : 0, texts: texts, findAsOf: findAsOf, read: read)
                changes.append(change)
                return counts
            }
            session.note(changes)
            return counts
        } catch {
            texts.forgetUnwritten()
            throw error
        }
    }

    private static func load(
        _ export: ExportRecord, contentHash: @escaping () throws -> String, _ db: Database, _ shape: KPITally.Shape,
        unindexedTrips: Int, texts: TextTable, findAsOf: @escaping () throws -> Int,
        read: (ExportWriter) throws -> ExportFigures
    ) throws -> (ReadCounts, StoreSession.Change) {
        if !export.sha256.isEmpty { try refuseKnown(export.sha256, db) }
        let exportID = try Int32.fetchOne(db, sql: "SELECT COALESCE(MAX(export_id), 0) + 1 FROM exports") ?? 1
        func rank(_ asOf: Int) throws -> ExportRank {
            ExportRank(asOf: asOf, bytes: export.bytes, sha256: try contentHash())
        }
        let writer = try ExportWriter(db, exportID: exportID, shape: shape, unindexedTrips: unindexedTrips) {
            try rank(export.asOf ?? findAsOf())
        }
        let figures = try read(writer)
        let asOf = export.asOf ?? figures.asOf
        let outcome = try writer.finish(rank: rank(asOf))
        var record = export
        record.sha256 = try contentHash()
        if export.sha256.isEmpty { try refuseKnown(record.sha256, db) }
        record.asOf = asOf
        record.read = figures.counts.read
        record.skipped = figures.counts.skipped
        record.rejected = figures.counts.rejected
        record.copiesInside = outcome.copiesInside
        record.supersededInside = outcome.supersededInside
        record.trips = outcome.trips
        var counts = outcome.counts
        counts.read = record.read
        counts.skipped = record.skipped
        counts.rejected = record.rejected
        guard record.isReconciled, counts.isReconciled else {
            throw StoreError.inconsistent("the records of an export: \(counts.equation)")
        }
        try texts.write(db)
        try insert(record, id: exportID, db)
        try insert(figures, id: exportID, db)
        if let mark = figures.crosswalk { try remember(mark, db) }
        try outcome.change.write(db)
        try forgetAbsence(of: record.sha256, db)
        try markStale(outcome.months, db)
        return (counts, StoreSession.Change(tally: figures.tally, outcome: outcome))
    }

    private static func refuseKnown(_ sha256: String, _ db: Database) throws {
        let isKnown = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM exports WHERE sha256 = ?)", arguments: [sha256])
        if isKnown == true { throw StoreError.alreadyLoaded(sha256: sha256) }
    }

    /// What was said of the export while it was not in the store is over: that it failed, that it may stay out, that it
    /// was taken out.
    private static func forgetAbsence(of sha256: String, _ db: Database) throws {
        for sql in [
            "DELETE FROM waivers WHERE sha256 = ? AND sha256 IN (SELECT sha256 FROM failed_exports)",
            "DELETE FROM failed_exports WHERE sha256 = ?",
            "DELETE FROM withdrawn_exports WHERE sha256 = ?",
        ] {
            try db.execute(sql: sql, arguments: [sha256])
        }
    }

    static func ranks(_ db: Database) throws -> [Int32: ExportRank] {
        var ranks: [Int32: ExportRank] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT export_id, as_of, bytes, sha256 FROM exports") {
            ranks[try row.decode(atIndex: 0)] = ExportRank(
                asOf: try row.decode(atIndex: 1), bytes: try row.decode(atIndex: 2), sha256: try row.decode(atIndex: 3))
        }
        return ranks
    }

    private static func insert(_ record: ExportRecord, id: Int32, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO exports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, record.sha256, record.label, record.source, record.asOf, record.isDatedByName, record.bytes,
                record.profileVersion, record.dateBasis, record.intervalPairs, record.maximumIntervalSeconds,
                record.loadedAt, record.read, record.skipped, record.rejected, record.copiesInside,
                record.supersededInside, record.trips,
            ])
    }

    private static func insert(_ figures: ExportFigures, id: Int32, _ db: Database) throws {
        for (reason, count) in figures.rejectsByReason {
            try db.execute(sql: "INSERT INTO rejects VALUES (?, ?, ?)", arguments: [id, reason.rawValue, count])
        }
        for place in figures.rejects {
            try db.execute(
                sql: "INSERT INTO reject_places VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [
                    id, place.recordNumber, place.byteOffset, place.field?.rawValue, place.reason.rawValue, place.shape,
                ])
        }
    }

    /// Marks the written tallies of these months (`Month.index`) as not to be trusted.
    static func markStale(_ months: Set<Int32>, _ db: Database) throws {
        for index in months {
            let month = Month(index: index)
            try db.execute(
                sql: """
                    INSERT INTO month_tallies VALUES (?, 1, NULL) ON CONFLICT (month) DO UPDATE SET is_stale = 1
                    """, arguments: [index])
            try db.execute(
                sql: "INSERT INTO calendar VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [
                    index, month.description, month.year, month.month, month.fiscalYear,
                    CivilDay.days(year: month.year, month: month.month, day: 1),
                    CivilDay.days(
                        year: month.year, month: month.month,
                        day: CivilDay.daysInMonth(year: month.year, month: month.month)),
                ])
        }
    }
}
