import GRDB
package import Trips

extension TripStore {
    /// Completed trips of these months with their keys and, where they were ever given out row by row, their public ids;
    /// in the order of the rows, so memory does not grow with them.
    ///
    /// - Parameters:
    ///   - months: nil: all.
    ///   - withIDs: else no id is looked up.
    package func forEachCompletedTrip(
        months: ClosedRange<Month>? = nil, withIDs: Bool,
        _ body: (TripKey, PublicTripID?, borrowing TripFacts) throws -> Void
    ) throws {
        try readPassing { db in
            let hasIDs = try withIDs && db.tableExists("public_ids")
            let names = StoreSchema.tripColumns.map { "t.\($0)" }.joined(separator: ", ")
            let join = "LEFT JOIN public_ids AS p ON p.key_high = t.key_high AND p.key_low = t.key_low"
            let select = try IntegerStatement(
                db,
                """
                SELECT \(names), \(hasIDs ? "p.id_high, p.id_low" : "NULL, NULL") FROM trips AS t \(hasIDs ? join : "")
                WHERE t.month BETWEEN ? AND ? AND t.status = ? ORDER BY t.month, t.key_high, t.key_low
                """)
            defer { select.reset() }
            select.bind(1, Int64(months?.lowerBound.index ?? .min))
            select.bind(2, Int64(months?.upperBound.index ?? .max))
            select.bind(3, Int64(TripStatus.completed.rawValue))
            let idColumn = TripColumns.count
            while try select.step(db) {
                let id =
                    !hasIDs || select.isNull(idColumn)
                    ? nil
                    : PublicTripID(
                        high: UInt64(bitPattern: select.column(idColumn)),
                        low: UInt64(bitPattern: select.column(idColumn + 1)))
                try body(
                    TripKey(high: select.column(1), low: select.column(2)), id, try TripColumns.readFacts(select))
            }
        }
    }
}
