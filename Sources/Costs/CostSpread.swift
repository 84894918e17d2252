import Trips

/// The costs of one provider and trip type, to tell which lie far outside. Exact: a count of each cost that occurs.
package struct CostSpread: Sendable, Hashable {
    /// How many spreads beyond a quartile a cost may lie.
    package static let reach = 3
    /// Fewer costs than this tell nothing.
    package static let leastTrips = 20

    private var counts: [Int: Int] = [:]
    package private(set) var count = 0

    package init() {}

    package mutating func add(costCents: Int) {
        counts[costCents, default: 0] += 1
        count += 1
    }

    package mutating func merge(_ other: CostSpread) {
        for (cost, times) in other.counts { counts[cost, default: 0] += times }
        count += other.count
    }

    /// The costs that are not outliers; nil for too few.
    package var usualCents: ClosedRange<Int>? {
        guard count >= Self.leastTrips else { return nil }
        let costs = counts.sorted { $0.key < $1.key }
        let quartiles = (1...3).map { Self.cost(ofRank: (count * $0 + 3) / 4, in: costs) }
        let spread = max(quartiles[2] - quartiles[0], quartiles[1] / 10)
        return (quartiles[0] - Self.reach * spread)...(quartiles[2] + Self.reach * spread)
    }

    private static func cost(ofRank rank: Int, in costs: [(key: Int, value: Int)]) -> Int {
        var reached = 0
        for (cost, times) in costs {
            reached += times
            if reached >= rank { return cost }
        }
        return costs.last?.key ?? 0
    }
}

/// Of whom costs are compared with each other.
package struct CostPeers: Sendable, Hashable {
    package var providerID: Int32
    package var providerName: Int32
    package var tripType: UInt8

    package init(_ trip: CostTrip) {
        providerID = trip.providerID
        providerName = trip.providerName
        tripType = trip.tripType
    }
}
