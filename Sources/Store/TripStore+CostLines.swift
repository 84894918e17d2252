package import Costs
import GRDB
package import Trips

extension TripStore {
    /// Costs by line of these months, of all completed trips that count. No trip is read.
    package func costTally(of months: ClosedRange<Month>) throws -> CostTally {
        var tally = CostTally()
        try read { db in
            try IntegerStatement(db, "SELECT * FROM cost_lines WHERE month BETWEEN ? AND ?")
                .forEachRow(Int64(months.lowerBound.index), Int64(months.upperBound.index)) { row in
                    let line = try row.readCostLine()
                    tally.add(line.sums, to: line.key)
                }
        }
        return tally
    }

    /// Adds the costs by line up again from all trips.
    ///
    /// - Throws: `StoreDamage` if they differ.
    static func verifyCostLines(_ db: Database) throws {
        let stored = try lines("SELECT * FROM cost_lines ORDER BY 1, 2, 3, 4, 5, 6, 7", db)
        guard try stored == lines(CostLines.ofTrips, db) else {
            throw StoreDamage(detail: "its costs by provider are not those of its trips")
        }
    }

    private static func lines(_ sql: String, _ db: Database) throws -> CostTally {
        var tally = CostTally()
        try IntegerStatement(db, sql).forEachRow { row in
            let line = try row.readCostLine()
            tally.add(line.sums, to: line.key)
        }
        return tally
    }
}
