import GRDB
package import KPIs
package import Trips

extension TripStore {
    /// Which providers the costs of each month, region and trip type are paid to, by the id of the provider.
    ///
    /// A trip without one is the provider's whose id its name comes with in the same month; else its name's own. Where
    /// neither is there, or the name comes with several ids, it is not known whose it is. Of a month it says the same
    /// beside whatever other months.
    package func costContributors(of months: ClosedRange<Month>? = nil) throws -> [CellScope: CostContributors] {
        var contributors: [CellScope: CostContributors] = [:]
        var costs = MonthCosts()
        try read { db in
            // Rows are met in their order, once: none is sorted, and a large cache would hold what is not asked for again.
            try db.execute(sql: "PRAGMA cache_size = -8192")
            defer { try? db.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB)") }
            let select = try IntegerStatement(
                db,
                """
                SELECT month, region, trip_type, sourcing, provider_id, provider_name, cost_cents,
                    CASE WHEN loaded_hundredths > 0 THEN cost_cents ELSE 0 END
                FROM trips WHERE month BETWEEN ? AND ? AND status = ? AND sourcing <> ? AND cost_cents IS NOT NULL
                ORDER BY month, key_high, key_low
                """)
            defer { select.reset() }
            select.bind(1, Int64(months?.lowerBound.index ?? .min))
            select.bind(2, Int64(months?.upperBound.index ?? .max))
            select.bind(3, Int64(TripStatus.completed.rawValue))
            select.bind(4, Int64(Sourcing.inHouse.rawValue))
            while try select.step(db) {
                let month = Month(index: Int32(truncatingIfNeeded: select.column(0)))
                if month != costs.month {
                    costs.add(to: &contributors)
                    costs = MonthCosts(month: month)
                }
                let payee = MonthCosts.Payee(
                    region: UInt8(truncatingIfNeeded: select.column(1)),
                    tripType: UInt8(truncatingIfNeeded: select.column(2)),
                    sourcing: UInt8(truncatingIfNeeded: select.column(3)),
                    id: Int32(truncatingIfNeeded: select.column(4)), name: Int32(truncatingIfNeeded: select.column(5)))
                costs.sums[payee, default: MonthCosts.Sum()].add(Int(select.column(6)), Int(select.column(7)))
            }
        }
        costs.add(to: &contributors)
        return contributors
    }
}

/// The costs of one month by who they are paid to.
private struct MonthCosts {
    /// The number of a text that is not there.
    private static let none: Int32 = 0

    struct Payee: Hashable {
        var region: UInt8
        var tripType: UInt8
        var sourcing: UInt8
        /// Numbers of texts.
        var id: Int32
        var name: Int32
    }

    struct Sum {
        private(set) var cents = 0
        private(set) var centsWithLoadedMiles = 0

        mutating func add(_ cents: Int, _ centsWithLoadedMiles: Int) {
            self.cents += cents
            self.centsWithLoadedMiles += centsWithLoadedMiles
        }
    }

    var month: Month?
    var sums: [Payee: Sum] = [:]

    func add(to contributors: inout [CellScope: CostContributors]) {
        var ids: [Int32: Set<Int32>] = [:]
        for payee in sums.keys where payee.id != Self.none && payee.name != Self.none {
            ids[payee.name, default: []].insert(payee.id)
        }
        for (payee, sum) in sums {
            let scope = CellScope(month: month, region: payee.region, tripType: payee.tripType)
            contributors[scope, default: CostContributors()].add(
                provider: provider(payee, ids), sourcing: Sourcing(rawValue: payee.sourcing) ?? .unclassified,
                cents: sum.cents, centsWithLoadedMiles: sum.centsWithLoadedMiles)
        }
    }

    private func provider(_ payee: Payee, _ idsByName: [Int32: Set<Int32>]) -> Int32? {
        if payee.id != Self.none { return payee.id }
        if payee.name == Self.none { return nil }
        // Numbers of texts are positive: those of names beside ids are told apart by their sign.
        guard let ids = idsByName[payee.name] else { return -payee.name }
        return ids.count == 1 ? ids.first : nil
    }
}
