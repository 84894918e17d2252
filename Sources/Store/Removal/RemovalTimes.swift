import GRDB

/// When sets were first published after the last removal, in seconds since 1970. A set that was made earlier may have what was
/// removed.
package struct RemovalTimes: Sendable, Hashable {
    /// Nothing was published since.
    package static let undated = Int.max

    /// Of any trip; nil: none was removed.
    package let trips: Int?
    /// Of a trip or patient that was named; nil: none was removed. Trips that leave by their age take whole months with them.
    package let named: Int?

    static let columns = ["removed_at", "named_removed_at"]

    init(_ db: Database) throws {
        let row = try Row.fetchOne(db, sql: "SELECT removed_at, named_removed_at FROM retention")
        trips = try row?.decode(Int?.self, atIndex: 0)
        named = try row?.decode(Int?.self, atIndex: 1)
    }

    /// Removals that were dated by a clock that was ahead are dated again by the next publication.
    static func takeBack(after now: Int, _ db: Database) throws {
        for column in columns {
            try db.execute(
                sql: "UPDATE retention SET \(column) = ? WHERE \(column) > ?", arguments: [undated, now])
        }
    }

    /// In the transaction of a removal.
    static func mark(isNamed: Bool, _ db: Database) throws {
        try db.execute(sql: "UPDATE retention SET removed_at = ?", arguments: [undated])
        if isNamed { try db.execute(sql: "UPDATE retention SET named_removed_at = ?", arguments: [undated]) }
    }
}

extension TripStore {
    package func removalTimes() throws -> RemovalTimes { try read(RemovalTimes.init) }

    /// Dates the removals since the last publication, before a set is published.
    ///
    /// - Parameter time: later than every set that was made until now.
    package func dateRemovals(at time: Int) throws {
        try write { db in
            for column in RemovalTimes.columns {
                try db.execute(
                    sql: "UPDATE retention SET \(column) = ?1 WHERE \(column) = ?2",
                    arguments: [time, RemovalTimes.undated])
            }
        }
    }

    /// The day of the last run whose clock was believed where trips leave by their age, since 1970; nil: there was none.
    package func clockDay() throws -> Int? {
        try read { try Int.fetchOne($0, sql: "SELECT clock_day FROM retention") }
    }

    package func remember(clockDay day: Int) throws {
        guard try clockDay() != day else { return }
        try write { try $0.execute(sql: "UPDATE retention SET clock_day = ?", arguments: [day]) }
    }
}
