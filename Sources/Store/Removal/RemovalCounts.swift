import GRDB

/// How often something was removed from a store. Both numbers only grow.
///
/// A staff set has the numbers of the time at which it was made. It may have what was removed since exactly if one of them is smaller
/// than the present one.
package struct RemovalCounts: Sendable, Hashable {
    /// Removals of whole months by their age.
    package let ofMonths: Int
    /// Removals of trips and patients that were named.
    package let named: Int

    package static let none = RemovalCounts(ofMonths: 0, named: 0)

    init(ofMonths: Int, named: Int) {
        self.ofMonths = ofMonths
        self.named = named
    }

    init(_ row: Row) throws {
        ofMonths = try row.decode(forColumn: "month_removals")
        named = try row.decode(forColumn: "named_removals")
    }

    init(_ db: Database) throws {
        guard let row = try Row.fetchOne(db, sql: "SELECT month_removals, named_removals FROM retention") else {
            throw StoreDamage(detail: "it does not know what was removed")
        }
        try self.init(row)
    }

    /// In the transaction of a removal that takes something out, or keeps a trip or patient out.
    static func count(_ removal: Removal, _ db: Database) throws {
        if removal.before != nil { try db.execute(sql: "UPDATE retention SET month_removals = month_removals + 1") }
        guard !removal.trips.isEmpty || !removal.patients.isEmpty else { return }
        try db.execute(sql: "UPDATE retention SET named_removals = named_removals + 1")
    }
}

extension TripStore {
    /// Counts a removal that another store had made.
    package func countNamedRemoval() throws {
        try write { try $0.execute(sql: "UPDATE retention SET named_removals = named_removals + 1") }
    }

    package func removalCounts() throws -> RemovalCounts { try read(RemovalCounts.init) }

    /// What had been removed when each staff set was made, by the SHA-256 of the set's manifest. Sets that are not in it were made
    /// before the first removal, by another store, or before a removal of names.
    package func staffSets() throws -> [String: RemovalCounts] {
        try read { db in
            var sets: [String: RemovalCounts] = [:]
            let rows = try Row.fetchCursor(db, sql: "SELECT * FROM staff_sets")
            while let row = try rows.next() {
                sets[try row.decode(forColumn: "manifest_sha256")] = try RemovalCounts(row)
            }
            return sets
        }
    }

    /// Call it before readers can see the set.
    ///
    /// - Parameter set: the SHA-256 of its manifest, which has the hash of each file: the same manifest is the same set.
    package func remember(staffSet set: String) throws {
        // Before the first removal every set is one from before it.
        guard try removalCounts() != .none else { return }
        try write { db in
            // To be in no row says the same.
            try db.execute(
                sql: "DELETE FROM staff_sets WHERE named_removals < (SELECT named_removals FROM retention)")
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO staff_sets SELECT ?, month_removals, named_removals FROM retention
                    """, arguments: [set])
        }
    }
}
