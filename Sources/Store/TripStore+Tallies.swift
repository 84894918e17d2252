package import Basics
import Dispatch
import Foundation
import GRDB
package import KPIs
import Synchronization
package import Trips

extension TripStore {
    /// Ends a session: writes the tallies of the months it has changed. A month's tally is the stored one plus what was
    /// added, less what was retracted. Months that were stale before, or whose patients cannot be counted this way, are
    /// tallied from their rows.
    ///
    /// - Returns: the months written, ascending.
    @discardableResult
    package func refreshTallies(_ session: LoadSession, workers: Int) throws -> [Month] {
        let months = session.touched.union(session.staleBefore)
        var tally = KPITally(shape: session.shape)
        var fromRows = session.staleBefore
        try read { db in
            for month in session.touched.subtracting(session.staleBefore) {
                let body = try Data.fetchOne(
                    db, sql: "SELECT body FROM month_tallies WHERE month = ?", arguments: [month])
                if let body { try tally.merge(encoded: Array(body), month: Month(index: month)) }
            }
        }
        // The rows of months that were stale before include what the session changed.
        var added = session.added, retracted = session.retracted
        for month in session.staleBefore {
            added.remove(month: Month(index: month))
            retracted.remove(month: Month(index: month))
        }
        tally.merge(added)
        guard tally.subtract(retracted) else {
            throw StoreError.damaged(path: path, detail: "a tally lacks trips that were retracted from it")
        }
        for month in months where !session.staleBefore.contains(month) && !tally.isSure(month: Month(index: month)) {
            fromRows.insert(month)
        }
        for month in fromRows { tally.remove(month: Month(index: month)) }
        // A tally from rows is as correct as the rows.
        try read { db in
            let verifier = try SliceVerifier(db)
            for month in fromRows.sorted() { try verifier.verify(RowSlice.all(ofMonth: month)) }
        }
        tally.merge(
            try tallyRows(of: fromRows.sorted().map(Month.init(index:)), shape: session.shape, workers: workers))
        let finished = tally
        try write { db in
            for month in months { try Self.write(finished, month: Month(index: month), db) }
            if try !LedgerDigest.isWritten(db) { try LedgerDigest.write(db) }
        }
        return months.sorted().map(Month.init(index:))
    }

