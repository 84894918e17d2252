import GRDB
import KPIs
import Trips

/// The table `cost_lines`: `CostTally` of all completed trips that count, so that costs of all months are read without
/// reading trips.
enum CostLines {
    private static let declaration = """
        CREATE TABLE cost_lines (
            month INTEGER NOT NULL, provider_id INTEGER NOT NULL, provider_name INTEGER NOT NULL,
            contract_number INTEGER NOT NULL, region INTEGER NOT NULL, trip_type INTEGER NOT NULL,
            sourcing INTEGER NOT NULL,
            trips INTEGER NOT NULL, costed_trips INTEGER NOT NULL, cost_cents INTEGER NOT NULL,
            loaded_hundredths INTEGER NOT NULL, cost_cents_with_miles INTEGER NOT NULL,
            loaded_hundredths_with_cost INTEGER NOT NULL,
            PRIMARY KEY (month, provider_id, provider_name, contract_number, region, trip_type, sourcing)
        ) STRICT, WITHOUT ROWID
        """
    static let columnCount: Int32 = 13
    /// As in tallies: above what exports can add up to, and totals over all lines do not overflow.
    static let largestTotal: UInt64 = 1 << 53
    static let insertion = "INSERT OR REPLACE INTO cost_lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// Makes the table in a store that has trips, but no costs by line.
    static func make(_ db: Database) throws {
        try db.execute(sql: declaration)
        let insert = try IntegerStatement(db, insertion)
        for (line, sums) in try ofTrips(db).lines { try insert.run(line.columns + sums.columns) }
    }

    /// Adds the lines up again from all trips.
    ///
    /// - Throws: `StoreDamage` if they are others.
    static func verify(_ db: Database) throws {
        guard try stored(in: Int32.min...Int32.max, db) == ofTrips(db) else {
            throw StoreDamage(detail: "its costs by provider are not those of its trips")
        }
    }

    /// - Parameter months: `Month.index`.
    static func stored(in months: ClosedRange<Int32>, _ db: Database) throws -> CostTally {
        var tally = CostTally()
        try IntegerStatement(db, "SELECT * FROM cost_lines WHERE month BETWEEN ? AND ?")
            .forEachRow(Int64(months.lowerBound), Int64(months.upperBound)) { row in
                let line = try row.readCostLine()
                tally.add(line.sums, to: line.key)
            }
        return tally
    }

    /// Only columns that a store of version 10 has: a migration reads them.
    private static func ofTrips(_ db: Database) throws -> CostTally {
        var tally = CostTally()
        let select = """
            SELECT month, provider_id, provider_name, contract_number, region, trip_type, sourcing, cost_cents,
                loaded_hundredths
            FROM trips WHERE status = ?
            """
        try IntegerStatement(db, select).forEachRow(Int64(TripStatus.completed.rawValue)) { row in
            let key = try row.readCostKey()
            var trip = CostTrip(month: key.month, day: 0)
            trip.costCents = row.isNull(7) ? nil : Int(row.column(7))
            trip.loadedHundredths = row.isNull(8) ? nil : Int(row.column(8))
            var sums = CostSums()
            guard TripFacts.isPossible(amount: trip.costCents), TripFacts.isPossible(amount: trip.loadedHundredths)
            else {
                throw StoreDamage(detail: "a trip has a value that no trip can have")
            }
            sums.add(trip)
            tally.add(sums, to: key)
        }
        return tally
    }
}

extension CostKey {
    var columns: [Int64] {
        [month, providerID, providerName, contract].map(Int64.init)
            + [region, tripType, sourcing.rawValue].map(Int64.init)
    }
}

extension CostSums {
    var columns: [Int64] {
        [trips, costedTrips, costCents, loadedHundredths, costCentsWithMiles, loadedHundredthsWithCost].map(Int64.init)
    }
}

extension IntegerStatement {
    /// The line of a row with all columns of `cost_lines`.
    ///
    /// - Throws: `StoreDamage` for a value that no line can have.
    func readCostLine() throws -> (key: CostKey, sums: CostSums) {
        let key = try readCostKey()
        guard (7..<CostLines.columnCount).allSatisfy({ column($0).magnitude <= CostLines.largestTotal }) else {
            throw StoreDamage(detail: "its costs by provider have a total that none can have")
        }
        var sums = CostSums()
        sums.trips = Int(column(7))
        sums.costedTrips = Int(column(8))
        sums.costCents = Int(column(9))
        sums.loadedHundredths = Int(column(10))
        sums.costCentsWithMiles = Int(column(11))
        sums.loadedHundredthsWithCost = Int(column(12))
        return (key, sums)
    }

    /// The key of a row whose first columns are those of the key of `cost_lines`.
    ///
    /// - Throws: `StoreDamage` for a value that no line can have.
    fileprivate func readCostKey() throws -> CostKey {
        guard let month = Int32(exactly: column(0)), let providerID = Int32(exactly: column(1)),
            let providerName = Int32(exactly: column(2)), let contract = Int32(exactly: column(3)),
            let region = UInt8(exactly: column(4)), let tripType = UInt8(exactly: column(5)),
            let sourcing = UInt8(exactly: column(6)).flatMap(Sourcing.init(rawValue:))
        else { throw StoreDamage(detail: "its costs by provider have a value that none can have") }
        return CostKey(
            month: month, providerID: providerID, providerName: providerName, contract: contract, region: region,
            tripType: tripType, sourcing: sourcing)
    }
}
