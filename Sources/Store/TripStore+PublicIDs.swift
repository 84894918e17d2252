package import Basics
import GRDB
package import Trips

// A trip gets its public id when it is first published under one, not when it is loaded: loading stays fast.

extension TripStore {
    /// The public ids of these trips, in their order; a trip without one gets one. All in one transaction: call it with
    /// some thousands of keys at a time.
    ///
    /// - Parameter random: the system's in the command; anything else only in tests.
    package func publicIDs(
        of keys: [TripKey], random: inout some RandomNumberGenerator
    ) throws -> [PublicTripID] {
        // Public ids are not in the ledger digest.
        try translatingErrors {
            try queue.write { db in
                let known = try PublicIDRows(db)
                return try keys.map { try known.id(of: $0) ?? known.add($0, random: &random) }
            }
        }
    }

    /// The public ids that these trips have already, in their order.
    package func knownPublicIDs(of keys: [TripKey]) throws -> [PublicTripID?] {
        try scan { db in
            let known = try PublicIDRows(db)
            return try keys.map { try known.id(of: $0) }
        }
    }

    /// Where the records of these trips are, in their order: the label of the export, and the byte in it at which the
    /// record begins. Nil for a trip that is gone.
    package func recordPlaces(of keys: [TripKey]) throws -> [(export: String, byte: Int)?] {
        try scan { db in
            let statement = try db.makeStatement(
                sql: """
                    SELECT e.label, t.record_offset FROM trips AS t INDEXED BY trips_by_key
                    JOIN exports AS e ON e.export_id = t.export_id WHERE t.key_high = ? AND t.key_low = ?
                    """)
            return try keys.map { key in
                try Row.fetchOne(statement, arguments: [key.high, key.low]).map { ($0[0], $0[1]) }
            }
        }
    }

    /// The trip with this public id; nil if it was never published. The trip itself may have been removed since.
    package func tripKey(of id: PublicTripID) throws -> TripKey? {
        try read { db in
            try IntegerStatement(db, "SELECT NULL, key_high, key_low FROM public_ids WHERE id_high = ? AND id_low = ?")
                .first(Int64(bitPattern: id.high), Int64(bitPattern: id.low)) { $0.readKey() }
        }
    }

