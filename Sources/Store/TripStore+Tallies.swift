import Dispatch
import Foundation
import GRDB
package import KPIs
import Synchronization
package import Trips

extension TripStore {
    /// Writes the tallies of the months a session has changed: each month's checkpoint plus what was added, less what
    /// lost. Months whose checkpoint is not to be trusted, or whose patients can no longer be told, are tallied from
    /// their rows.
    ///
    /// - Returns: the months written, ascending.
    @discardableResult
    package func settle(_ session: StoreSession, workers: Int) throws -> [Month] {
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
        // Of months that were stale before, the tally has nothing that could be taken out again: their rows have it all.
        var added = session.added, retracted = session.retracted
        for month in session.staleBefore {
            added.remove(month: Month(index: month))
            retracted.remove(month: Month(index: month))
        }
        tally.merge(added)
        guard tally.subtract(retracted) else {
            throw StoreError.damaged(path: path, detail: "a tally lacks trips that were taken out of it")
        }
        for month in months where !session.staleBefore.contains(month) && !tally.isSure(month: Month(index: month)) {
            fromRows.insert(month)
        }
        for month in fromRows { tally.remove(month: Month(index: month)) }
        // What is tallied from rows is as right as the rows.
        try read { db in
            let reader = try RowPartReader(db)
            for month in fromRows.sorted() { try reader.check(RowPart.all(ofMonth: month)) }
        }
        tally.merge(
            try tallyRows(of: fromRows.sorted().map(Month.init(index:)), shape: session.shape, workers: workers))
        let finished = tally
        try write { db in
            for month in months { try Self.write(finished, month: Month(index: month), db) }
            if try LedgerDigest.written(db) == nil { try LedgerDigest.write(db) }
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
        // What was released may be of exports that were taken out since.
        let longest = try number("SELECT MAX(maximum_interval_seconds) FROM exports")
        let longestReleased = try number("SELECT MAX(maximum_interval_seconds) FROM releases")
        return KPITally.Shape(
            regionCount: try number("SELECT COUNT(*) FROM regions"),
            tripTypeCount: try number("SELECT COUNT(*) FROM trip_types"),
            maximumIntervalSeconds: max(seconds, longest, longestReleased, 86_400))
    }

    /// The months of the store, ascending.
    package func months() throws -> [Month] {
        try read { db in
            let months = try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies ORDER BY month")
            guard months.allSatisfy({ (1900 * 12..<2300 * 12).contains($0) }) else {
                throw StoreDamage(detail: "there is a month that no trip can have")
            }
            return months.map(Month.init(index:))
        }
    }

    /// Those of them that have a trip that counts, ascending: the trips of the others are all void.
    package func countedMonths() throws -> [Month] {
        let months = try months()
        return try read { db in
            let statement = try db.makeStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM trips WHERE month = ? AND status <> ?)")
            return try months.filter { month in
                try Bool.fetchOne(statement, arguments: [month.index, TripStatus.void.rawValue]) ?? false
            }
        }
    }

    /// Those of them that have so many rows or more, ascending.
    package func months(ofAtLeast rows: Int) throws -> [Month] {
        let months = try months()
        return try read { db in
            let statement = try db.makeStatement(
                sql: "SELECT COUNT(*) FROM (SELECT 1 FROM trips WHERE month = ? LIMIT ?)")
            return try months.filter { month in
                try Int.fetchOne(statement, arguments: [month.index, rows]) ?? 0 >= rows
            }
        }
    }

    /// Months whose written tallies are not to be trusted, ascending.
    package func staleMonths() throws -> [Month] {
        try read { db in
            try Int32.fetchAll(db, sql: "SELECT month FROM month_tallies WHERE is_stale <> 0 ORDER BY month")
                .map(Month.init(index:))
        }
    }

    /// The written tallies of these months in one.
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
        let shares = Mutex<[Int: Result<KPITally, any Error>]>([:])
        let count = max(1, min(workers, months.count))
        DispatchQueue.concurrentPerform(iterations: count) { worker in
            let share = Result { () throws -> KPITally in
                var tally = KPITally(shape: shape)
                let reader = count == 1 ? self : try TripStore(reading: path)
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < months.count else { return tally }
                    try reader.forBatches(of: months[index], shape: shape) { tally.add($0) }
                }
            }
            shares.withLock { $0[worker] = share }
        }
        var tally = KPITally(shape: shape)
        for share in shares.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { tally.merge(try share.value.get()) }
        return tally
    }

    /// The trips of a month that count, batch by batch.
    ///
    /// - Parameter shape: nil: that of the store. A trip that has no place in it is damage.
    package func forBatches(
        of month: Month, shape given: KPITally.Shape? = nil, _ body: (TripBatch) throws -> Void
    ) throws {
        let shape = try given ?? shape()
        try read { db in
            let statement = try IntegerStatement(
                db, "SELECT \(TripColumns.names) FROM trips WHERE month = ? ORDER BY month, key_high, key_low")
            statement.bind(1, Int64(month.index))
            var batch = TripBatch(capacity: 2048, textFields: [])
            while try statement.step(db) {
                try batch.append(stored: try TripColumns.readFacts(statement), for: shape)
                if batch.count == batch.capacity {
                    try body(batch)
                    batch.count = 0
                }
            }
            statement.reset()
            if batch.count > 0 { try body(batch) }
        }
    }
}
