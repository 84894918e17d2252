import GRDB
package import Trips

extension TripStore {
    /// Gives a public id to every completed trip of these months that has none, some thousands a transaction.
    ///
    /// - Parameter months: nil: all.
    package func assignPublicIDs(
        months: ClosedRange<Month>? = nil, random: inout some RandomNumberGenerator
    ) throws {
        for month in try self.months() where months?.contains(month) ?? true {
            guard try readPassing({ try Self.keys(withoutPublicID: month, from: .first, limit: 1, $0) }).last != nil
            else { continue }
            var last = TripKey.first
            while true {
                let keys = try read { try Self.keys(withoutPublicID: month, from: last, limit: 4096, $0) }
                guard let next = keys.last else { break }
                _ = try publicIDs(of: keys, random: &random)
                last = next
            }
        }
    }

    /// Completed trips without a public id, by key, from this key on.
    private static func keys(
        withoutPublicID month: Month, from key: TripKey, limit: Int, _ db: Database
    ) throws -> [TripKey] {
        let select = try IntegerStatement(
            db,
            """
            SELECT key_high, key_low FROM trips AS t
            WHERE month = ? AND (key_high, key_low) >= (?, ?) AND status = ?
                AND NOT EXISTS (
                    SELECT 1 FROM public_ids AS p WHERE p.key_high = t.key_high AND p.key_low = t.key_low)
            ORDER BY key_high, key_low LIMIT ?
            """)
        defer { select.reset() }
        select.bind(1, Int64(month.index))
        select.bind(2, key.high)
        select.bind(3, key.low)
        select.bind(4, Int64(TripStatus.completed.rawValue))
        select.bind(5, Int64(limit))
        var keys: [TripKey] = []
        while try select.step(db) { keys.append(TripKey(high: select.column(0), low: select.column(1))) }
        return keys
    }

    /// The trips of these months that have a public id, in its order, which says nothing of them. Memory does not grow
    /// with them: the ids lie in an index, and each trip is looked up.
    ///
    /// - Parameter months: nil: all.
    package func forEachPublicTrip(
        months: ClosedRange<Month>? = nil, _ body: (PublicTripID, TripFacts) throws -> Void
    ) throws {
        try read { db in
            let select = try IntegerStatement(db, Self.publicTripsSQL)
            defer { select.reset() }
            select.bind(1, Int64(months?.lowerBound.index ?? .min))
            select.bind(2, Int64(months?.upperBound.index ?? .max))
            let idColumn = TripColumns.count
            while try select.step(db) {
                let id = PublicTripID(
                    high: UInt64(bitPattern: select.column(idColumn)),
                    low: UInt64(bitPattern: select.column(idColumn + 1)))
                try body(id, try TripColumns.readFacts(select))
            }
        }
    }

    /// CROSS JOIN keeps SQLite to this order of loops: any other would sort all trips in memory.
    private static let publicTripsSQL = """
        SELECT \(StoreSchema.tripColumns.map { "t.\($0)" }.joined(separator: ", ")), p.id_high, p.id_low
        FROM public_ids AS p CROSS JOIN trips AS t INDEXED BY trips_by_key
            ON t.key_high = p.key_high AND t.key_low = p.key_low
        WHERE t.month BETWEEN ? AND ?
        ORDER BY p.id_high, p.id_low
        """

    /// How SQLite carries it out; a test holds it to using no sort.
    package func publicTripsQueryPlan() throws -> [String] {
        try read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + Self.publicTripsSQL, arguments: [Int64(0), Int64(0)]
            ).map { try $0.decode(forColumn: "detail") }
        }
    }
}

extension TripKey {
    /// No key is before it.
    fileprivate static let first = TripKey(high: .min, low: .min)
}