    /// Gives a public id to every completed trip of these months that has none, some thousands a transaction.
    ///
    /// - Parameter months: nil: all.
    package func assignPublicIDs(
        months: ClosedRange<Month>? = nil, random: inout some RandomNumberGenerator
    ) throws {
        for month in try self.months() where months?.contains(month) ?? true {
            var last = TripKey(high: .min, low: .min)
            guard try !scan({ try Self.keys(withoutPublicID: month, from: last, limit: 1, $0) }).isEmpty else {
                continue
            }
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
        withoutPublicID month: Month, from key: TripKey, limit: Int64, _ db: Database
    ) throws -> [TripKey] {
        var keys: [TripKey] = []
        try IntegerStatement(
            db,
            """
            SELECT month, key_high, key_low FROM trips AS t
            WHERE month = ? AND (key_high, key_low) >= (?, ?) AND status = ?
                AND NOT EXISTS (
                    SELECT 1 FROM public_ids AS p WHERE p.key_high = t.key_high AND p.key_low = t.key_low)
            ORDER BY key_high, key_low LIMIT ?
            """
        ).forEachRow(Int64(month.index), key.high, key.low, Int64(TripStatus.completed.rawValue), limit) {
            keys.append($0.readKey())
        }
        return keys
    }

    /// The trips of these months that have a public id, ordered by it: the order is random. Memory does not grow with
    /// them: the ids are in an index, and each trip is looked up.
    ///
    /// - Parameters:
    ///   - months: nil: all.
    ///   - body: receives also whether the trip was shown among the rows of its group before.
    package func forEachPublicTrip(
        months: ClosedRange<Month>? = nil, _ body: (PublicTripID, TripFacts, _ wasShown: Bool) throws -> Void
    ) throws {
        try read { db in
            try IntegerStatement(db, Self.publicTripsSQL).forEachRow(months.first, months.last) { row in
                try body(
                    row.publicID(from: TripColumns.count), try row.readFacts(),
                    row.column(TripColumns.count + 2) != 0)
            }
        }
    }

    /// Records trips that are shown among the rows of their groups.
    package func noteShown(_ ids: [PublicTripID]) throws {
        guard !ids.isEmpty else { return }
        try translatingErrors {
            try queue.write { db in
                let update = try IntegerStatement(
                    db, "UPDATE public_ids SET is_shown = 1 WHERE id_high = ? AND id_low = ?")
                for id in ids { try update.run(Int64(bitPattern: id.high), Int64(bitPattern: id.low)) }
            }
        }
    }

    /// CROSS JOIN keeps this order of loops: any other would sort all trips in memory. A test requires that it does not
    /// sort.
    package static let publicTripsSQL = """
        SELECT \(TripColumns.names(of: "t")), p.id_high, p.id_low, p.is_shown
        FROM public_ids AS p CROSS JOIN trips AS t INDEXED BY trips_by_key
            ON t.key_high = p.key_high AND t.key_low = p.key_low
        WHERE t.month BETWEEN ? AND ?
        ORDER BY p.id_high, p.id_low
        """

    /// Completed trips of these months with their keys and, where they were ever published row by row, their public ids;
    /// in the order of the rows, so that memory does not grow with them.
    ///
    /// - Parameters:
    ///   - months: nil: all.
    ///   - withIDs: else no id is looked up.
    package func forEachCompletedTrip(
        months: ClosedRange<Month>? = nil, withIDs: Bool,
        _ body: (TripKey, PublicTripID?, borrowing TripFacts) throws -> Void
    ) throws {
        let join = "LEFT JOIN public_ids AS p ON p.key_high = t.key_high AND p.key_low = t.key_low"
        let sql = """
            SELECT \(TripColumns.names(of: "t")), \(withIDs ? "p.id_high, p.id_low" : "NULL, NULL")
            FROM trips AS t \(withIDs ? join : "")
            WHERE t.month BETWEEN ? AND ? AND t.status = ? ORDER BY t.month, t.key_high, t.key_low
            """
        try scan { db in
            try IntegerStatement(db, sql)
                .forEachRow(months.first, months.last, Int64(TripStatus.completed.rawValue)) { row in
                    let id = row.isNull(TripColumns.count) ? nil : row.publicID(from: TripColumns.count)
                    try body(row.readKey(), id, try row.readFacts())
                }
        }
    }
}

extension ClosedRange<Month>? {
    /// The index of the first month; the least number for nil.
    fileprivate var first: Int64 { self.map { Int64($0.lowerBound.index) } ?? .min }
    /// The index of the last month; the greatest number for nil.
    fileprivate var last: Int64 { self.map { Int64($0.upperBound.index) } ?? .max }
}

extension IntegerStatement {
    fileprivate func publicID(from index: Int32) -> PublicTripID {
        PublicTripID(high: UInt64(bitPattern: column(index)), low: UInt64(bitPattern: column(index + 1)))
    }
}

/// The statements on `public_ids`, prepared once a transaction.
private struct PublicIDRows {
    private let select: IntegerStatement
    private let insert: IntegerStatement

    /// 128 random bits do not repeat by chance: after so many repeats the random source is broken.
    private static let mostAttempts = 8

    init(_ db: Database) throws {
        select = try IntegerStatement(db, "SELECT id_high, id_low FROM public_ids WHERE key_high = ? AND key_low = ?")
        insert = try IntegerStatement(
            db,
            "INSERT INTO public_ids (key_high, key_low, id_high, id_low) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
    }

    func id(of key: TripKey) throws -> PublicTripID? {
        try select.first(key.high, key.low) { $0.publicID(from: 0) }
    }

    /// - Precondition: the trip has no public id.
    func add(_ key: TripKey, random: inout some RandomNumberGenerator) throws -> PublicTripID {
        for _ in 0..<Self.mostAttempts {
            let id = PublicTripID(random: &random)
            let isNew = try insert.run(key.high, key.low, Int64(bitPattern: id.high), Int64(bitPattern: id.low)) == 1
            if isNew { return id }
        }
        throw StoreError.inconsistent("the random source repeats itself")
    }
}
