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
    /// - Returns: how many of the trips that count have changed.
    package func reclassify(
        rulesName: String, rulesVersion: String, decide: (TripFacts) throws -> Decision?, check: () throws -> Void
    ) throws -> Int {
        do {
            return try write { db in
                var changed = 0
                let months = try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies ORDER BY month")
                var touched: Set<Int32> = []
                for month in months {
                    let count = try Self.reclassify(
                        db, table: "trips", condition: "month = \(month)", key: ["month", "key_high", "key_low"], decide
                    )
                    if count > 0 { touched.insert(month) }
                    changed += count
                }
                _ = try Self.reclassify(
                    db, table: "older_versions", condition: "TRUE", key: ["key_high", "key_low", "export_id"], decide)
                try check()
                try Self.markStale(touched, db)
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

    /// Takes down that trips were classified by several rule sets: whatever rules come next, all trips are classified
    /// anew.
    package func noteMixedRules() throws {
        try write { try $0.execute(sql: "UPDATE store SET rules_version = 'mixed'") }
    }

    private static func reclassify(
        _ db: Database, table: String, condition: String, key: [String], _ decide: (TripFacts) throws -> Decision?
    ) throws -> Int {
        let places = key.compactMap { StoreSchema.tripColumns.firstIndex(of: $0).map(Int32.init) }
        var changes: [(key: [Int64], decision: Decision)] = []
        let select = try IntegerStatement(db, "SELECT \(TripColumns.names) FROM \(table) WHERE \(condition)")
        while try select.step(db) {
            let facts = TripColumns.readFacts(select)
            guard let decision = try decide(facts) else { continue }
            guard decision.sourcing.rawValue != facts.sourcing || decision.rule != facts[.rule] else { continue }
            changes.append((places.map(select.column), decision))
        }
        select.reset()
        let update = try IntegerStatement(
            db,
            "UPDATE \(table) SET sourcing = ?, rule = ? WHERE " + key.map { "\($0) = ?" }.joined(separator: " AND "))
        for change in changes {
            update.bind(1, Int64(change.decision.sourcing.rawValue))
            update.bind(2, Int64(change.decision.rule))
            for (index, value) in change.key.enumerated() { update.bind(Int32(3 + index), value) }
            try update.run(db)
        }
        return changes.count
    }

    /// The trips of a month that count, one by one, in the order of their keys.
    package func forEach(of month: Month, _ body: (TripFacts) throws -> Void) throws {
        try read { db in
            let statement = try IntegerStatement(
                db, "SELECT \(TripColumns.names) FROM trips WHERE month = ? ORDER BY month, key_high, key_low")
            statement.bind(1, Int64(month.index))
            while try statement.step(db) { try body(TripColumns.readFacts(statement)) }
            statement.reset()
        }
    }

    /// All versions of one trip, the one that counts first, each with the export it came with.
    package func versions(of key: TripKey) throws -> [(facts: TripFacts, exportSHA256: String, isNewest: Bool)] {
        try read { db in
            let rows = try TripRows(db)
            let ranks = try Self.ranks(db)
            let history = TripHistory(try rows.history(of: key), ranks: ranks)
            let newest = history.newest
            return history.versions.sorted { $0.exportID < $1.exportID }
                .map { ($0.facts, ranks[$0.exportID]?.sha256 ?? "", $0 == newest) }
                .sorted { $0.2 && !$1.2 }
        }
    }
}
