/// The flagged trips: all are counted, the most expensive of each check are listed.
package struct CostFindings: Sendable {
    package struct CheckTotal: Sendable, Hashable {
        package var trips = 0
        /// Those that have a cost.
        package var costedTrips = 0
        package var costCents = 0
    }

    package struct ListedTrip: Sendable {
        package var trip: CostTrip
        package var place: CostTripLocation
        /// Trips of one check that belong together; 0: none.
        package var group: Int32
    }

    package let most: Int
    package private(set) var totals: [CostCheck: CheckTotal] = [:]
    private var lists: [CostCheck: [ListedTrip]] = [:]

    /// - Parameter most: trips of each check that are listed.
    package init(most: Int = 1000) {
        self.most = most
    }

    package mutating func add(
        _ trip: CostTrip, flags: CostFlags, at place: CostTripLocation, group: (CostCheck) -> Int32 = { _ in 0 }
    ) {
        for check in flags.checks {
            totals[check, default: CheckTotal()].trips += 1
            if let cost = trip.costCents {
                totals[check, default: CheckTotal()].costedTrips += 1
                totals[check, default: CheckTotal()].costCents += cost
            }
            lists[check, default: []].append(ListedTrip(trip: trip, place: place, group: group(check)))
            if lists[check, default: []].count >= 2 * most { lists[check] = dearest(check) }
        }
    }

    /// Of all trips that are listed, each once.
    package var listedPlaces: Set<CostTripLocation> {
        Set(CostCheck.allCases.flatMap { listed($0).map(\.place) })
    }

    private func dearest(_ check: CostCheck) -> [ListedTrip] {
        Array(lists[check, default: []].sorted(by: Self.isDearer).prefix(most))
    }

    private static func isDearer(_ a: ListedTrip, _ b: ListedTrip) -> Bool {
        let left = a.trip.costCents ?? .min
        let right = b.trip.costCents ?? .min
        return left != right ? left > right : (a.place.high, a.place.low) < (b.place.high, b.place.low)
    }

    /// At most `most`, the most expensive; those of one group together, in the order of its most expensive.
    package func listed(_ check: CostCheck) -> [ListedTrip] {
        let dearest = dearest(check)
        guard check.needsExports else { return dearest }
        var ranks: [Int32: Int] = [:]
        for listed in dearest where ranks[listed.group] == nil { ranks[listed.group] = ranks.count }
        return dearest.enumerated().sorted {
            (ranks[$0.element.group] ?? 0, $0.offset) < (ranks[$1.element.group] ?? 0, $1.offset)
        }.map(\.element)
    }
}
