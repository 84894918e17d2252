package import Basics
import GRDB
package import Trips

extension TripStore {
    /// The classification of a trip by the rules.
    package struct RuleDecision: Sendable, Hashable {
        package var sourcing: Sourcing
        /// Number of the rule's id in `texts`; 0: no rule decided.
        package var rule: Int32

        package init(sourcing: Sourcing, rule: Int32) {
            self.sourcing = sourcing
            self.rule = rule
        }
    }

    /// Classifies every trip by other rules, older versions too, and records the rules as the store's own. If a closure
    /// throws, nothing changes. The months that change become stale: `refreshTallies` tallies them.
    ///
    /// - Parameters:
    ///   - decide: nil for a trip that cannot be decided; it stays as it is.
    ///   - check: called when all trips were decided; throws if some could not be.
    /// - Returns: how many of the trips that count have changed, by month; months without a change are left out.
    package func reclassify(
        rulesName: String, rulesVersion: String, decide: (TripFacts) throws -> RuleDecision?, check: () throws -> Void
    ) throws -> [Month: Int] {
        try texts.keepingWritten {
            try write { db in
                try LedgerDigest.remove(db)
                var changed: [Month: Int] = [:]
                // A month at a time: the changes of one are in memory.
                for month in try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies ORDER BY month") {
                    let count = try Self.reclassify(
                        db, .trips, where: "month = \(month)", key: ["month", "key_high", "key_low"], decide)
                    if count > 0 { changed[Month(index: month)] = count }
                }
                for table in [VersionTable.olderVersions, .tripParts] {
                    _ = try Self.reclassify(
                        db, table, where: "TRUE", key: ["key_high", "key_low", "export_id"], decide)
                }
                try check()
                try Self.markStale(Set(changed.keys.map(\.index)), db)
                try texts.write(db)
                try db.execute(
                    sql: "UPDATE store SET rules_name = ?, rules_version = ?", arguments: [rulesName, rulesVersion])
                return changed
            }
        }
    }

    /// - Parameter key: the three columns of the table's primary key.
    private static func reclassify(
        _ db: Database, _ table: VersionTable, where condition: String, key: [String],
        _ decide: (TripFacts) throws -> RuleDecision?
    ) throws -> Int {
        let keyColumns = key.compactMap { TripColumns.all.firstIndex(of: $0).map(Int32.init) }
        var changes: [(key: SIMD3<Int64>, decision: RuleDecision)] = []
        var released: [StoredTrip] = []
        let rows = RowChanges()
        let journal = try ReleaseJournal(db, rows)
        let select = "SELECT \(TripColumns.names) FROM \(table.rawValue) WHERE \(condition)"
        try IntegerStatement(db, select).forEachRow { row in
            let trip = try row.readTrip()
            guard let decision = try decide(trip.facts),
                decision.sourcing.rawValue != trip.facts.sourcing || decision.rule != trip.facts[.rule]
            else { return }
            let key = SIMD3(row.column(keyColumns[0]), row.column(keyColumns[1]), row.column(keyColumns[2]))
            changes.append((key, decision))
            var changed = trip
            changed.facts.sourcing = decision.sourcing.rawValue
            changed.facts[.rule] = decision.rule
            rows.remove(trip, from: table)
            rows.add(changed, to: table)
            // The rule's id is in no published number.
            if table == .trips, journal.keeps(trip), changed.facts.sourcing != trip.facts.sourcing {
                released.append(trip)
            }
        }
        for trip in released { try journal.noteChanged(trip) }
        let update = try IntegerStatement(
            db,
            "UPDATE \(table.rawValue) SET sourcing = ?, rule = ? WHERE "
                + key.map { "\($0) = ?" }.joined(separator: " AND "))
        for (key, decision) in changes {
            try update.run(Int64(decision.sourcing.rawValue), Int64(decision.rule), key[0], key[1], key[2])
        }
        try rows.write(db)
        return changes.count
    }

    /// The versions of trips that do not count, one by one.
    package func forEachOlderVersion(_ body: (TripFacts) throws -> Void) throws {
        try read { db in
            try IntegerStatement(db, "SELECT \(TripColumns.names) FROM older_versions")
                .forEachRow { try body(try $0.readFacts()) }
        }
    }

    /// The trips of a month that count, one by one, in the order of their keys.
    package func forEach(of month: Month, _ body: (TripFacts) throws -> Void) throws {
        try read { db in
            try IntegerStatement(
                db, "SELECT \(TripColumns.names) FROM trips WHERE month = ? ORDER BY month, key_high, key_low"
            ).forEachRow(Int64(month.index)) { try body(try $0.readFacts()) }
        }
    }

    /// What the store has of one trip.
    package struct TripVersions {
        /// As it counts, with the values of its parts; nil: only parts of it are there.
        package let counted: TripFacts?
        /// As its exports have it, the newest first, each with the SHA-256 of its export.
        package let own: [(trip: StoredTrip, exportSHA256: String)]
        /// As supplements have it.
        package let parts: [(trip: StoredTrip, exportSHA256: String)]
    }

    /// Nil: the store has nothing of the trip.
    package func versions(of key: TripKey) throws -> TripVersions? {
        try read { db in
            let exports = try LoadedExports(db)
            let trip = try VersionRows(db, .none).trip(of: key, exports)
            let newest = trip.own.newest
            func named(_ versions: [StoredTrip]) -> [(trip: StoredTrip, exportSHA256: String)] {
                versions.map { ($0, exports.ranks[$0.exportID]?.sha256 ?? "") }
                    .sorted { ($0.0 == newest ? 0 : 1, $0.1) < ($1.0 == newest ? 0 : 1, $1.1) }
            }
            guard !trip.versions.isEmpty else { return nil }
            return TripVersions(
                counted: trip.counted?.facts, own: named(trip.own.versions), parts: named(trip.partVersions))
        }
    }
}
