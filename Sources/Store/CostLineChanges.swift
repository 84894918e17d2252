import GRDB
import KPIs
import Trips

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
        guard !changes.lines.isEmpty else { return }
        let isKey = """
            month = ? AND provider_id = ? AND provider_name = ? AND contract_number = ? AND region = ? AND trip_type = ?
            AND sourcing = ?
            """
        let select = try IntegerStatement(db, "SELECT * FROM cost_lines WHERE \(isKey)")
        let delete = try IntegerStatement(db, "DELETE FROM cost_lines WHERE \(isKey)")
        let insert = try IntegerStatement(db, CostLines.insertion)
        for (line, change) in changes.withoutEmptyLines.lines {
            var sums = try select.first(line.columns) { try $0.readCostLine().sums } ?? CostSums()
            sums.merge(change)
            guard sums.trips > 0 || sums == CostSums() else {
                throw StoreDamage(detail: "its costs by provider lack trips that were removed")
            }
            guard sums.columns.allSatisfy({ $0.magnitude <= CostLines.largestTotal }) else {
                throw StoreError.inconsistent("the costs of a provider are above any total that can be kept")
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