    private static func write(_ tally: KPITally, month: Month, _ db: Database) throws {
        let hasTrips = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM trips WHERE month = ?)", arguments: [month.index])
        guard hasTrips == true else {
            try db.execute(sql: "DELETE FROM month_tallies WHERE month = ?", arguments: [month.index])
            try db.execute(sql: "DELETE FROM calendar WHERE month = ?", arguments: [month.index])
            return
        }
        try db.execute(
            sql: "UPDATE month_tallies SET is_stale = 0, body = ? WHERE month = ?",
            arguments: [Data(tally.encoded(month: month)), month.index])
    }

    /// The shape of the store's tallies: its lists, and the longest interval that one of its exports may have.
    package func shape(atLeastSeconds seconds: Int = 0) throws -> KPITally.Shape {
        try read { try Self.shape($0, atLeastSeconds: seconds) }
    }

    static func shape(_ db: Database, atLeastSeconds seconds: Int = 0) throws -> KPITally.Shape {
        func number(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
        // Released months may have trips of exports that were withdrawn since.
        let longest = try number("SELECT MAX(maximum_interval_seconds) FROM exports")
        let longestReleased = try number("SELECT MAX(maximum_interval_seconds) FROM releases")
        return KPITally.Shape(
            regionCount: try number("SELECT COUNT(*) FROM regions"),
            tripTypeCount: try number("SELECT COUNT(*) FROM trip_types"),
            maximumIntervalSeconds: max(seconds, longest, longestReleased, 86_400))
    }

    // MARK: - Months

    /// The months of the store, ascending.
    package func months() throws -> [Month] {
        let months = try read { try Int32.fetchAll($0, sql: "SELECT month FROM month_tallies ORDER BY month") }
        guard months.allSatisfy(Month.storable.contains) else {
            throw StoreError.damaged(path: path, detail: "there is a month that no trip can have")
        }
        return months.map(Month.init(index:))
    }

    /// Months with trips that are not void, ascending.
    package func countedMonths() throws -> [Month] {
        try months(
            with: "SELECT EXISTS (SELECT 1 FROM trips WHERE month = ? AND status <> ?)", TripStatus.void.rawValue)
    }

    /// Months with this many trips or more that are not void, ascending.
    package func months(ofAtLeast trips: Int) throws -> [Month] {
        try months(
            with: "SELECT COUNT(*) >= ?2 FROM (SELECT 1 FROM trips WHERE month = ?1 AND "
                + "status <> \(TripStatus.void.rawValue) LIMIT ?2)", trips)
    }

    /// Months for which the query is true.
    private func months(with condition: String, _ value: some DatabaseValueConvertible) throws -> [Month] {
        let months = try months()
        return try read { db in
            let statement = try db.makeStatement(sql: condition)
            return try months.filter { try Bool.fetchOne(statement, arguments: [$0.index, value]) ?? false }
        }
    }

    /// Months whose tallies are stale, ascending.
    package func staleMonths() throws -> [Month] {
        try read { db in
            try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies WHERE is_stale <> 0 ORDER BY month")
                .map(Month.init(index:))
        }
    }

    // MARK: - Reading

    /// The stored tallies of these months, merged.
    package func tally(of months: ClosedRange<Month>? = nil, shape: KPITally.Shape) throws -> KPITally {
        var tally = KPITally(shape: shape)
        try read { db in
            let cursor = try Row.fetchCursor(
                db, sql: "SELECT month, is_stale, body FROM month_tallies WHERE month BETWEEN ? AND ? ORDER BY month",
                arguments: [months?.lowerBound.index ?? .min, months?.upperBound.index ?? .max])
            while let row = try cursor.next() {
                let month = Month(index: try row.decode(atIndex: 0))
                let isStale: Int = try row.decode(atIndex: 1), body: Data? = try row.decode(atIndex: 2)
                guard isStale == 0, let body else { throw StoreError.stale(path: path, month: month.description) }
                try tally.merge(encoded: Array(body), month: month)
            }
        }
        return tally
    }

    /// Tallies months from their rows, several at a time.
    package func tallyRows(of months: [Month], shape: KPITally.Shape, workers: Int) throws -> KPITally {
        guard !months.isEmpty else { return KPITally(shape: shape) }
        let next = Atomic<Int>(0)
        let results = Mutex<[Result<KPITally, any Error>]>([])
        let count = max(1, min(workers, months.count))
        DispatchQueue.concurrentPerform(iterations: count) { _ in
            let result = Result { () throws -> KPITally in
                var tally = KPITally(shape: shape)
                let reader = count == 1 ? self : try TripStore(reading: path)
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < months.count else { return tally }
                    try reader.forBatches(of: months[index], shape: shape) { tally.add($0) }
                }
            }
            results.withLock { $0.append(result) }
        }
        var tally = KPITally(shape: shape)
        for result in results.withLock({ $0 }) { tally.merge(try result.get()) }
        return tally
    }

    /// The trips of a month that count, batch by batch.
    ///
    /// - Parameter shape: nil: that of the store. A trip that does not fit it is damage.
    package func forBatches(
        of month: Month, shape: KPITally.Shape? = nil, _ body: (TripBatch) throws -> Void
    ) throws {
        try read { try Self.forBatches(of: month, shape: shape ?? Self.shape($0), $0, body) }
    }

    /// - Parameter excluded: trips that are left out.
    static func forBatches(
        of month: Month, without excluded: Set<TripKey> = [], shape: KPITally.Shape, _ db: Database,
        _ body: (TripBatch) throws -> Void
    ) throws {
        var batch = TripBatch(capacity: 2048, textFields: [])
        try IntegerStatement(
            db, "SELECT \(TripColumns.names) FROM trips WHERE month = ? ORDER BY month, key_high, key_low"
        ).forEachRow(Int64(month.index)) { row in
            guard excluded.isEmpty || !excluded.contains(row.readKey()) else { return }
            try batch.append(stored: try row.readFacts(), for: shape)
            if batch.count == batch.capacity {
                try body(batch)
                batch.count = 0
            }
        }
        if batch.count > 0 { try body(batch) }
    }
}
