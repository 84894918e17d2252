import GRDB
package import Trips

extension TripStore {
    /// What the rules say of a trip.
    package struct Decision: Sendable, Hashable {
        package var sourcing: Sourcing
        /// Number of the rule's id in `texts`; 0: no rule decided.
        package var rule: Int32

        package init(sourcing: Sourcing, rule: Int32) {
            self.sourcing = sourcing
            self.rule = rule
        }
    }

    /// Gives every trip, older versions too, what other rules say of it, and takes the rules down as the store's own.
    /// All of it or, if one of the closures throws, nothing. The months that change are stale afterwards: `settle`
    /// tallies them.
    ///
    /// - Parameters:
    ///   - decide: nil for a trip of which it cannot be told; it stays as it is.
    ///   - check: asked when all trips are through; throws if they were not all told.
    /// - Returns: how many of the trips that count have changed, by month; months without a change are left out.
    package func reclassify(
        rulesName: String, rulesVersion: String, decide: (TripFacts) throws -> Decision?, check: () throws -> Void
    ) throws -> [Month: Int] {
        do {
            return try write { db in
                try LedgerDigest.remove(db)
                var changed: [Month: Int] = [:]
                // A month at a time: what changes in one is held in memory.
                for month in try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies ORDER BY month") {
                    let count = try Self.reclassify(
                        db, table: "trips", condition: "month = \(month)", key: ["month", "key_high", "key_low"], decide
                    )
                    if count > 0 { changed[Month(index: month)] = count }
                }
                _ = try Self.reclassify(
                    db, table: "older_versions", condition: "TRUE", key: ["key_high", "key_low", "export_id"], decide)
                try check()
                try Self.markStale(Set(changed.keys.map(\.index)), db)
                try texts.write(db)
                try db.execute(
                    sql: "UPDATE store SET rules_name = ?, rules_version = ?", arguments: [rulesName, rulesVersion])
                return changed
            }
        } catch {
            texts.forgetUnwritten()
            throw error
        }
    }

    /// - Parameter key: the three columns that a row is found by.
    private static func reclassify(
        _ db: Database, table: String, condition: String, key: [String], _ decide: (TripFacts) throws -> Decision?
    ) throws -> Int {
        let places = key.compactMap { StoreSchema.tripColumns.firstIndex(of: $0).map(Int32.init) }
        var changes: [(key: SIMD3<Int64>, decision: Decision)] = []
        var released: [StoredTrip] = []
        let digests = RowDigests()
        let journal = try ReleaseJournal(db, digests)
        let select = try IntegerStatement(db, "SELECT \(TripColumns.names) FROM \(table) WHERE \(condition)")
        while try select.step(db) {
            let trip = try TripColumns.read(select)
            guard let decision = try decide(trip.facts) else { continue }
            let facts = trip.facts
            guard decision.sourcing.rawValue != facts.sourcing || decision.rule != facts[.rule] else { continue }
            let key = SIMD3(select.column(places[0]), select.column(places[1]), select.column(places[2]))
            changes.append((key, decision))
            var changed = trip
            changed.facts.sourcing = decision.sourcing.rawValue
            changed.facts[.rule] = decision.rule
            if table == "trips" {
                digests.remove(trip, from: .trips)
                digests.add(changed, to: .trips)
                // The rule's name is in no figure.
                if journal.keeps(trip), decision.sourcing.rawValue != facts.sourcing { released.append(trip) }
            } else {
                digests.remove(trip, from: .olderVersions)
                digests.add(changed, to: .olderVersions)
            }
        }
        select.reset()
        for trip in released { try journal.noteChanged(trip) }
        let update = try IntegerStatement(
            db,
            "UPDATE \(table) SET sourcing = ?, rule = ? WHERE " + key.map { "\($0) = ?" }.joined(separator: " AND "))
        for change in changes {
            update.bind(1, Int64(change.decision.sourcing.rawValue))
            update.bind(2, Int64(change.decision.rule))
            for column in 0..<3 { update.bind(Int32(3 + column), change.key[column]) }
            try update.run(db)
        }
        try digests.write(db)
        return changes.count
    }

    /// The versions of trips that do not count, one by one.
    package func forEachOlderVersion(_ body: (TripFacts) throws -> Void) throws {
        try read { db in
            let statement = try IntegerStatement(db, "SELECT \(TripColumns.names) FROM older_versions")
            defer { statement.reset() }
            while try statement.step(db) { try body(try TripColumns.readFacts(statement)) }
        }
    }

    /// The trips of a month that count, one by one, in the order of their keys.
    package func forEach(of month: Month, _ body: (TripFacts) throws -> Void) throws {
        try read { db in
            let statement = try IntegerStatement(
                db, "SELECT \(TripColumns.names) FROM trips WHERE month = ? ORDER BY month, key_high, key_low")
            statement.bind(1, Int64(month.index))
            defer { statement.reset() }
            while try statement.step(db) { try body(try TripColumns.readFacts(statement)) }
        }
    }

    /// All versions of one trip, the one that counts first, each with the SHA-256 of its export.
    package func versions(of key: TripKey) throws -> [(trip: StoredTrip, exportSHA256: String)] {
        try read { db in
            let ranks = try Self.ranks(db)
            let history = TripHistory(try TripRows(db).history(of: key), ranks: ranks)
            let newest = history.newest
            return history.versions.map { ($0, ranks[$0.exportID]?.sha256 ?? "") }
                .sorted { ($0.0 == newest ? 0 : 1, $0.1) < ($1.0 == newest ? 0 : 1, $1.1) }
        }
    }

    /// Which key the store's pseudonyms were made with.
    package func keyFingerprint() throws -> String {
        try read { try String.fetchOne($0, sql: "SELECT key_fingerprint FROM store") ?? "" }
    }
}
