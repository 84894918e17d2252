import Costs
import GRDB
import Trips

/// The table `cost_lines`: `CostTally` of all completed trips that count, so that costs of all months are read without
/// reading trips.
enum CostLines {
    static let declaration = """
        CREATE TABLE cost_lines (
            month INTEGER NOT NULL, provider_id INTEGER NOT NULL, provider_name INTEGER NOT NULL,
            contract_number INTEGER NOT NULL, region INTEGER NOT NULL, trip_type INTEGER NOT NULL,
            sourcing INTEGER NOT NULL,
            trips INTEGER NOT NULL, costed_trips INTEGER NOT NULL, cost_cents INTEGER NOT NULL,
            loaded_hundredths INTEGER NOT NULL, cost_cents_with_miles INTEGER NOT NULL,
            loaded_hundredths_with_cost INTEGER NOT NULL,
            PRIMARY KEY (month, provider_id, provider_name, contract_number, region, trip_type, sourcing)
        ) STRICT, WITHOUT ROWID;
        """

    static let columnCount: Int32 = 13

    private static let hasBoth = "cost_cents IS NOT NULL AND loaded_hundredths > 0"

    /// The lines as they follow from the trips, in the order of their key.
    static let ofTrips = """
        SELECT month, provider_id, provider_name, contract_number, region, trip_type, sourcing,
            COUNT(*), COUNT(cost_cents), COALESCE(SUM(cost_cents), 0), COALESCE(SUM(loaded_hundredths), 0),
            COALESCE(SUM(cost_cents) FILTER (WHERE \(hasBoth)), 0),
            COALESCE(SUM(loaded_hundredths) FILTER (WHERE \(hasBoth)), 0)
        FROM trips WHERE status = \(TripStatus.completed.rawValue) GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
        """
}

/// What a transaction changes in `cost_lines`. Each row that is added to `trips` or removed from it passes here.
final class CostLineChanges {
    private var changes = CostTally()

    @inline(__always)
    func add(_ trip: TripFacts) {
        if trip.status == TripStatus.completed.rawValue { changes.add(CostTrip(trip)) }
    }

    func remove(_ trip: TripFacts) {
        if trip.status == TripStatus.completed.rawValue { changes.remove(CostTrip(trip)) }
    }

    /// Call it once, when all rows of the transaction are written.
    ///
    /// - Throws: `StoreDamage` if more would be removed from a line than it has.
    func write(_ db: Database) throws {
        let isKey = """
            month = ? AND provider_id = ? AND provider_name = ? AND contract_number = ? AND region = ? AND trip_type = ?
            AND sourcing = ?
            """
        let select = try IntegerStatement(db, "SELECT * FROM cost_lines WHERE \(isKey)")
        let delete = try IntegerStatement(db, "DELETE FROM cost_lines WHERE \(isKey)")
        let insert = try IntegerStatement(
            db, "INSERT OR REPLACE INTO cost_lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (line, change) in changes.withoutEmptyLines.lines {
            var sums = try select.first(line.columns) { try $0.readCostLine().sums } ?? CostSums()
            sums.merge(change)
            guard sums.trips > 0 || sums == CostSums() else {
                throw StoreDamage(detail: "its costs by provider lack trips that were removed")
            }
            if sums.trips > 0 {
                try insert.run(line.columns + sums.columns)
            } else {
                try delete.run(line.columns)
            }
        }
        changes = CostTally()
    }
}

extension CostKey {
    fileprivate var columns: [Int64] {
        [month, providerID, providerName, contract].map(Int64.init)
            + [region, tripType, sourcing.rawValue].map(Int64.init)
    }
}

extension CostSums {
    fileprivate var columns: [Int64] {
        [trips, costedTrips, costCents, loadedHundredths, costCentsWithMiles, loadedHundredthsWithCost].map(Int64.init)
    }
}

extension IntegerStatement {
    /// Above any line's totals; totals over all lines do not overflow.
    private static let largestTotal: UInt64 = 1 << 48

    /// The line of a row with all columns of `cost_lines`.
    ///
    /// - Throws: `StoreDamage` for a value that no line can have.
    func readCostLine() throws -> (key: CostKey, sums: CostSums) {
        guard let month = Int32(exactly: column(0)), let providerID = Int32(exactly: column(1)),
            let providerName = Int32(exactly: column(2)), let contract = Int32(exactly: column(3)),
            let region = UInt8(exactly: column(4)), let tripType = UInt8(exactly: column(5)),
            let sourcing = UInt8(exactly: column(6)).flatMap(Sourcing.init(rawValue:)),
            (7..<CostLines.columnCount).allSatisfy({ column($0).magnitude <= Self.largestTotal })
        else { throw StoreDamage(detail: "its costs by provider have a value that none can have") }
        let key = CostKey(
            month: month, providerID: providerID, providerName: providerName, contract: contract, region: region,
            tripType: tripType, sourcing: sourcing)
        var sums = CostSums()
        sums.trips = Int(column(7))
        sums.costedTrips = Int(column(8))
        sums.costCents = Int(column(9))
        sums.loadedHundredths = Int(column(10))
        sums.costCentsWithMiles = Int(column(11))
        sums.loadedHundredthsWithCost = Int(column(12))
        return (key, sums)
    }
}
