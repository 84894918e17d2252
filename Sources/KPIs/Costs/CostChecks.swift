import Trips

/// The checks of single trips: first all trips are added, then each is judged.
package struct CostChecks: Sendable, Hashable {
    private var spreads: [CostPeers: CostSpread] = [:]

    package init() {}

    package mutating func add(_ trip: CostTrip) {
        guard let cost = trip.costCents else { return }
        spreads[CostPeers(trip), default: CostSpread()].add(costCents: cost)
    }

    package mutating func merge(_ other: CostChecks) {
        for (peers, spread) in other.spreads { spreads[peers, default: CostSpread()].merge(spread) }
    }

    /// The number of groups that have enough costs to find outliers, and of those that do not.
    package var groups: (judged: Int, small: Int) {
        let judged = spreads.values.count { $0.count >= CostSpread.leastTrips }
        return (judged, spreads.count - judged)
    }

    package func finished() -> Judge { Judge(usual: spreads.compactMapValues(\.usualCents)) }

    /// Judges each trip by the costs of all.
    package struct Judge: Sendable {
        fileprivate let usual: [CostPeers: ClosedRange<Int>]

        package func flags(of trip: CostTrip) -> CostFlags {
            var flags: CostFlags = []
            if trip.loadedHundredths == 0 { flags.insert(CostFlags(.zeroMiles)) }
            if trip.sourcing == .contracted, trip.contract == 0 { flags.insert(CostFlags(.noContractNumber)) }
            if let cost = trip.costCents, let usual = usual[CostPeers(trip)], !usual.contains(cost) {
                flags.insert(CostFlags(.costOutlier))
            }
            return flags
        }

        /// Nil where the group is too small.
        package func usualCents(of trip: CostTrip) -> ClosedRange<Int>? { usual[CostPeers(trip)] }
    }
}

/// The costs of one provider and trip type, to find outliers. Exact: a count of each cost that occurs.
struct CostSpread: Sendable, Hashable {
    /// How many spreads beyond a quartile a cost may be.
    static let reach = 3
    /// Fewer costs than this have no outliers.
    static let leastTrips = 20
    private var counts: [Int: Int] = [:]
    private(set) var count = 0

    mutating func add(costCents: Int) {
        counts[costCents, default: 0] += 1
        count += 1
    }

    mutating func merge(_ other: CostSpread) {
        for (cost, times) in other.counts { counts[cost, default: 0] += times }
        count += other.count
    }

    /// The costs that are not outliers; nil for too few.
    var usualCents: ClosedRange<Int>? {
        guard count >= Self.leastTrips else { return nil }
        let costs = counts.sorted { $0.key < $1.key }
        let quartiles = (1...3).map { Self.cost(ofRank: (count * $0 + 3) / 4, in: costs) }
        let spread = max(quartiles[2] - quartiles[0], quartiles[1] / 10)
        let lowest = quartiles[0] - Self.reach * spread
        // Less than $0.00 is usual only where the first quartile is a refund.
        return (quartiles[0] < 0 ? lowest : max(0, lowest))...(quartiles[2] + Self.reach * spread)
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

/// Trips whose costs are compared with each other.
private struct CostPeers: Sendable, Hashable {
    var providerID: Int32
    var providerName: Int32
    var tripType: UInt8
    init(_ trip: CostTrip) {
        providerID = trip.providerID
        providerName = trip.providerName
        tripType = trip.tripType
    }
}
