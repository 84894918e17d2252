import Basics
import GRDB
import KPIs
import Trips

/// An export that is being loaded, within one transaction: insert its versions, finish, and return what came of it.
package struct ExportLoad {
    private let export: UnreadExport
    private let db: Database
    private let exportID: Int32
    private let monthsBefore: Set<Int32>
    private let writer: ExportWriter
    private let texts: TextTable

    /// - Parameter unindexedTrips: not 0 only if the store is empty: so many trips are inserted before their keys are indexed.
    /// - Throws: `StoreError.alreadyLoaded`.
    init(
        _ export: UnreadExport, _ db: Database, _ shape: KPITally.Shape, _ completion: TripCompletion,
        unindexedTrips: Int, texts: TextTable
    ) throws {
        self.export = export
        self.db = db
        self.texts = texts
        let record = export.record
        if !record.sha256.isEmpty { try Self.refuseKnown(record.sha256, db) }
        exportID = try Int32.fetchOne(db, sql: "SELECT COALESCE(MAX(export_id), 0) + 1 FROM exports") ?? 1
        monthsBefore = Set(try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies"))
        writer = try ExportWriter(
            db, exportID: exportID, partSource: record.supplements == nil ? nil : record.source, shape: shape,
            completion: completion, unindexedTrips: unindexedTrips, rank: export.rank)
    }

    /// Inserts versions; fastest in the order of month and key.
    package func insert(_ trips: [StoredTrip]) throws { try writer.insert(trips) }

    /// Writes what is known now that all of the export is read.
    ///
    /// - Returns: what came of it, and what makes it doubtful: who cannot accept that throws, and nothing is loaded.
    package func finish(_ figures: ExportFigures) throws -> LoadedExport {
        let asOf = export.record.asOf ?? figures.asOf
        let outcome = try writer.finish(rank: export.rank(asOf: asOf))
        let (completed, costed) = figures.completedTrips
        let doubts = try doubts(outcome, figures, completed: completed, costed: costed, asOf: asOf)
        var record = export.record
        record.sha256 = try export.findSHA256()
        if export.record.sha256.isEmpty { try Self.refuseKnown(record.sha256, db) }
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
        try Self.insert(figures, id: exportID, db)
        if let mark = figures.crosswalk { try TripStore.remember(mark, db) }
        try Self.forgetAbsence(of: record.sha256, db)
        var change = outcome.change
        change.tally = record.supplements == nil ? figures.tally : nil
        return LoadedExport(record: record, counts: counts, doubts: doubts, notes: outcome.notes, change: change)
    }

    private func doubts(
        _ outcome: ExportWriter.Outcome, _ figures: ExportFigures, completed: Int, costed: Int, asOf: Int
    ) throws -> [LoadDoubt] {
        var doubts: [LoadDoubt] = []
        if let series = figures.columns?.series,
            let lost = try LostCosts.find(completed: completed, costed: costed, series: series, until: asOf, db)
        {
            doubts.append(.lostCosts(lost))
        }
        if let refusal = outcome.replacedTrips.refusal {
            let labels = try Self.labels(of: refusal.places, db)
            let own = export.record.label
            doubts.append(
                .replacedTrips(
                    refusal,
                    places: refusal.places.map { $0.description { $0 == Int(exportID) ? own : labels[$0] } }))
        }
        if export.record.supplements == nil,
            let repeats = try RepeatedTrips.find(
                ofExport: exportID, source: export.record.source, trips: outcome.trips, added: outcome.counts.added,
                months: outcome.change.months.intersection(monthsBefore), db)
        {
            doubts.append(.repeatedTrips(repeats))
        }
        return doubts
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
                sql: "INSERT INTO warning_places VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    id, warning.code.rawValue, warning.recordNumber, warning.byteOffset, warning.field?.rawValue,
                    warning.shape, warning.sheetRow?.sheet, warning.sheetRow?.row,
                ])
        }
        for reject in figures.rejects {
            try db.execute(
                sql: "INSERT INTO reject_places VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [
                    id, reject.recordNumber, reject.byteOffset, reject.field?.rawValue, reject.code.rawValue,
                    reject.shape, reject.sheetRow?.sheet, reject.sheetRow?.row,
                ])
        }
    }
}

extension ExportWriter.Outcome {
    /// What must be said of the export though it is loaded.
    fileprivate var notes: [LoadNote] {
        var notes: [LoadNote] = []
        if !undecided.isEmpty { notes.append(.undecided(trips: undecided.count)) }
        if waiting > 0 { notes.append(.waiting(records: waiting, of: trips)) }
        if keptOut > 0 { notes.append(.keptOut(records: keptOut)) }
        if !doublyCosted.isEmpty { notes.append(.doublyCosted(trips: doublyCosted.count)) }
        return notes + replacedTrips.notes.map(LoadNote.replaced)
    }
}
